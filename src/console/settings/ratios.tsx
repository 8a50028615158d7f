/** The aspect ratios that pictures of the space may be cropped to. */
import { useEffect, useState } from "preact/hooks";
import { Field } from "../ui/field.tsx";

const SEPARATORS = /[\s,;]+/;

interface RatiosProps {
  ratios: readonly string[];
  mayChange: boolean;
  faults: readonly string[];
  onChange: (ratios: string[]) => void;
}

/** Saved when the field is left, or by Enter. */
export function Ratios({ ratios, mayChange, faults, onChange }: RatiosProps) {
  const saved = ratios.join(" ");
  const [text, setText] = useState(saved);
  useEffect(() => setText(saved), [saved]);
  const save = (): void => {
    const asked = text.split(SEPARATORS).filter(Boolean);
    if (asked.join(" ") === saved) setText(saved);
    else onChange(asked);
  };
  return (
    <Field
      label="Aspect ratios"
      hint="Width to height, with a space between two. A crop to any other ratio is refused."
      faults={faults}
    >
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
