/** A number. */
import { count } from "../lib/format.ts";
import { NumberDefault } from "./defaults.tsx";
import { inputText, labelled, type FieldControls, type ShownProps } from "./field-control.tsx";

const Shown = ({ value }: ShownProps) => <span class="numbers">{count(Number(value))}</span>;

export const NUMBER: FieldControls = {
  Control: labelled(({ field, value, mayChange, onChange, control }) => (
    <input
      {...control}
      class="input numbers record-short"
      type="number"
      step={field.integer ? 1 : "any"}
      min={field.min}
      max={field.max}
      readOnly={!mayChange}
      value={inputText(value)}
      onInput={({ currentTarget: { value: text } }) => onChange(text === "" ? null : Number(text))}
    />
  )),
  Cell: Shown,
  Value: Shown,
  compared: null,
  Default: NumberDefault,
};
