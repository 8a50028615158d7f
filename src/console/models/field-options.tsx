/** The options of a field that its type takes. */
import { Check, Field } from "../ui/field.tsx";
import { factsOf, takesOption } from "../api/field-types.ts";
import { FIELD_CONTROLS } from "../field-controls/registry.ts";
import { ComponentOption, ComponentsOption, RichTextOptions } from "./nested-options.tsx";
import type { OptionsProps } from "./options.ts";

const numberOf = (text: string): number | undefined => (text === "" ? undefined : Number(text));

function NumberOption({
  label,
  value,
  faults,
  onChange,
  step,
}: {
  label: string;
  value: number | undefined;
  faults: string[];
  onChange: (value: number | undefined) => void;
  step?: "any";
}) {
  return (
    <Field label={label} faults={faults}>
      {(control) => (
        <input
          {...control}
          class="input numbers"
          type="number"
          step={step}
          value={value ?? ""}
          onInput={(event) => onChange(numberOf(event.currentTarget.value))}
        />
      )}
    </Field>
  );
}

function Values({ field, faults, onChange }: Pick<OptionsProps, "field" | "faults" | "onChange">) {
  return (
    <Field label="Values" required hint="One per line." faults={faults("values")}>
      {(control) => (
        <textarea
          {...control}
          class="textarea"
          rows={4}
          value={(field.values ?? []).join("\n")}
          onInput={(event) => onChange({ values: event.currentTarget.value.split("\n") })}
          // Empty lines are no values. They are removed when the reader leaves the control.
          onBlur={() => onChange({ values: (field.values ?? []).filter((value) => value.trim() !== "") })}
        />
      )}
    </Field>
  );
}

function Target({ field, models, faults, onChange }: OptionsProps) {
  return (
    <Field label="Records of" required faults={faults("to")}>
      {(control) => (
        <select
          {...control}
          class="select"
          value={field.to ?? ""}
          onChange={(event) => onChange({ to: event.currentTarget.value })}
        >
          <option value="" disabled>
            Choose a collection
          </option>
          {models
            .filter(({ typeModel }) => typeModel === "collections")
            .map(({ name, label }) => (
              <option key={name} value={name}>
                {label ? `${label} (${name})` : name}
              </option>
            ))}
        </select>
      )}
    </Field>
  );
}

function Switches({ field, isInComponent, hasLocales, onChange }: Omit<OptionsProps, "models" | "faults">) {
  // A field that is localized can be changed back, whatever the space has.
  const canDiffer = !isInComponent && (hasLocales || field.localized === true);
  const switches = [
    { option: "required", label: "Required", hint: "A record cannot be saved without it.", is: true },
    {
      option: "unique",
      label: "Unique",
      hint: "No two records have the same value.",
      is: takesOption(field, "unique") && !isInComponent,
    },
    {
      option: "multiple",
      label: "Several",
      hint: factsOf(field).listHint,
      is: takesOption(field, "multiple"),
    },
    {
      option: "searchable",
      label: "Searchable",
      hint: "A search looks at its words.",
      is: takesOption(field, "searchable"),
    },
    {
      option: "localized",
      label: "Differs by language",
      hint: "Each language has a value of its own.",
      is: canDiffer,
    },
    { option: "integer", label: "Whole numbers only", hint: undefined, is: takesOption(field, "integer") },
  ] as const;
  return (
    <div class="field-switches">
      {switches.map(
        ({ option, label, hint, is }) =>
          is && (
            <Check
              key={option}
              label={label}
              hint={hint}
              checked={field[option] === true}
              onChange={(checked) => onChange({ [option]: checked })}
            />
          ),
      )}
      {canDiffer && field.localized && (
        <Check
          label="Required in every language"
          hint="Else, a required field is required in the first language alone."
          checked={field.requiredIn === "all"}
          onChange={(checked) => onChange({ requiredIn: checked ? "all" : undefined })}
        />
      )}
    </div>
  );
}

export function FieldOptions(props: OptionsProps) {
  const { field, faults, onChange } = props;
  const { Default } = FIELD_CONTROLS[field.type];
  return (
    <>
      {takesOption(field, "values") && <Values {...props} />}
      {takesOption(field, "to") && <Target {...props} />}
      {takesOption(field, "component") && <ComponentOption {...props} />}
      {takesOption(field, "styles") && <RichTextOptions {...props} />}
      {takesOption(field, "components") && <ComponentsOption {...props} />}
      <Switches {...props} />
      {field.type !== "number" &&
        takesOption(field, "max") &&
        (field.multiple || field.type === "blocks") && (
          <div class="field-pair">
            <NumberOption
              label="Items at most"
              value={field.max}
              faults={faults("max")}
              onChange={(max) => onChange({ max })}
            />
          </div>
        )}
      {(takesOption(field, "maxLength") || takesOption(field, "min") || Default) && (
        <div class="field-pair">
          {takesOption(field, "maxLength") && (
            <NumberOption
              label="Characters at most"
              value={field.maxLength}
              faults={faults("maxLength")}
              onChange={(maxLength) => onChange({ maxLength })}
            />
          )}
          {takesOption(field, "pattern") && (
            <Field label="Pattern" hint="A regular expression, unanchored." faults={faults("pattern")}>
              {(control) => (
                <input
                  {...control}
                  class="input mono"
                  spellcheck={false}
                  value={field.pattern ?? ""}
                  onInput={(event) => onChange({ pattern: event.currentTarget.value })}
                />
              )}
            </Field>
          )}
          {(["min", "max"] as const).map(
            (option) =>
              takesOption(field, "min") && (
                <NumberOption
                  key={option}
                  step="any"
                  label={option === "min" ? "At least" : "At most"}
                  value={field[option]}
                  faults={faults(option)}
                  onChange={(value) => onChange({ [option]: value })}
                />
              ),
          )}
          {Default && (
            <Default
              field={field}
              faults={faults("default")}
              onChange={(value) => onChange({ default: value })}
            />
          )}
        </div>
      )}
    </>
  );
}
