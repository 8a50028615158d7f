/** The values of a record while it is edited, and the changes that a save sends. Pure. */
import type { Field, Model } from "../api/models.ts";
import type { RecordView } from "../api/records.ts";
import { isSame, Unparsed } from "../field-controls/unparsed.ts";

export type FormValues = Readonly<Record<string, unknown>>;

export const emptyOf = ({ multiple }: Field): unknown => (multiple ? [] : null);

/** Returns the values of a new record. */
export const startOf = ({ fields }: Pick<Model, "fields">): FormValues =>
  Object.fromEntries(fields.map((field) => [field.name, field.default ?? emptyOf(field)]));

export const valuesOf = ({ fields }: Pick<Model, "fields">, record: RecordView): FormValues =>
  Object.fromEntries(fields.map((field) => [field.name, record[field.name] ?? emptyOf(field)]));

/** Returns the values that differ from `base`. */
export const changesOf = (
  { fields }: Pick<Model, "fields">,
  values: FormValues,
  base: FormValues,
): FormValues =>
  Object.fromEntries(
    fields.flatMap(({ name }) => (isSame(values[name], base[name]) ? [] : [[name, values[name]]])),
  );

/** Returns the faults of values that no save can send, by field. */
export const unparsedIn = (values: FormValues): ReadonlyMap<string, string[]> =>
  new Map(
    Object.entries(values).flatMap(([name, value]) =>
      value instanceof Unparsed ? [[name, [`is not JSON: ${value.fault}`]]] : [],
    ),
  );

/** A field that differs after both sides have changed the record, and the side whose value is suggested. */
export interface Difference {
  field: Field;
  mine: unknown;
  theirs: unknown;
  /** The side that changed the field; the reader's own if both did. */
  suggestion: "mine" | "theirs";
  isContested: boolean;
}

export const differencesOf = (
  { fields }: Pick<Model, "fields">,
  { base, mine, theirs }: { base: FormValues; mine: FormValues; theirs: FormValues },
): Difference[] =>
  fields.flatMap((field) => {
    const [was, my, their] = [base[field.name], mine[field.name], theirs[field.name]];
    if (isSame(my, their)) return [];
    const isMine = !isSame(my, was);
    return [
      {
        field,
        mine: my,
        theirs: their,
        suggestion: isMine ? ("mine" as const) : ("theirs" as const),
        isContested: isMine && !isSame(their, was),
      },
    ];
  });
