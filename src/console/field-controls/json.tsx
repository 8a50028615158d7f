/** JSON as text. A text that cannot be parsed yet is kept as it was typed, and Tab moves on to the next control. */
import { useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { labelled, type DefaultProps, type FieldControls, type InputProps } from "./field-control.tsx";
import { short, written as onOneLine } from "./shown-text.tsx";
import { isSame, Unparsed } from "./unparsed.ts";

const INDENT = 2;
const indented = (value: unknown): string => JSON.stringify(value, null, INDENT);

const written = (value: unknown): string => {
  if (value instanceof Unparsed) return value.text;
  return value === null || value === undefined ? "" : indented(value);
};

function parsed(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    return new Unparsed(text, error instanceof Error ? error.message : "");
  }
}

function JsonInput({ control, value, mayChange, onChange }: InputProps) {
  const [text, setText] = useState(() => written(value));
  // A value that differs from the typed one came from elsewhere: from a reload, or from the other side of a conflict.
  const shown = isSame(parsed(text), value) || value instanceof Unparsed ? text : written(value);
  const change = (to: string): void => {
    setText(to);
    onChange(parsed(to));
  };
  const canTidy = !(value instanceof Unparsed) && shown !== written(value);
  return (
    <div class="json">
      <textarea
        {...control}
        class="textarea mono"
        spellcheck={false}
        autocapitalize="none"
        readOnly={!mayChange}
        value={shown}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {mayChange && canTidy && (
        <Button small kind="quiet" onClick={() => setText(written(value))}>
          Tidy up
        </Button>
      )}
    </div>
  );
}

function JsonDefault({ field, faults, onChange }: DefaultProps) {
  const [text, setText] = useState(field.default === undefined ? "" : indented(field.default));
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

export const JSON_CONTROLS: FieldControls = {
  Control: labelled(JsonInput),
  Cell: ({ value }) => <code>{short(onOneLine(value))}</code>,
  Value: ({ value }) => <pre class="value-json mono">{indented(value)}</pre>,
  compared: { textOf: (value) => (value === null ? "" : indented(value)), isCode: true },
  Default: JsonDefault,
};
