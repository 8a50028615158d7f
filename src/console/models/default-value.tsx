/** What a new record holds in a field to begin with. */
import { useState } from "preact/hooks";
import { Field } from "../ui/field.tsx";
import type { DraftField } from "./draft.ts";

interface DefaultProps {
  field: DraftField;
  faults: string[];
  onChange: (value: unknown) => void;
}

const NONE = "";

/** The choices of a field whose values can be listed. */
function choicesOf({ type, values = [] }: DraftField): [text: string, value: unknown][] | null {
  if (type === "boolean")
    return [
      ["Yes", true],
      ["No", false],
    ];
  return type === "enum" ? values.filter(Boolean).map((value) => [value, value]) : null;
}

/** A JSON value as its text; what is no JSON yet stays text until it is. */
function JsonDefault({ field, faults, onChange }: DefaultProps) {
  const [text, setText] = useState(field.default === undefined ? "" : JSON.stringify(field.default, null, 2));
  const [isWrong, setWrong] = useState(false);
  const read = (to: string): void => {
    setText(to);
    try {
      onChange(to.trim() === "" ? undefined : JSON.parse(to));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <Field label="Default" faults={isWrong ? ["This is not JSON yet."] : faults}>
      {(control) => (
        <textarea
          {...control}
          class="textarea mono"
          spellcheck={false}
          value={text}
          onInput={(event) => read(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function DefaultValue({ field, faults, onChange }: DefaultProps) {
  if (field.type === "json") return <JsonDefault field={field} faults={faults} onChange={onChange} />;
  const choices = choicesOf(field);
  const { default: value } = field;
  const written = typeof value === "string" || typeof value === "number" ? String(value) : NONE;
  const read = (text: string): unknown =>
    text === NONE ? undefined : field.type === "number" ? Number(text) : text;
  return (
    <Field
      label="Default"
      faults={faults}
      hint={field.type === "datetime" ? "ISO 8601 with its zone: 2026-01-31T09:00:00Z" : undefined}
    >
      {(control) =>
        choices ? (
          <select
            {...control}
            class="select"
            value={String(choices.findIndex(([, value]) => value === field.default))}
            onChange={(event) => onChange(choices[Number(event.currentTarget.value)]?.[1])}
          >
            <option value="-1">None</option>
            {choices.map(([words], at) => (
              <option key={words} value={String(at)}>
                {words}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...control}
            class="input"
            type={field.type === "number" ? "number" : "text"}
            step="any"
            value={written}
            onInput={(event) => onChange(read(event.currentTarget.value))}
          />
        )
      }
    </Field>
  );
}
