/** A long text: paragraphs. */
import { TextDefault } from "./defaults.tsx";
import { inputText, labelled, orNull, type FieldControls, type InputProps } from "./field-control.tsx";
import { useContentLanguage } from "./language.ts";
import { COMPARED_AS_TEXT, TextCell, WholeText } from "./shown-text.tsx";

function TextInput({ value, mayChange, onChange, control }: InputProps) {
  const language = useContentLanguage();
  return (
    <textarea
      {...control}
      {...language}
      class="textarea"
      readOnly={!mayChange}
      value={inputText(value)}
      onInput={(event) => onChange(orNull(event.currentTarget.value))}
    />
  );
}

export const TEXT: FieldControls = {
  Control: labelled(TextInput),
  Cell: TextCell,
  Value: WholeText,
  compared: COMPARED_AS_TEXT,
  Default: TextDefault,
};
