/** The controls and the display of fields that hold components. Loaded when a page first shows such a field. */
import { Plus, Trash2 } from "lucide-preact";
import { labelOf } from "../../api/models.ts";
import { Button } from "../../ui/button.tsx";
import type { FieldControlProps } from "../field-control.tsx";
import { componentNamed, isObject, newObject } from "./component-value.ts";
import { Group } from "./group.tsx";
import { InnerFields } from "./inner-fields.tsx";
import { Items } from "./items.tsx";
export { Objects } from "./shown-objects.tsx";

function One(props: FieldControlProps) {
  const { field, value, models, mayChange, faults, Inner, onChange } = props;
  const model = componentNamed(models, field.component);
  if (!isObject(value) || !model) {
    return (
      <Group field={field} faults={faults}>
        <Button
          small
          icon={<Plus />}
          aria-label={`${labelOf(field)} Add`}
          disabled={!mayChange || !model}
          onClick={() => model && onChange(newObject(model, false))}
        >
          Add
        </Button>
      </Group>
    );
  }
  // Faults of the group itself are said by its frame.
  const inner = new Map([...faults].filter(([path]) => path !== ""));
  return (
    <Group field={field} faults={faults}>
      <div class="nested-one">
        <InnerFields
          fields={model.fields}
          values={value}
          models={models}
          mayChange={mayChange}
          faults={inner}
          Inner={Inner}
          onChange={(name, to) => onChange({ ...value, [name]: to })}
        />
        {mayChange && !field.required && (
          <Button
            small
            kind="quiet"
            icon={<Trash2 />}
            aria-label={`${labelOf(field)} Remove`}
            onClick={() => onChange(null)}
          >
            Remove
          </Button>
        )}
      </div>
    </Group>
  );
}

export function ComponentControl(props: FieldControlProps) {
  const { field, models } = props;
  if (!field.multiple) return <One {...props} />;
  const model = componentNamed(models, field.component);
  return <Items {...props} components={model ? [model] : []} />;
}

export function BlocksControl(props: FieldControlProps) {
  const { field, models } = props;
  const components = (field.components ?? []).flatMap((name) => componentNamed(models, name) ?? []);
  return <Items {...props} components={components} />;
}
