/** The state of a record's form: the stored record, the changes since, and the result of the last save. */
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { faultsOf, isStale, NO_FAULTS, type Faults } from "../api/faults.ts";
import { nameOf, type Model } from "../api/models.ts";
import { titleOf, useReadRecord, useSaveRecord, type RecordView } from "../api/records.ts";
import { useLatest } from "../lib/use-latest.ts";
import { complain } from "../ui/toast.tsx";
import { useUnsaved } from "../ui/unsaved.tsx";
import {
  changesOf,
  differencesOf,
  startOf,
  unparsedIn,
  valuesOf,
  type Difference,
  type FormValues,
} from "./values.ts";

/** A conflict: another editor saved first. The record as they saved it, and its differences from the form. */
export interface ConflictState {
  theirs: RecordView;
  differences: Difference[];
}

export interface Editing {
  /** The stored record; null for a new one. */
  saved: RecordView | null;
  values: FormValues;
  set: (name: string, value: unknown) => void;
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
  /** Lets the reader leave without being asked. */
  release: () => void;
}

/** Edits a record, or a new one. @param onMade called with a new record once it is stored */
export function useEditing(
  model: Model,
  record: RecordView | null,
  onMade: (record: RecordView) => void,
): Editing {
  const [saved, setSaved] = useState(record);
  const base = useMemo(() => (saved ? valuesOf(model, saved) : startOf(model)), [model, saved]);
  const [values, setValues] = useState<FormValues>(base);
  const [conflict, setConflict] = useState<ConflictState | null>(null);
  const [local, setLocal] = useState<Faults>(NO_FAULTS);
  const { mutate, isPending, error, isSuccess, reset } = useSaveRecord(model);
  const read = useReadRecord(model);
  const changes = changesOf(model, values, base);
  const isDirty = Object.keys(changes).length > 0;
  const title = saved ? titleOf(model, saved) : `The new record of ${nameOf(model)}`;
  const release = useUnsaved(isDirty ? title : null);

  // A newer version that was read meanwhile replaces the values while the reader has changed nothing. A layout effect
  // does it, so that the reader cannot type between the drawing and this.
  useLayoutEffect(() => {
    if (!record || isDirty || isPending || record === saved) return;
    if (saved && record.version < saved.version) return;
    setSaved(record);
    setValues(valuesOf(model, record));
  }, [record, saved, isDirty, isPending, model]);

  const send = (
    to: FormValues,
    sent: FormValues,
    version: number | null,
    then?: (record: RecordView) => void,
  ): void =>
    mutate(
      { id: saved?.id ?? null, version, values: sent },
      {
        onSuccess: (stored) => {
          setConflict(null);
          setSaved(stored);
          setValues(valuesOf(model, stored));
          if (!saved) {
            release();
            onMade(stored);
          }
          then?.(stored);
        },
        onError: (fault) => {
          if (!isStale(fault) || !saved) return;
          read(saved.id)
            .then((theirs) => {
              const theirValues = valuesOf(model, theirs);
              const differences = differencesOf(model, { base, mine: to, theirs: theirValues });
              setConflict({ theirs, differences });
            })
            .catch((reason: unknown) => complain(reason instanceof Error ? reason.message : String(reason)));
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
    const theirs = valuesOf(model, conflict.theirs);
    send(to, changesOf(model, to, theirs), conflict.theirs.version);
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
  return {
    saved,
    values,
    set: (name, value) => {
      if (isSuccess) reset();
      setValues({ ...values, [name]: value });
    },
    isDirty,
    isSaving: isPending,
    status: isPending ? "Saving…" : isDirty ? "Not saved yet" : isSuccess ? "Saved" : "",
    faults: local.size > 0 ? local : wrong,
    save,
    conflict,
    resolve,
    closeConflict: () => setConflict(null),
    release,
  };
}
