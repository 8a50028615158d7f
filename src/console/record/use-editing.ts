/** The state of a record's form: the stored record, the changes since, and the result of the last save. */
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { faultsOf, isStale, NO_FAULTS, type Faults } from "../api/faults.ts";
import { nameOf, type RecordModel } from "../api/models.ts";
import { ALL_LOCALES, titleOf, useReadRecord, useSaveRecord, type RecordView } from "../api/records.ts";
import type { Locale } from "../api/space.ts";
import { useLatest } from "../lib/use-latest.ts";
import { complain } from "../ui/toast.tsx";
import { useUnsaved } from "../ui/unsaved.tsx";
import { slotPath, slotsOf, type Slot } from "../api/slots.ts";
import {
  bodyOf,
  changesOf,
  differencesOf,
  recordIn,
  startOf,
  unparsedIn,
  valuesOf,
  withUntouched,
  type Difference,
  type FormValues,
} from "./values.ts";

/** A conflict: another editor saved first. The record as they saved it, and its differences from the form. */
export interface ConflictState {
  theirs: RecordView;
  differences: Difference[];
}

export interface Editing {
  /** The languages in which the record differs: none for a model without localized fields. */
  locales: readonly Locale[];
  /** The places of the values. */
  slots: readonly Slot[];
  /** The title of the stored record in the default language; null for a new one. */
  title: string | null;
  /** The stored record; null for a new one. */
  saved: RecordView | null;
  values: FormValues;
  /** Sets values by the keys of their places. */
  set: (to: FormValues) => void;
  isDirty: boolean;
  isSaving: boolean;
  /** The message about the last save. */
  status: string;
  faults: Faults;
  /** Saves the changes. @param then called with the stored record */
  save: (then?: (record: RecordView) => void) => void;
  conflict: ConflictState | null;
  /** Saves these values over those of the other editor. */
  resolve: (values: FormValues) => void;
  closeConflict: () => void;
  /**
   * Compares the version that the editor saw with the stored record, after the service has refused it as stale. If they
   * differ, the conflict is shown. If not, the form takes the stored record, and keeps what was typed meanwhile.
   * @param same called with the stored record in the second case
   */
  compare: (seen: RecordView, same: (stored: RecordView) => void) => void;
  /** Lets the reader leave without being asked. */
  release: () => void;
}

/** Returns faults under the places of the values that they are about. */
export function inSlots(faults: Faults, { fields }: RecordModel, locales: readonly Locale[]): Faults {
  if (locales.length === 0) return faults;
  const localized = new Set(fields.filter((field) => field.localized).map(({ name }) => name));
  const placed = new Map<string, readonly string[]>();
  for (const [path, messages] of faults) {
    const at = slotPath(path, locales, localized);
    placed.set(at, [...(placed.get(at) ?? []), ...messages]);
  }
  return placed;
}

/** Edits a record, or a new one. @param onMade called with a new record once it is stored */
export function useEditing(
  model: RecordModel,
  record: RecordView | null,
  locales: readonly Locale[],
  onMade: (record: RecordView) => void,
): Editing {
  const [saved, setSaved] = useState(record);
  const slots = useMemo(() => slotsOf(model, locales), [model, locales]);
  const [first] = locales;
  const asked = first ? ALL_LOCALES : null;
  const base = useMemo(() => (saved ? valuesOf(slots, saved) : startOf(slots)), [slots, saved]);
  const [values, setValues] = useState<FormValues>(base);
  const [conflict, setConflict] = useState<ConflictState | null>(null);
  const [local, setLocal] = useState<Faults>(NO_FAULTS);
  const { mutate, isPending, error, isSuccess, reset } = useSaveRecord(model, asked);
  const read = useReadRecord(model, asked);
  const changes = changesOf(slots, values, base);
  const isDirty = Object.keys(changes).length > 0;
  const title = saved && titleOf(model, first ? recordIn(slots, saved, first.code) : saved);
  const release = useUnsaved(isDirty ? (title ?? `The new record of ${nameOf(model)}`) : null);

  // A newer version that was read meanwhile replaces the values while the reader has changed nothing. A layout effect
  // does it, so that the reader cannot type between the drawing and this.
  useLayoutEffect(() => {
    if (!record || isDirty || isPending || record === saved) return;
    if (saved && record.version < saved.version) return;
    setSaved(record);
    setValues(valuesOf(slots, record));
  }, [record, saved, isDirty, isPending, slots]);

  /** Reads the stored record, and passes it on. */
  const meet = (id: string, then: (theirs: RecordView) => void): void => {
    read(id)
      .then(then)
      .catch((reason: unknown) => complain(reason instanceof Error ? reason.message : String(reason)));
  };
  /** Shows the conflict of the form, as it is now, with the record that another editor has stored since `from`. */
  const showConflict = useLatest((theirs: RecordView, from: FormValues): void => {
    const differences = differencesOf(slots, { base: from, mine: values, theirs: valuesOf(slots, theirs) });
    setConflict({ theirs, differences });
  });
  const send = (
    to: FormValues,
    sent: FormValues,
    version: number | null,
    then?: (record: RecordView) => void,
  ): void =>
    mutate(
      { id: saved?.id ?? null, version, values: bodyOf(slots, sent) },
      {
        onSuccess: (stored) => {
          setConflict(null);
          setSaved(stored);
          // The form may have changed while the save was under way.
          setValues((now) => withUntouched(slots, { then: to, now, to: valuesOf(slots, stored) }));
          if (!saved) {
            release();
            onMade(stored);
          }
          then?.(stored);
        },
        onError: (fault) => {
          if (isStale(fault) && saved) meet(saved.id, (theirs) => showConflict(theirs, base));
        },
      },
    );
  const save = useLatest((then?: (record: RecordView) => void): void => {
    const unparsed = unparsedIn(values);
    setLocal(unparsed);
    if (unparsed.size > 0 || isPending || (saved && !isDirty)) return;
    send(values, changes, saved?.version ?? null, then);
  });
  const resolve = (to: FormValues): void => {
    if (!conflict) return;
    setValues(to);
    const theirs = valuesOf(slots, conflict.theirs);
    send(to, changesOf(slots, to, theirs), conflict.theirs.version);
  };
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      save();
    };
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  }, [save]);
  const wrong = error && !isStale(error) ? faultsOf(error) : NO_FAULTS;
  const refused = local.size > 0 ? local : inSlots(wrong, model, locales);
  return {
    locales,
    slots,
    title,
    saved,
    values,
    set: (to) => {
      if (isSuccess) reset();
      // Two controls may change before the next drawing.
      setValues((known) => ({ ...known, ...to }));
    },
    isDirty,
    isSaving: isPending,
    status: isPending ? "Saving…" : isDirty ? "Not saved yet" : isSuccess ? "Saved" : "",
    // Values that were refused and then taken back are not in the form any more.
    faults: saved && !isDirty ? NO_FAULTS : refused,
    save,
    conflict,
    resolve,
    closeConflict: () => setConflict(null),
    compare: (seen, same) => {
      const then = valuesOf(slots, seen);
      meet(seen.id, (theirs) => {
        const to = valuesOf(slots, theirs);
        if (Object.keys(changesOf(slots, to, then)).length > 0) {
          showConflict(theirs, then);
          return;
        }
        setSaved(theirs);
        setValues((now) => withUntouched(slots, { then, now, to }));
        same(theirs);
      });
    },
    release,
  };
}
