/** The frame of a field that holds other fields: its label as a legend, its hint and its own faults. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Faults } from "../../api/faults.ts";
import { labelOf, type Field } from "../../api/models.ts";
import "./nested.css";

interface GroupProps {
  field: Field;
  faults: Faults;
  /** Beside the label: a count. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

export function Group({ field, faults, aside, children }: GroupProps) {
  const id = useId();
  const own = faults.get("") ?? [];
  const described = [field.description ? `${id}-hint` : "", own.length > 0 ? `${id}-faults` : ""].filter(
    Boolean,
  );
  return (
    <fieldset class="nested" aria-describedby={described.join(" ") || undefined}>
      <legend class="nested-legend">
        <span class="nested-label">{labelOf(field)}</span>
        {field.required && (
          <span class="field-required" aria-hidden="true">
            required
          </span>
        )}
        {aside !== undefined && <span class="field-aside numbers">{aside}</span>}
      </legend>
      {field.description && (
        <p class="field-hint" id={`${id}-hint`}>
          {field.description}
        </p>
      )}
      {own.length > 0 && (
        <p class="field-faults" id={`${id}-faults`}>
          {own.join("; ")}
        </p>
      )}
      {children}
    </fieldset>
  );
}
