/** The actions on the selected records together, and the faults of the last one. */
import { Eye, EyeOff, Trash2 } from "lucide-preact";
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useBulk, type BulkOutcome, type BulkStep } from "../api/bulk.ts";
import type { RecordModel } from "../api/models.ts";
import { counted, untitled } from "../lib/format.ts";
import { useSession } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectionBar, type Selection } from "../ui/lists/selection.tsx";
import { notify } from "../ui/toast.tsx";

const DONE: Record<BulkStep, string> = {
  publish: "published",
  unpublish: "taken back",
  delete: "moved to the trash",
};
const SHOWN_FAULTS = 50;

interface RefusedProps {
  model: RecordModel;
  step: BulkStep;
  outcome: BulkOutcome;
  items: Selection["items"];
  onClose: () => void;
}

function Refused({ model, step, outcome, items, onClose }: RefusedProps) {
  const { space } = useSession();
  const { done, left, faults, error } = outcome;
  return (
    <Dialog
      title={`${counted(left.length, "record")} not ${DONE[step]}`}
      onClose={onClose}
      actions={
        <Button kind="solid" onClick={onClose}>
          Close
        </Button>
      }
    >
      {done.length > 0 && (
        <p>
          {counted(done.length, "record")} before {left.length === 1 ? "it" : "them"} {DONE[step]}.
        </p>
      )}
      {faults.length === 0 ? (
        <p>{error?.message}</p>
      ) : (
        <>
          <p>Records go together or not at all. Mend these, or take them out of the selection.</p>
          <ul class="refused">
            {faults.slice(0, SHOWN_FAULTS).map(({ id, message }) => (
              <li key={`${id} ${message}`}>
                <Link href={`/${space}/content/collections/${model.name}/${id}`}>
                  {items.get(id)?.name ?? untitled(id)}
                </Link>
                <span>{message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

export function SelectedRecords({ model, selection }: { model: RecordModel; selection: Selection }) {
  const { mutate, isPending, variables } = useBulk(model);
  const [refused, setRefused] = useState<BulkOutcome | null>(null);
  const { items } = selection;
  const take = (step: BulkStep): void =>
    mutate(
      { step, records: Array.from(items, ([id, { version }]) => ({ id, version })) },
      {
        onSuccess: (outcome) => {
          if (outcome.error) setRefused(outcome);
          else notify(`${counted(items.size, "record")} ${DONE[step]}`);
          selection.clear(outcome.done);
        },
      },
    );
  const button = (step: BulkStep, icon: ComponentChild, label: string) => (
    <Button
      icon={icon}
      disabled={isPending}
      busy={isPending && variables.step === step}
      onClick={() => take(step)}
    >
      {label}
    </Button>
  );
  return (
    <>
      <SelectionBar selection={selection} label="Selected records">
        {model.drafts && button("publish", <Eye />, "Publish")}
        {model.drafts && button("unpublish", <EyeOff />, "Take back")}
        {button("delete", <Trash2 />, "Move to trash")}
      </SelectionBar>
      {refused && variables && (
        <Refused
          model={model}
          step={variables.step}
          outcome={refused}
          items={items}
          onClose={() => setRefused(null)}
        />
      )}
    </>
  );
}
