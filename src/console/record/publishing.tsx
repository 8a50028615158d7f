/** The controls that publish a draft, now or at a time. */
import { CalendarClock } from "lucide-preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { faultsOf, isStale, NO_FAULTS, type Faults } from "../api/faults.ts";
import type { RecordModel } from "../api/models.ts";
import { usePublish, type Step } from "../api/publish.ts";
import { ALL_LOCALES, useRecord, type InLocale, type RecordView } from "../api/records.ts";
import { languageName } from "../lib/languages.ts";
import { useIsShown } from "../lib/use-is-shown.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { complain, notify } from "../ui/toast.tsx";
import { inSlots, type Editing } from "./use-editing.ts";
import { isoOf, localOf } from "../lib/local-time.ts";

export interface Publishing {
  isBusy: boolean;
  faults: Faults;
  /** Publishes all languages that have values. Saves the changes first. */
  publish: () => void;
  /** Publishes or takes back some languages of the stored record. */
  step: (step: "publish" | "unpublish", locales: readonly string[]) => void;
}

const DONE = { publish: "Published", unpublish: "Visitors do not see it any more" } as const;
const NOT_DONE = { publish: "Not published", unpublish: "Not taken back" } as const;

/** Returns the reasons of a refusal, each with the field that it is about. */
const reasonsOf = (fault: unknown): string =>
  [...faultsOf(fault instanceof Error ? fault : new Error(String(fault)))]
    .map(([path, messages]) => `${path} ${messages.join(", ")}`.trim())
    .join("; ");

/** Returns the form in which the service tells of a record while it is edited. */
const formOf = ({ locales }: Editing): InLocale => (locales.length > 0 ? ALL_LOCALES : null);

export function usePublishing(model: RecordModel, editing: Editing): Publishing {
  const { mutateAsync, isPending, error, reset } = usePublish(model, formOf(editing));
  const isShown = useIsShown();
  const { isSaving } = editing;
  // A refusal is about the stored content, which a save replaces.
  useLayoutEffect(() => {
    if (isSaving) reset();
  }, [isSaving, reset]);
  /** Takes a step for the version that the form shows. Visitors get no draft that the editor has not seen. */
  const take = (record: RecordView, change: Pick<Step, "step" | "locales">): void => {
    const { id, version } = record;
    mutateAsync({ id, version, ...change }).then(
      () => notify(DONE[change.step]),
      (fault: unknown) => {
        // The editor has left the page meanwhile.
        if (!isShown()) complain(`${NOT_DONE[change.step]}: ${reasonsOf(fault)}`);
        else if (isStale(fault)) editing.compare(record, (stored) => take(stored, change));
      },
    );
  };
  const send = (record: RecordView): void => take(record, { step: "publish" });
  return {
    isBusy: isPending,
    faults: error && isStale(error) ? NO_FAULTS : inSlots(faultsOf(error), model, editing.locales),
    step: (step, locales) => {
      reset();
      if (editing.saved) take(editing.saved, { step, locales });
    },
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

type Times = Partial<Record<(typeof TIMES)[number]["name"], string>>;

/** Returns the record as it is in one language, or `record` for all of them; undefined until it is read. */
function useRecordIn(model: RecordModel, record: RecordView, language: string) {
  const { data, error } = useRecord(model, language === "" ? null : record.id, language);
  return language === "" ? { data: record, error: null } : { data, error };
}

/** Returns whether visitors see the record in any language. */
const isPublicAnywhere = (record: RecordView): boolean =>
  [record["status"], ...Object.values((record["statuses"] as Record<string, string> | undefined) ?? {})].some(
    (status) => status !== "draft",
  );

/** Renders the times from which and until which the record is public. */
export function ScheduleDialog({
  model,
  record,
  editing,
  onClose,
}: {
  model: RecordModel;
  record: RecordView;
  editing: Editing;
  onClose: () => void;
}) {
  const { mutateAsync, isPending, error: refusal } = usePublish(model, formOf(editing));
  const [language, setLanguage] = useState("");
  const { data: stored, error: unread } = useRecordIn(model, record, language);
  /** The times that the editor has changed. */
  const [times, setTimes] = useState<Times>({});
  const error = refusal ?? unread;
  const locales = language === "" ? undefined : [language];
  const [first] = editing.locales;
  const isForAll = language === "" && first !== undefined && editing.locales.length > 1;
  const plan = async (): Promise<void> => {
    let isChanged = false;
    for (const { step, name } of TIMES) {
      const time = times[name];
      // A time of one language says nothing of the others, so that for all of them is sent as it is.
      if (time === undefined || (!isForAll && time === localOf(stored?.[name]))) continue;
      await mutateAsync({ id: record.id, step, at: isoOf(time), locales });
      isChanged = true;
    }
    notify(isChanged ? "Planned" : "Nothing was changed");
    onClose();
  };
  const takeBack = async (): Promise<void> => {
    await mutateAsync({ id: record.id, step: "unpublish", locales });
    notify(DONE.unpublish);
    onClose();
  };
  const isPublic = language === "" ? isPublicAnywhere(record) : stored && stored["status"] !== "draft";
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
          <Button
            kind="solid"
            busy={isPending}
            disabled={!stored}
            onClick={() => void plan().catch(() => undefined)}
          >
            Plan
          </Button>
        </>
      }
    >
      <p class="field-hint">
        At the time, or within a minute of it, visitors get the draft as it is then. Empty a time to take it
        back.
      </p>
      {error && (
        <p class="form-faults" role="alert">
          {error.message}
        </p>
      )}
      {editing.locales.length > 1 && (
        <Field
          label="Languages"
          hint={
            isForAll &&
            `The times below are those of ${languageName(first.code)}. A time that you change is set for all languages.`
          }
        >
          {(control) => (
            <select
              {...control}
              class="select record-short"
              value={language}
              onChange={(event) => {
                setLanguage(event.currentTarget.value);
                setTimes({});
              }}
            >
              <option value="">All that are written</option>
              {editing.locales.map(({ code }) => (
                <option key={code} value={code}>
                  {languageName(code)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {TIMES.map(({ name, label }) => (
        <Field key={name} label={label}>
          {(control) => (
            <input
              {...control}
              class="input record-short"
              type="datetime-local"
              disabled={!stored}
              value={times[name] ?? localOf(stored?.[name])}
              onInput={({ currentTarget: { value } }) => setTimes({ ...times, [name]: value })}
            />
          )}
        </Field>
      ))}
    </Dialog>
  );
}

interface ButtonsProps {
  model: RecordModel;
  editing: Editing;
  publishing: Publishing;
}

export function PublishButtons({ model, editing, publishing }: ButtonsProps) {
  const [isPlanning, setPlanning] = useState(false);
  const { saved, isDirty, isSaving } = editing;
  const statuses = Object.values((saved?.["statuses"] as Record<string, string> | undefined) ?? {});
  const isPublic = saved?.["status"] === "published" && !statuses.includes("changed");
  const isDone = isPublic && !isDirty;
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
        <ScheduleDialog model={model} record={saved} editing={editing} onClose={() => setPlanning(false)} />
      )}
    </>
  );
}
