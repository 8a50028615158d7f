/** The fields of a component, as controls in its group. */
import { faultsWithin, otherFaults, type Faults } from "../../api/faults.ts";
import type { Field, Model } from "../../api/models.ts";
import type { InnerControl } from "../field-control.tsx";

interface InnerFieldsProps {
  fields: readonly Field[];
  values: Readonly<Record<string, unknown>>;
  models: readonly Model[];
  mayChange: boolean;
  /** The faults of the object, under their paths inside it. */
  faults: Faults;
  Inner: InnerControl;
  onChange: (name: string, value: unknown) => void;
}

export function InnerFields({
  fields,
  values,
  models,
  mayChange,
  faults,
  Inner,
  onChange,
}: InnerFieldsProps) {
  const others = otherFaults(
    faults,
    fields.map(({ name }) => name),
  );
  return (
    <>
      {others.length > 0 && <p class="field-faults">{others.join("; ")}</p>}
      {fields.map((field) => (
        <Inner
          key={field.name}
          field={field}
          value={values[field.name]}
          models={models}
          mayChange={mayChange}
          faults={faultsWithin(faults, field.name)}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </>
  );
}
