/** The state of a record's form: what is stored, what was typed since, how the last save ended. */
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
  type Values,
} from "./values.ts";

/** Somebody else saved first: what they made of the record, and where that differs from what is in the form. */
export interface ConflictState {
  theirs: RecordView;
  differences: Difference[];
}

export interface Editing {
  /** As it is stored; null for one that is yet to be made. */
  saved: RecordView | null;
  values: Values;
  set: (name: string, value: unknown) => void;
  isDirty: boolean;
  isSaving: boolean;
  /** What the last save came to, in words. */
  status: string;
  faults: Faults;
  /** @param then is given the record once it is stored */
  save: (then?: (record: RecordView) => void) => void;
  conflict: ConflictState | null;
  /** Saves these values on top of theirs. */
  resolve: (values: Values) => void;
  closeConflict: () => void;
  /** Lets the reader leave without being asked. */
  release: () => void;
}

/** @param onMade called with a record that was new */
export function useEditing(
  model: Model,
  record: RecordView | null,
  onMade: (record: RecordView) => void,
): Editing {
  const [saved, setSaved] = useState(record);
  const base = useMemo(() => (saved ? valuesOf(model, saved) : startOf(model)), [model, saved]);
  const [values, setValues] = useState<Values>(base);
  const [conflict, setConflict] = useState<ConflictState | null>(null);
  const [local, setLocal] = useState<Faults>(NO_FAULTS);
  const { mutate, isPending, error, isSuccess, reset } = useSaveRecord(model);
  const read = useReadRecord(model);
  const changes = changesOf(model, values, base);
  const isDirty = Object.keys(changes).length > 0;
  const title = saved ? titleOf(model, saved) : `The new record of ${nameOf(model)}`;
  const release = useUnsaved(isDirty ? title : null);

  // What was read meanwhile is newer than what the form began with: taken up while nothing was typed. At once, so that
  // nothing is typed between the drawing of it and this.
  useLayoutEffect(() => {
    if (!record || isDirty || isPending || record === saved) return;
    if (saved && record.version < saved.version) return;
    setSaved(record);
    setValues(valuesOf(model, record));
  }, [record, saved, isDirty, isPending, model]);

  const send = (
    to: Values,
    sent: Values,
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
  const resolve = (to: Values): void => {
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
