/** The controls that publish a draft, now or at a time. */
import { CalendarClock } from "lucide-preact";
import { useState } from "preact/hooks";
import { faultsOf, type Faults } from "../api/faults.ts";
import type { Model } from "../api/models.ts";
import { usePublish } from "../api/publish.ts";
import type { RecordView } from "../api/records.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { notify } from "../ui/toast.tsx";
import type { Editing } from "./use-editing.ts";
import { isoOf, localOf } from "../lib/local-time.ts";

export interface Publishing {
  isBusy: boolean;
  faults: Faults;
  /** Saves the changes first. */
  publish: () => void;
}

export function usePublishing(model: Model, editing: Editing): Publishing {
  const { mutate, isPending, error, reset } = usePublish(model);
  const send = (record: RecordView): void =>
    mutate({ id: record.id, step: "publish" }, { onSuccess: () => notify("Published") });
  return {
    isBusy: isPending,
    faults: faultsOf(error),
    publish: () => {
      reset();
      if (editing.saved && !editing.isDirty) send(editing.saved);
      else editing.save(send);
    },
  };
}

const TIMES = [
  { step: "publish", name: "publishAt", label: "Show from" },
  { step: "unpublish", name: "unpublishAt", label: "Show until" },
] as const;

/** The times from which and until which the record is public. */
export function ScheduleDialog({
  model,
  record,
  onClose,
}: {
  model: Model;
  record: RecordView;
  onClose: () => void;
}) {
  const { mutateAsync, isPending, error } = usePublish(model);
  const [times, setTimes] = useState(() => ({
    publishAt: localOf(record["publishAt"]),
    unpublishAt: localOf(record["unpublishAt"]),
  }));
  const plan = async (): Promise<void> => {
    for (const { step, name } of TIMES) {
      if (times[name] === localOf(record[name])) continue;
      await mutateAsync({ id: record.id, step, at: isoOf(times[name]) });
    }
    notify("Planned");
    onClose();
  };
  const takeBack = async (): Promise<void> => {
    await mutateAsync({ id: record.id, step: "unpublish" });
    notify("Nobody sees it any more");
    onClose();
  };
  const isPublic = record["status"] !== "draft";
  return (
    <Dialog
      title="Schedule"
      onClose={onClose}
      actions={
        <>
          {isPublic && (
            <Button kind="danger" busy={isPending} onClick={() => void takeBack().catch(() => undefined)}>
              Take back now
            </Button>
          )}
          <Button kind="solid" busy={isPending} onClick={() => void plan().catch(() => undefined)}>
            Plan
          </Button>
        </>
      }
    >
      <p class="field-hint">
        What the draft is by then is what visitors see, within a minute of the time. Empty a time to take it
        back.
      </p>
      {error && (
        <p class="form-faults" role="alert">
          {error.message}
        </p>
      )}
      {TIMES.map(({ name, label }) => (
        <Field key={name} label={label}>
          {(control) => (
            <input
              {...control}
              class="input record-short"
              type="datetime-local"
              value={times[name]}
              onInput={({ currentTarget: { value } }) => setTimes({ ...times, [name]: value })}
            />
          )}
        </Field>
      ))}
    </Dialog>
  );
}

interface ButtonsProps {
  model: Model;
  editing: Editing;
  publishing: Publishing;
}

export function PublishButtons({ model, editing, publishing }: ButtonsProps) {
  const [isPlanning, setPlanning] = useState(false);
  const { saved, isDirty, isSaving } = editing;
  const isDone = saved?.["status"] === "published" && !isDirty;
  return (
    <>
      {saved && (
        <Button icon={<CalendarClock />} disabled={isDirty} onClick={() => setPlanning(true)}>
          Schedule
        </Button>
      )}
      <Button
        kind="solid"
        disabled={isDone || isSaving}
        busy={publishing.isBusy}
        onClick={publishing.publish}
      >
        Publish
      </Button>
      {isPlanning && saved && (
        <ScheduleDialog model={model} record={saved} onClose={() => setPlanning(false)} />
      )}
    </>
  );
}
