/** The review of a model change: its effect on the records, as a dry run of the service tells it. */
import { useState } from "preact/hooks";
import type { PlannedChange } from "../api/models.ts";
import { counted } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Check } from "../ui/field.tsx";

interface ReviewProps {
  plan: PlannedChange;
  /** The error of the attempt to make the change; null before it. */
  fault: Error | null;
  isBusy: boolean;
  /** @param drop fields whose values are lost */
  onApply: (drop: string[]) => void;
  onClose: () => void;
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div class="review-names">
      <dt>{title}</dt>
      <dd>
        {names.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </dd>
    </div>
  );
}

export function Review({ plan, fault, isBusy, onApply, onClose }: ReviewProps) {
  const { added, removed, renamed, changed, conflicts, records } = plan;
  const losses = conflicts.filter(({ path }) => removed.includes(path));
  const obstacles = conflicts.filter(({ path }) => !removed.includes(path));
  const [agreed, setAgreed] = useState<readonly string[]>([]);
  const isAgreed = losses.every(({ path }) => agreed.includes(path));
  return (
    <Dialog
      title="What this change does"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button
            kind={losses.length > 0 ? "danger" : "solid"}
            disabled={obstacles.length > 0 || !isAgreed}
            busy={isBusy}
            onClick={() => onApply([...agreed])}
          >
            Change model
          </Button>
        </>
      }
    >
      <p>It concerns {counted(records, "record")}, those in the trash included.</p>
      <dl class="review">
        <Names title="Added" names={added} />
        <Names title="Changed" names={changed} />
        <Names title="Renamed" names={Object.entries(renamed).map(([from, to]) => `${from} → ${to}`)} />
        <Names title="Removed" names={removed} />
      </dl>
      {obstacles.length > 0 && (
        <div class="form-faults" role="alert">
          <p>This stands against it:</p>
          <ul>
            {obstacles.map(({ path, message }) => (
              <li key={path + message}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {losses.map(({ path, records: holding }) => (
        <Check
          key={path}
          label={`Delete the values of ${path} for good`}
          hint={`${counted(holding, "record holds one", "records hold one")}. They cannot be brought back.`}
          checked={agreed.includes(path)}
          onChange={(is) => setAgreed(is ? [...agreed, path] : agreed.filter((name) => name !== path))}
        />
      ))}
      {fault && (
        <p class="form-faults" role="alert">
          {fault.message}
        </p>
      )}
    </Dialog>
  );
}
