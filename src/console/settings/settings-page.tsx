/** The space's settings, and what it holds. */
import { faultsOf } from "../api/faults.ts";
import { localesIn, useChangeSettings, useSettings, useUsage, type SpaceSettings } from "../api/space.ts";
import { bytes, count } from "../lib/format.ts";
import { useMay } from "../session/context.tsx";
import { Check, Field } from "../ui/field.tsx";
import { Card, Fault, Page, Skeleton } from "../ui/page.tsx";
import { complain } from "../ui/toast.tsx";
import { Locales } from "./locales.tsx";
import { Origins } from "./origins.tsx";
import { Values } from "./values.tsx";
import "./settings.css";

const QUALITIES = [80, 90, 95, 100] as const;
const QUALITY_WORDS = {
  80: "80: small, for most pictures",
  90: "90: finer",
  95: "95: for close looks",
  100: "100: the finest, and the largest",
} as const;

function Pictures({ settings }: { settings: SpaceSettings }) {
  const { mutate, isPending, isSuccess, error, variables } = useChangeSettings();
  const mayChange = useMay("admin");
  const change = (to: Partial<SpaceSettings>): void =>
    mutate(to, { onError: (fault) => complain(fault.message) });
  const faultsIn = (setting: "aspectRatios" | "backgrounds"): string[] =>
    variables?.[setting] ? [...new Set([...faultsOf(error).values()].flat())] : [];
  return (
    <Card
      title="Picture links"
      aside={
        <p class="page-aside" role="status">
          {isPending ? "Saving…" : isSuccess ? "Saved" : ""}
        </p>
      }
    >
      <p class="settings-lead">
        What the links in <code>formats</code> of a media object ask for, and what pictures hold. No setting
        ever changes a stored master.
      </p>
      <Check
        label="Adaptive loading"
        hint="Media objects carry links to four widths: 236, 500, 750 and 1000 pixels."
        checked={settings.adaptiveLoading}
        disabled={!mayChange}
        onChange={(adaptiveLoading) => change({ adaptiveLoading })}
      />
      <Check
        label="Compression"
        hint="Without it, the links ask for quality 100."
        checked={settings.compression}
        disabled={!mayChange}
        onChange={(compression) => change({ compression })}
      />
      <Check
        label="Build ahead"
        hint="After an upload, while no visitor waits, the four widths are built as AVIF and WebP."
        checked={settings.prebuild === "presets"}
        disabled={!mayChange}
        onChange={(isAhead) => change({ prebuild: isAhead ? "presets" : "none" })}
      />
      <Check
        label="Suggest focal points"
        hint="A point is worked out after an upload, and used until an editor sets one."
        checked={settings.suggestFocalPoint}
        disabled={!mayChange}
        onChange={(suggestFocalPoint) => change({ suggestFocalPoint })}
      />
      <Check
        label="Copyright in pictures"
        hint="From 500 pixels of width on, variants keep their master's creator, credit, notice, terms and licensor. Place, time and device are never kept."
        checked={settings.metadata === "copyright"}
        disabled={!mayChange}
        onChange={(isKept) => change({ metadata: isKept ? "copyright" : "none" })}
      />
      <Check
        label="Wide gamut"
        hint="Masters with colours outside sRGB give variants in Display P3."
        checked={settings.gamut === "p3"}
        disabled={!mayChange}
        onChange={(isWide) => change({ gamut: isWide ? "p3" : "srgb" })}
      />
      <Field label="Quality">
        {(control) => (
          <select
            {...control}
            class="select settings-quality"
            value={settings.quality}
            disabled={!mayChange || !settings.compression}
            onChange={(event) => {
              const quality = QUALITIES.find((one) => String(one) === event.currentTarget.value);
              if (quality) change({ quality });
            }}
          >
            {QUALITIES.map((quality) => (
              <option key={quality} value={quality}>
                {QUALITY_WORDS[quality]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Values
        label="Aspect ratios"
        hint="Width to height, with a space between two. A crop to any other ratio is refused."
        values={settings.aspectRatios}
        mayChange={mayChange}
        faults={faultsIn("aspectRatios")}
        onChange={(aspectRatios) => mutate({ aspectRatios })}
      />
      <Values
        label="Backgrounds"
        hint="Colours of six hexadecimal digits, and transparent, with a space between two. Pictures stand on no other."
        values={settings.backgrounds}
        mayChange={mayChange}
        faults={faultsIn("backgrounds")}
        onChange={(backgrounds) => mutate({ backgrounds })}
      />
      {!mayChange && <p class="field-hint">A key with the role admin changes these.</p>}
    </Card>
  );
}

function Holdings() {
  const { data } = useUsage();
  if (!data) return <Skeleton />;
  const { records, media, storage, variants } = data;
  const figures: [name: string, value: string, more?: string][] = [
    ["Media", count(media.active), `${count(media.trashed)} in the trash`],
    ["Records", count(records.active), `${count(records.trashed)} in the trash`],
    ["Masters", bytes(storage.masterBytes), "Variants are not counted"],
    ["Variants", count(variants.ready), "Ready to be served"],
  ];
  return (
    <Card title="What the space holds">
      <dl class="figures">
        {figures.map(([name, value, more]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="figures-value numbers">{value}</dd>
            <dd class="field-hint">{more}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

export function SettingsPage() {
  const { data, error, refetch } = useSettings();
  const mayChange = useMay("admin");
  return (
    <Page title="Settings" narrow>
      {error ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Holdings />
          {data ? <Pictures settings={data} /> : <Skeleton lines={6} />}
          {data && <Locales locales={localesIn(data)} mayChange={mayChange} />}
          {data && <Origins origins={data.origins} mayChange={mayChange} />}
        </>
      )}
    </Page>
  );
}
