/** A switch, which has its label beside it. */
import { allFaults } from "../api/faults.ts";
import { labelOf } from "../api/models.ts";
import { Check } from "../ui/field.tsx";
import { ChoiceDefault } from "./defaults.tsx";
import type { FieldControls, ShownProps } from "./field-control.tsx";

const Shown = ({ value }: ShownProps) => <>{value === true ? "Yes" : "No"}</>;

export const BOOLEAN: FieldControls = {
  Control: ({ field, value, mayChange, faults, onChange }) => (
    <div class="field">
      <Check
        label={labelOf(field)}
        hint={field.description}
        checked={value === true}
        disabled={!mayChange}
        onChange={onChange}
      />
      {faults.size > 0 && <p class="field-faults">{allFaults(faults).join("; ")}</p>}
    </div>
  ),
  Cell: Shown,
  Value: Shown,
  compared: null,
  Default: ChoiceDefault,
};
