/** The dialog after two editors have changed one record: both versions side by side, and a choice per field. */
import { useState } from "preact/hooks";
import { labelOf, type Model } from "../api/models.ts";
import { Value } from "../field-controls/shown.tsx";
import { Unparsed } from "../field-controls/unparsed.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { ConflictState } from "./use-editing.ts";
import { valuesOf, type Difference, type FormValues } from "./values.ts";

interface ConflictProps {
  model: Model;
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
  const { field } = difference;
  const value = difference[side];
  if (value instanceof Unparsed) return <pre class="mono">{value.text}</pre>;
  return <Value field={field} value={value} models={models} />;
}

export function Conflict({ model, models, conflict, isSaving, onResolve, onClose }: ConflictProps) {
  const { theirs, differences } = conflict;
  const [taken, setTaken] = useState<Record<string, Side>>(() =>
    Object.fromEntries(differences.map(({ field, suggestion }) => [field.name, suggestion])),
  );
  const resolve = (): void =>
    onResolve({
      ...valuesOf(model, theirs),
      ...Object.fromEntries(
        differences.map((difference) => [
          difference.field.name,
          difference[taken[difference.field.name] ?? "mine"],
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
      <p>Somebody else saved this record after you opened it. Choose for each field what it shall hold.</p>
      {differences.length === 0 && <p class="field-hint">Both of you made the same of it.</p>}
      <div class="conflict">
        {differences.map((difference) => {
          const { field, isContested } = difference;
          return (
            <fieldset key={field.name} class="conflict-field">
              <legend>
                {labelOf(field)}
                {isContested && <span class="badge badge-warn">changed by both</span>}
              </legend>
              {SIDES.map(({ side, words }) => (
                <label key={side} class="conflict-side">
                  <input
                    type="radio"
                    name={`conflict-${field.name}`}
                    checked={taken[field.name] === side}
                    onChange={() => setTaken({ ...taken, [field.name]: side })}
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
