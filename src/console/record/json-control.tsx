/** JSON as text: what does not parse yet is kept as it was typed, and Tab stays the way to the next control. */
import { useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import type { ControlProps } from "../ui/field.tsx";
import { isSame, Unparsed } from "./values.ts";

interface JsonProps {
  control: ControlProps;
  value: unknown;
  mayChange: boolean;
  onChange: (value: unknown) => void;
}

const INDENT = 2;
const written = (value: unknown): string => {
  if (value instanceof Unparsed) return value.text;
  return value === null || value === undefined ? "" : JSON.stringify(value, null, INDENT);
};

function parsed(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    return new Unparsed(text, error instanceof Error ? error.message : "");
  }
}

export function JsonControl({ control, value, mayChange, onChange }: JsonProps) {
  const [text, setText] = useState(() => written(value));
  // Another value than the one typed came from elsewhere: a reload, the other side of a conflict.
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
