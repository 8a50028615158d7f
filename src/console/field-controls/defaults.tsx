/** Controls of a model form for the value that a new record has in a field. */
import { factsOf } from "../api/field-types.ts";
import { Field } from "../ui/field.tsx";
import { inputText, type DefaultProps } from "./field-control.tsx";

interface InputDefaultProps extends DefaultProps {
  type: "text" | "number";
  hint?: string;
  /** Converts a text that is not empty to the default. */
  read: (text: string) => unknown;
}

function InputDefault({ field, faults, onChange, type, hint, read }: InputDefaultProps) {
  return (
    <Field label="Default" faults={faults} hint={hint}>
      {(control) => (
        <input
          {...control}
          class="input"
          type={type}
          step="any"
          value={inputText(field.default)}
          onInput={({ currentTarget: { value } }) => onChange(value === "" ? undefined : read(value))}
        />
      )}
    </Field>
  );
}

export const TextDefault = (props: DefaultProps) => <InputDefault {...props} type="text" read={String} />;

export const NumberDefault = (props: DefaultProps) => <InputDefault {...props} type="number" read={Number} />;

export const DatetimeDefault = (props: DefaultProps) => (
  <InputDefault {...props} type="text" hint="ISO 8601 with its zone: 2026-01-31T09:00:00Z" read={String} />
);

export function ChoiceDefault({ field, faults, onChange }: DefaultProps) {
  // A value that is still being written in the list of values is empty.
  const choices = (factsOf(field).choicesOf(field) ?? []).filter(([words]) => words);
  return (
    <Field label="Default" faults={faults}>
      {(control) => (
        <select
          {...control}
          class="select"
          value={String(choices.findIndex(([, value]) => value === field.default))}
          onChange={(event) => onChange(choices[Number(event.currentTarget.value)]?.[1])}
        >
          <option value="-1">None</option>
          {choices.map(([words], at) => (
            <option key={words} value={String(at)}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
