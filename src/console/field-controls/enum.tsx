/** One of the values that the field lists. */
import { ChoiceDefault } from "./defaults.tsx";
import { inputText, labelled, orNull, type FieldControls, type ShownProps } from "./field-control.tsx";
import { written } from "./shown-text.tsx";

const Shown = ({ value }: ShownProps) => <span class="badge">{written(value)}</span>;

export const ENUM: FieldControls = {
  Control: labelled(({ field, value, mayChange, onChange, control }) => (
    <select
      {...control}
      class="select record-short"
      disabled={!mayChange}
      value={inputText(value)}
      onChange={(event) => onChange(orNull(event.currentTarget.value))}
    >
      <option value="">{field.required ? "Choose one" : "None"}</option>
      {(field.values ?? []).map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  )),
  Cell: Shown,
  Value: Shown,
  compared: null,
  Default: ChoiceDefault,
};
