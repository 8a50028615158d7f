/** The dialog after two editors have changed one record: both versions side by side, and a choice per field. */
import { useState } from "preact/hooks";
import type { Model } from "../api/models.ts";
import { Value } from "../field-controls/shown.tsx";
import { Unparsed } from "../field-controls/unparsed.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { slotLabel, type Slot } from "../api/slots.ts";
import type { ConflictState } from "./use-editing.ts";
import { valuesOf, type Difference, type FormValues } from "./values.ts";

interface ConflictProps {
  slots: readonly Slot[];
  models: readonly Model[];
  conflict: ConflictState;
  isSaving: boolean;
  onResolve: (values: FormValues) => void;
  onClose: () => void;
}

type Side = "mine" | "theirs";
const SIDES: readonly { side: Side; words: string }[] = [
  { side: "mine", words: "Yours" },
  { side: "theirs", words: "Theirs" },
];

/** Shows one side of a difference. Texts are shown whole, because only their last word may differ. */
function Shown({
  difference,
  side,
  models,
}: {
  difference: Difference;
  side: Side;
  models: readonly Model[];
}) {
  const { field } = difference.slot;
  const value = difference[side];
  if (value instanceof Unparsed) return <pre class="mono">{value.text}</pre>;
  return <Value field={field} value={value} models={models} />;
}

export function Conflict({ slots, models, conflict, isSaving, onResolve, onClose }: ConflictProps) {
  const { theirs, differences } = conflict;
  const [taken, setTaken] = useState<Record<string, Side>>(() =>
    Object.fromEntries(differences.map(({ slot, suggestion }) => [slot.key, suggestion])),
  );
  const resolve = (): void =>
    onResolve({
      ...valuesOf(slots, theirs),
      ...Object.fromEntries(
        differences.map((difference) => [
          difference.slot.key,
          difference[taken[difference.slot.key] ?? "mine"],
        ]),
      ),
    });
  return (
    <Dialog
      wide
      title="Conflict"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button kind="solid" busy={isSaving} onClick={resolve}>
            Save this
          </Button>
        </>
      }
    >
      <p>Another editor saved this record after you opened it. Choose the value of each field.</p>
      {differences.length === 0 && (
        <p class="field-hint">Both versions have the same values. Save this to go on from theirs.</p>
      )}
      <div class="conflict">
        {differences.map((difference) => {
          const { slot, isContested } = difference;
          return (
            <fieldset key={slot.key} class="conflict-field">
              <legend>
                {slotLabel(slot)}
                {isContested && <span class="badge badge-warn">changed by both</span>}
              </legend>
              {SIDES.map(({ side, words }) => (
                <label key={side} class="conflict-side">
                  <input
                    type="radio"
                    name={`conflict-${slot.key}`}
                    checked={taken[slot.key] === side}
                    onChange={() => setTaken({ ...taken, [slot.key]: side })}
                  />
                  <span class="conflict-words">
                    <span class="conflict-whose">{words}</span>
                    <span class="conflict-value">
                      <Shown difference={difference} side={side} models={models} />
                    </span>
                  </span>
                </label>
              ))}
            </fieldset>
          );
        })}
      </div>
    </Dialog>
  );
}
