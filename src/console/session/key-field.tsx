/** The field for a key, and the reason why the last one did not open the console. */
import { Field } from "../ui/field.tsx";

interface KeyFieldProps {
  value: string;
  hint: string;
  /** Whether the form begins here. */
  isFirst: boolean;
  onValue: (value: string) => void;
}

export function KeyField({ value, hint, isFirst, onValue }: KeyFieldProps) {
  return (
    <Field label="Key" hint={hint}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="password"
          value={value}
          autocomplete="off"
          autofocus={isFirst}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function FormFault({ fault }: { fault: string | null }) {
  if (!fault) return null;
  return (
    <p class="field-faults" role="alert">
      {fault}
    </p>
  );
}
