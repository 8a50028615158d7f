/** Components where there is room: each with its fields by name. */
import { labelOf, nameOf } from "../../api/models.ts";
import { NoValue } from "../shown-text.tsx";
import type { ShownProps } from "../field-control.tsx";
import { componentOf, objectsOf } from "./component-value.ts";
import "./nested.css";

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

export function Objects({ field, value, models, Inner }: ShownProps) {
  const objects = objectsOf(value);
  if (objects.length === 0) return <NoValue />;
  return (
    <ol class="shown-objects">
      {objects.map((object, at) => {
        const model = componentOf(models, field, object);
        return (
          <li key={object._key ?? at}>
            {field.component === undefined && (
              <span class="nested-kind">{model ? nameOf(model) : object._type}</span>
            )}
            <dl>
              {model?.fields
                .filter(({ name }) => !isEmpty(object[name]))
                .map((inner) => (
                  <div key={inner.name}>
                    <dt>{labelOf(inner)}</dt>
                    <dd>
                      <Inner field={inner} value={object[inner.name]} models={models} />
                    </dd>
                  </div>
                ))}
            </dl>
          </li>
        );
      })}
    </ol>
  );
}
