/** Variants to try: what a choice of parameters delivers, what it weighs beside the master, and the code that asks for it. */
import { useEffect, useState } from "preact/hooks";
import { DELIVERY } from "../../limits.ts";
import { DEFAULT_QUALITY, QUALITIES } from "../../image/model/variant.ts";
import type { Media } from "../api/media.ts";
import { useSettings } from "../api/space.ts";
import { samePath } from "../lib/same-origin.ts";
import { CopyButton } from "../ui/copy.tsx";
import { Field } from "../ui/field.tsx";
import { Card } from "../ui/page.tsx";
import {
  addressOf,
  FORMATS,
  SNIPPETS,
  snippetOf,
  type Choice,
  type Format,
  type SnippetKind,
} from "./address.ts";
import { Stage } from "./stage.tsx";
import { useVariant } from "./use-variant.ts";
import "./playground.css";

const FORMAT_NAMES: Record<(typeof FORMATS)[number], string> = {
  auto: "Automatic",
  avif: "AVIF",
  webp: "WebP",
  jpeg: "JPEG",
  png: "PNG",
};
const ACCEPTS = [
  ["AVIF and WebP", "image/avif,image/webp,*/*"],
  ["WebP", "image/webp,*/*"],
  ["Neither", "*/*"],
] as const;
const REST_MS = 350;
const START: Choice = { width: 1000, quality: null, format: "auto", ratio: "" };

/** A value that follows another one when that has rested. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

function Controls({
  choice,
  accept,
  ratios,
  onChange,
  onAccept,
}: {
  choice: Choice;
  accept: string;
  ratios: readonly string[];
  onChange: (to: Partial<Choice>) => void;
  onAccept: (accept: string) => void;
}) {
  return (
    <div class="playground-controls">
      <Field label="Width" hint={`Rounded up to ${DELIVERY.widthGridPixels.slice(0, 3).join(", ")}, …`}>
        {(control) => (
          <input
            {...control}
            class="input numbers"
            type="number"
            min={DELIVERY.widthMinPixels}
            max={DELIVERY.widthMaxPixels}
            list="playground-widths"
            value={choice.width ?? ""}
            onInput={({ currentTarget: { value } }) =>
              onChange({ width: value === "" ? null : Number(value) })
            }
          />
        )}
      </Field>
      <datalist id="playground-widths">
        {DELIVERY.widthGridPixels.map((width) => (
          <option key={width} value={width} />
        ))}
      </datalist>
      <Field label="Quality">
        {(control) => (
          <select
            {...control}
            class="select"
            value={choice.quality ?? ""}
            onChange={({ currentTarget: { value } }) =>
              onChange({ quality: QUALITIES.find((quality) => String(quality) === value) ?? null })
            }
          >
            <option value="">{DEFAULT_QUALITY}, the default</option>
            {QUALITIES.map((quality) => (
              <option key={quality} value={quality}>
                {quality}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Format">
        {(control) => (
          <select
            {...control}
            class="select"
            value={choice.format}
            onChange={({ currentTarget: { value } }) => onChange({ format: value as Format })}
          >
            <option value="">As the master</option>
            {FORMATS.map((format) => (
              <option key={format} value={format}>
                {FORMAT_NAMES[format]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Aspect ratio">
        {(control) => (
          <select
            {...control}
            class="select"
            value={choice.ratio}
            onChange={({ currentTarget: { value } }) => onChange({ ratio: value })}
          >
            <option value="">As the master</option>
            {ratios.map((ratio) => (
              <option key={ratio} value={ratio}>
                {ratio}
              </option>
            ))}
          </select>
        )}
      </Field>
      {choice.format === "auto" && (
        <Field label="Accept" hint="What the visitor's browser takes">
          {(control) => (
            <select
              {...control}
              class="select"
              value={accept}
              onChange={({ currentTarget: { value } }) => onAccept(value)}
            >
              {ACCEPTS.map(([name, value]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </div>
  );
}

function Snippets({ media, choice }: { media: Media; choice: Choice }) {
  const [kind, setKind] = useState<SnippetKind>("<img>");
  const code = snippetOf(kind, media, choice);
  return (
    <Card title="To copy" aside={<CopyButton small text={code} />}>
      <div class="snippet-kinds" role="group" aria-label="Kind of code">
        {SNIPPETS.map((name) => (
          <button key={name} type="button" aria-pressed={name === kind} onClick={() => setKind(name)}>
            {name}
          </button>
        ))}
      </div>
      <pre class="snippet" tabIndex={0} aria-label="Snippet">
        <code>{code}</code>
      </pre>
    </Card>
  );
}

export function Playground({ media }: { media: Media }) {
  const [choice, setChoice] = useState(START);
  const [accept, setAccept] = useState<string>(ACCEPTS[0][1]);
  const { data: settings } = useSettings();
  const rested = useRested(choice);
  const variant = useVariant(samePath(addressOf(media, rested)), accept);
  return (
    <div class="playground">
      <Stage media={media} variant={variant} isCropped={rested.ratio !== ""} />
      <div class="playground-side">
        <Card>
          <Controls
            choice={choice}
            accept={accept}
            ratios={settings?.aspectRatios ?? []}
            onChange={(to) => setChoice({ ...choice, ...to })}
            onAccept={setAccept}
          />
        </Card>
        <Snippets media={media} choice={choice} />
      </div>
    </div>
  );
}
