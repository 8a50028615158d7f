/** A field for a setting that lists values, such as the aspect ratios that pictures may be cropped to. */
import { useEffect, useState } from "preact/hooks";
import { Field } from "../ui/field.tsx";

const SEPARATORS = /[\s,;]+/;

interface ValuesProps {
  label: string;
  hint: string;
  values: readonly string[];
  mayChange: boolean;
  faults: readonly string[];
  onChange: (values: string[]) => void;
}

/** Renders the field, which saves when the reader leaves it, or by Enter. */
export function Values({ label, hint, values, mayChange, faults, onChange }: ValuesProps) {
  const saved = values.join(" ");
  const [text, setText] = useState(saved);
  useEffect(() => setText(saved), [saved]);
  const save = (): void => {
    const asked = text.split(SEPARATORS).filter(Boolean);
    if (asked.join(" ") === saved) setText(saved);
    else onChange(asked);
  };
  return (
    <Field label={label} hint={hint} faults={faults}>
      {(control) => (
        <input
          {...control}
          class="input numbers"
          value={text}
          spellcheck={false}
          autocapitalize="none"
          readOnly={!mayChange}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === "Enter") save();
          }}
        />
      )}
    </Field>
  );
}
