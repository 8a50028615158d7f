/** A labelled control with its hint and its faults, wired so that they are read out with it. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./field.css";

/** The attributes by which a control belongs to its label, hint and faults. */
export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  required: boolean;
}

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  faults?: readonly string[] | undefined;
  required?: boolean | undefined;
  /** Beside the label: a type, a counter. */
  aside?: ComponentChildren;
  children: (control: ControlProps) => ComponentChildren;
}

export function Field({ label, hint, faults = [], required = false, aside, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", faults.length > 0 ? `${id}-faults` : ""].filter(Boolean);
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{label}</label>
        {required && (
          <span class="field-required" aria-hidden="true">
            required
          </span>
        )}
        {aside && <span class="field-aside">{aside}</span>}
      </div>
      {children({
        id,
        "aria-describedby": described.length > 0 ? described.join(" ") : undefined,
        "aria-invalid": faults.length > 0 || undefined,
        required,
      })}
      {faults.length > 0 && (
        <p class="field-faults" id={`${id}-faults`}>
          {faults.join("; ")}
        </p>
      )}
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Renders a switch with its label beside it. */
export function Check({
  label,
  hint,
  checked,
  onChange,
  disabled,
}: {
  label: string;
  hint?: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean | undefined;
}) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled ?? false}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint && (
          <p class="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
