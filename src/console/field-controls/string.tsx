/** A short text: a line. */
import { TextDefault } from "./defaults.tsx";
import { inputText, labelled, orNull, type FieldControls } from "./field-control.tsx";
import { COMPARED_AS_TEXT, TextCell, WholeText } from "./shown-text.tsx";

export const STRING: FieldControls = {
  Control: labelled(({ value, mayChange, onChange, control }) => (
    <input
      {...control}
      class="input"
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
