/** A short text: a line. */
import { TextDefault } from "./defaults.tsx";
import { inputText, labelled, orNull, type FieldControls, type InputProps } from "./field-control.tsx";
import { useContentLanguage } from "./language.ts";
import { COMPARED_AS_TEXT, TextCell, WholeText } from "./shown-text.tsx";

function StringInput({ value, mayChange, onChange, control }: InputProps) {
  const language = useContentLanguage();
  return (
    <input
      {...control}
      {...language}
      class="input"
      readOnly={!mayChange}
      value={inputText(value)}
      onInput={(event) => onChange(orNull(event.currentTarget.value))}
    />
  );
}

export const STRING: FieldControls = {
  Control: labelled(StringInput),
  Cell: TextCell,
  Value: WholeText,
  compared: COMPARED_AS_TEXT,
  Default: TextDefault,
};
