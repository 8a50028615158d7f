/** One labelled control per field of a model. */
import type { Field as ModelField, Model } from "../api/models.ts";
import { labelOf } from "../content/view.ts";
import { count } from "../lib/format.ts";
import { Check, Field, type ControlProps } from "../ui/field.tsx";
import { JsonControl } from "./json-control.tsx";
import { ReferenceControl } from "./reference-control.tsx";
import { isoOf, localOf } from "./values.ts";

interface ControlOf {
  field: ModelField;
  value: unknown;
  models: readonly Model[];
  mayChange: boolean;
  onChange: (value: unknown) => void;
}

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** A text that is cleared is no text: null. */
const orNull = (text: string): string | null => (text === "" ? null : text);

function Input({ field, value, mayChange, onChange, control }: ControlOf & { control: ControlProps }) {
  switch (field.type) {
    case "text":
      return (
        <textarea
          {...control}
          class="textarea"
          readOnly={!mayChange}
          value={textOf(value)}
          onInput={(event) => onChange(orNull(event.currentTarget.value))}
        />
      );
    case "number":
      return (
        <input
          {...control}
          class="input numbers record-short"
          type="number"
          step={field.integer ? 1 : "any"}
          min={field.min}
          max={field.max}
          readOnly={!mayChange}
          value={textOf(value)}
          onInput={({ currentTarget: { value: text } }) => onChange(text === "" ? null : Number(text))}
        />
      );
    case "datetime":
      return (
        <input
          {...control}
          class="input record-short"
          type="datetime-local"
          readOnly={!mayChange}
          value={localOf(value)}
          onChange={(event) => onChange(isoOf(event.currentTarget.value))}
        />
      );
    case "enum":
      return (
        <select
          {...control}
          class="select record-short"
          disabled={!mayChange}
          value={textOf(value)}
          onChange={(event) => onChange(orNull(event.currentTarget.value))}
        >
          <option value="">{field.required ? "Choose one" : "None"}</option>
          {(field.values ?? []).map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      );
    case "json":
      return <JsonControl control={control} value={value} mayChange={mayChange} onChange={onChange} />;
    default:
      return (
        <input
          {...control}
          class="input"
          readOnly={!mayChange}
          value={textOf(value)}
          onInput={(event) => onChange(orNull(event.currentTarget.value))}
        />
      );
  }
}

/** How much of its room a text takes. */
function Room({ field, value }: Pick<ControlOf, "field" | "value">) {
  if (field.maxLength === undefined || typeof value !== "string") return null;
  return (
    <span class="numbers">
      {count(value.length)} of {count(field.maxLength)}
    </span>
  );
}

export function FieldControl(props: ControlOf & { faults: readonly string[] }) {
  const { field, value, mayChange, faults, onChange } = props;
  if (field.type === "boolean") {
    return (
      <div class="field">
        <Check
          label={labelOf(field)}
          hint={field.description}
          checked={value === true}
          disabled={!mayChange}
          onChange={onChange}
        />
        {faults.length > 0 && <p class="field-faults">{faults.join("; ")}</p>}
      </div>
    );
  }
  return (
    <Field
      label={labelOf(field)}
      hint={field.description}
      required={field.required}
      faults={faults}
      aside={<Room field={field} value={value} />}
    >
      {(control) =>
        field.type === "media" || field.type === "relation" ? (
          <ReferenceControl {...props} control={control} />
        ) : (
          <Input {...props} control={control} />
        )
      }
    </Field>
  );
}
