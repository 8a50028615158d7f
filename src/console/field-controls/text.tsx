/** A long text: paragraphs. */
import { TextDefault } from "./defaults.tsx";
import { inputText, labelled, orNull, type FieldControls } from "./field-control.tsx";
import { COMPARED_AS_TEXT, TextCell, WholeText } from "./shown-text.tsx";

export const TEXT: FieldControls = {
  Control: labelled(({ value, mayChange, onChange, control }) => (
    <textarea
      {...control}
      class="textarea"
      readOnly={!mayChange}
      value={inputText(value)}
      onInput={(event) => onChange(orNull(event.currentTarget.value))}
    />
  )),
  Cell: TextCell,
  Value: WholeText,
  compared: COMPARED_AS_TEXT,
  Default: TextDefault,
};
