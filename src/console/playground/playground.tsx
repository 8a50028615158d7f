/** Tries variants: shows what parameters deliver, its size beside that of the master, and the code that asks for it. */
import { useEffect, useState } from "preact/hooks";
import { FORMATS, NEGOTIATED_FORMATS } from "../../image/formats/registry.ts";
import { OFFERED_PARAMETERS, type OfferedParameter } from "../../image/parameters/table.ts";
import type { Media } from "../api/media.ts";
import { useSettings, type SpaceSettings } from "../api/space.ts";
import { samePath } from "../lib/same-origin.ts";
import { CopyButton } from "../ui/copy.tsx";
import { Field } from "../ui/field.tsx";
import { Card } from "../ui/page.tsx";
import { addressOf, SNIPPETS, snippetOf, type SnippetKind, type TriedParameters } from "./address.ts";
import { Stage } from "./stage.tsx";
import { useVariant } from "./use-variant.ts";
import "./playground.css";

/** The formats that browsers of each age take, newest first: all that `auto=format` can lead to, then fewer, then none. */
const ACCEPTS: readonly (readonly [words: string, header: string])[] = [
  ...NEGOTIATED_FORMATS.map((_, from) => NEGOTIATED_FORMATS.slice(from)),
  [],
].map((formats) => [
  formats.map((format) => FORMATS[format].title).join(" and ") || "Neither",
  [...formats.map((format) => FORMATS[format].mime), "*/*"].join(","),
]);
const REST_MS = 350;
const START: TriedParameters = { w: "1000", auto: "format" };

/** Returns a value that follows another one when that has not changed for REST_MS. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** The parameters that share one control. */
type Offered = readonly OfferedParameter[];

const LABELS = [...new Set(OFFERED_PARAMETERS.map(({ control }) => control.label))];
const CONTROLS: readonly (readonly [label: string, offered: Offered])[] = LABELS.map((label) => [
  label,
  OFFERED_PARAMETERS.filter(({ control }) => control.label === label),
]);

/** The values that the space's settings list. */
type Listed = Pick<SpaceSettings, "aspectRatios" | "backgrounds">;
const NOTHING_LISTED: Listed = { aspectRatios: [], backgrounds: [] };

/** Returns the values that the parameters of a control can have. */
const choicesOf = (offered: Offered, listed: Listed) =>
  offered.flatMap(({ name, control: { offers } }) => {
    switch (offers.kind) {
      case "choice":
        return offers.choices.map((choice) => ({ name, ...choice }));
      case "listed":
        return listed[offers.setting].map((text) => ({ name, text, words: text }));
      case "number":
        return offers.suggested.map((value) => ({ name, text: String(value), words: "" }));
      default:
        return offers satisfies never;
    }
  });

/** Renders one control of the form. */
function Offer({
  label,
  offered,
  tried,
  listed,
  onChange,
}: {
  label: string;
  offered: Offered;
  tried: TriedParameters;
  listed: Listed;
  onChange: (to: TriedParameters) => void;
}) {
  const [first] = offered;
  if (!first) return null;
  const { absent, hint, offers } = first.control;
  const choices = choicesOf(offered, listed);
  const cleared: TriedParameters = Object.fromEntries(offered.map(({ name }) => [name, ""]));
  const value = offered.map(({ name }) => tried[name] ?? "").find((text) => text !== "") ?? "";
  const change = (text: string): void => {
    const name = choices.find((choice) => choice.text === text)?.name ?? first.name;
    onChange({ ...cleared, [name]: text });
  };
  if (offers.kind === "number") {
    const list = `playground-${first.name}`;
    return (
      <>
        <Field label={label} {...(hint !== undefined && { hint })}>
          {(control) => (
            <input
              {...control}
              class="input numbers"
              type="number"
              min={offers.min}
              max={offers.max}
              list={list}
              value={value}
              onInput={({ currentTarget }) => change(currentTarget.value)}
            />
          )}
        </Field>
        <datalist id={list}>
          {choices.map(({ text }) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      </>
    );
  }
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(control) => (
        <select
          {...control}
          class="select"
          value={value}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        >
          <option value="">{absent}</option>
          {choices.map(({ text, words }) => (
            <option key={text} value={text}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Controls({
  tried,
  accept,
  listed,
  onChange,
  onAccept,
}: {
  tried: TriedParameters;
  accept: string;
  listed: Listed;
  onChange: (to: TriedParameters) => void;
  onAccept: (accept: string) => void;
}) {
  return (
    <div class="playground-controls">
      {CONTROLS.map(([label, offered]) => (
        <Offer key={label} {...{ label, offered, tried, listed, onChange }} />
      ))}
      {tried.auto && (
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

function Snippets({ media, tried }: { media: Media; tried: TriedParameters }) {
  const [kind, setKind] = useState<SnippetKind>("<img>");
  const code = snippetOf(kind, media, tried);
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
  const [tried, setTried] = useState(START);
  const [accept, setAccept] = useState<string>(ACCEPTS[0]?.[1] ?? "*/*");
  const { data: settings } = useSettings();
  const rested = useRested(tried);
  const variant = useVariant(samePath(addressOf(media, rested)), accept);
  return (
    <div class="playground">
      <Stage media={media} variant={variant} isCropped={Boolean(rested.ar)} />
      <div class="playground-side">
        <Card>
          <Controls
            tried={tried}
            accept={accept}
            listed={settings ?? NOTHING_LISTED}
            onChange={(to) => setTried({ ...tried, ...to })}
            onAccept={setAccept}
          />
        </Card>
        <Snippets media={media} tried={tried} />
      </div>
    </div>
  );
}
