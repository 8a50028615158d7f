/** All names of a list, or only some: which models a webhook tells of, which models and locales a key reaches. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Check } from "./field.tsx";

export function AllOrSome({
  legend,
  some,
  hint,
  names,
  chosen,
  none,
  faults = [],
  onChange,
}: {
  legend: string;
  /** The label of the switch that narrows. */
  some: string;
  hint?: ComponentChildren;
  /** The names to choose from; undefined while they are read. */
  names: readonly string[] | undefined;
  /** The chosen names; null for all. */
  chosen: readonly string[] | null;
  /** The meaning of a list of which nothing is chosen. */
  none?: string;
  faults?: readonly string[];
  onChange: (chosen: string[] | null) => void;
}) {
  const id = useId();
  const isNarrowed = chosen !== null;
  const held = chosen ?? [];
  // A name that is gone stays in the list until it is taken out.
  const listed = [...new Set([...(names ?? []), ...held])];
  return (
    <fieldset class="all-or-some" aria-describedby={faults.length > 0 ? id : undefined}>
      <legend>{legend}</legend>
      <Check label={some} hint={hint} checked={isNarrowed} onChange={(isOn) => onChange(isOn ? [] : null)} />
      {isNarrowed && (
        <div class="some-names">
          {listed.map((name) => (
            <Check
              key={name}
              label={name}
              checked={held.includes(name)}
              onChange={(isOn) => onChange(isOn ? [...held, name] : held.filter((one) => one !== name))}
            />
          ))}
        </div>
      )}
      {isNarrowed && names && none !== undefined && held.length === 0 && <p class="field-hint">{none}</p>}
      {faults.length > 0 && (
        <p class="field-faults" id={id} role="alert">
          {faults.join("; ")}
        </p>
      )}
    </fieldset>
  );
}
