/** The values of a record while it is edited, and what of them a save sends. Pure. */
import type { Field, Model } from "../api/models.ts";
import type { RecordView } from "../api/records.ts";

export type Values = Readonly<Record<string, unknown>>;

/** Text that is to become JSON and is none yet. */
export class Unparsed {
  readonly text: string;
  readonly fault: string;

  constructor(text: string, fault: string) {
    this.text = text;
    this.fault = fault;
  }
}

export const emptyOf = ({ multiple }: Field): unknown => (multiple ? [] : null);

/** What a new record holds to begin with. */
export const startOf = ({ fields }: Pick<Model, "fields">): Values =>
  Object.fromEntries(fields.map((field) => [field.name, field.default ?? emptyOf(field)]));

export const valuesOf = ({ fields }: Pick<Model, "fields">, record: RecordView): Values =>
  Object.fromEntries(fields.map((field) => [field.name, record[field.name] ?? emptyOf(field)]));

export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (!(one instanceof Unparsed) && JSON.stringify(one) === JSON.stringify(other));

/** Of `values`, what differs from `base`. */
export const changesOf = ({ fields }: Pick<Model, "fields">, values: Values, base: Values): Values =>
  Object.fromEntries(
    fields.flatMap(({ name }) => (isSame(values[name], base[name]) ? [] : [[name, values[name]]])),
  );

/** What no save can send, by field. */
export const unparsedIn = (values: Values): ReadonlyMap<string, string[]> =>
  new Map(
    Object.entries(values).flatMap(([name, value]) =>
      value instanceof Unparsed ? [[name, [`is not JSON: ${value.fault}`]]] : [],
    ),
  );

/** "2026-01-31T09:00" in the reader's time zone, as `datetime-local` has it. */
export function localOf(iso: unknown): string {
  if (typeof iso !== "string" || iso === "") return "";
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "";
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [String(time.getFullYear()).padStart(4, "0"), two(time.getMonth() + 1), two(time.getDate())];
  const seconds = time.getSeconds() ? `:${two(time.getSeconds())}` : "";
  return `${day.join("-")}T${two(time.getHours())}:${two(time.getMinutes())}${seconds}`;
}

export const isoOf = (local: string): string | null => (local === "" ? null : new Date(local).toISOString());

/** Both sides have changed the record: where they differ, and whose value is taken unless the reader says otherwise. */
export interface Difference {
  field: Field;
  mine: unknown;
  theirs: unknown;
  /** Only one side changed it: that side's value is taken. */
  suggestion: "mine" | "theirs";
  isContested: boolean;
}

export const differencesOf = (
  { fields }: Pick<Model, "fields">,
  { base, mine, theirs }: { base: Values; mine: Values; theirs: Values },
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
