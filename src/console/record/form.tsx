/** The fields of a record, in their model's order. */
import { faultsAt, otherFaults } from "../api/faults.ts";
import type { Model } from "../api/models.ts";
import { Empty } from "../ui/page.tsx";
import { FIELD_CONTROLS } from "../field-controls/registry.ts";
import type { Editing } from "./use-editing.ts";

interface RecordFormProps {
  model: Model;
  models: readonly Model[];
  editing: Editing;
  mayChange: boolean;
}

export function RecordForm({ model, models, editing, mayChange }: RecordFormProps) {
  const { values, faults, set, save } = editing;
  const others = otherFaults(
    faults,
    model.fields.map(({ name }) => name),
  );
  return (
    <form
      class="card record-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {others.length > 0 && (
        <p class="form-faults" role="alert">
          {others.join("; ")}
        </p>
      )}
      {faults.size > 0 && others.length === 0 && (
        <p class="form-faults" role="alert">
          Not saved: {faults.size === 1 ? "one field needs" : `${faults.size} fields need`} another look.
        </p>
      )}
      {model.fields.length === 0 && <Empty title="No fields yet">Give the model some.</Empty>}
      {model.fields.map((field) => {
        const { Control } = FIELD_CONTROLS[field.type];
        return (
          <Control
            key={field.name}
            field={field}
            value={values[field.name]}
            models={models}
            mayChange={mayChange}
            faults={faultsAt(faults, field.name)}
            onChange={(value) => set(field.name, value)}
          />
        );
      })}
    </form>
  );
}
