/**
 * What a change of a model's fields means for the records it has. Fields are matched by name. Pure.
 * No value is ever converted: a change that some value does not fit is refused.
 */
import {
  defaultOf,
  isMultiple,
  isReference,
  isUnique,
  type Field,
  type StoredField,
} from "../content-model/fields.ts";

export interface KeptField {
  before: StoredField;
  after: StoredField;
  /** Some value may not fit any more: all must be looked at. */
  mustCheck: boolean;
  /** Its index rows would look different. */
  mustReindex: boolean;
  uniqueness: "stays" | "added" | "dropped";
}

export interface ModelChange {
  kept: KeptField[];
  added: Field[];
  dropped: StoredField[];
}

const contains = <T>(all: readonly T[], some: readonly T[]): boolean =>
  some.every((one) => all.includes(one));

type OfType<Type extends Field["type"]> = Extract<Field, { type: Type }>;

/** Whether everything that fits `before` is sure to fit `after`. False is only a reason to look. */
function isLooser(before: Field, after: Field): boolean {
  if (after.required && !before.required) return false;
  if (isMultiple(before) !== isMultiple(after)) return false;
  if (before.type !== after.type) return false;
  switch (before.type) {
    case "string": {
      const other = after as OfType<"string">;
      const longEnough = (other.maxLength ?? Infinity) >= (before.maxLength ?? Infinity);
      return longEnough && (other.pattern === undefined || other.pattern === before.pattern);
    }
    case "text":
      return ((after as OfType<"text">).maxLength ?? Infinity) >= (before.maxLength ?? Infinity);
    case "number": {
      const other = after as OfType<"number">;
      const wide = (other.min ?? -Infinity) <= (before.min ?? -Infinity);
      return (
        wide &&
        (other.max ?? Infinity) >= (before.max ?? Infinity) &&
        (!other.integer || before.integer === true)
      );
    }
    case "enum":
      return contains((after as OfType<"enum">).values, before.values);
    case "relation":
      return (after as OfType<"relation">).to === before.to;
    default:
      return true;
  }
}

/** Text is cut in the index, `json` is only marked as present, lists have a row an item. */
const mirrorOf = (field: Field): string =>
  isMultiple(field)
    ? "list"
    : field.type === "string" || field.type === "text"
      ? "text"
      : field.type === "json"
        ? "json"
        : "scalar";

function keep(before: StoredField, field: Field): KeptField {
  const after = { ...field, no: before.no, absent: before.absent };
  return {
    before,
    after,
    mustCheck: !isLooser(before, field),
    mustReindex: mirrorOf(before) !== mirrorOf(field),
    uniqueness: isUnique(before) === isUnique(field) ? "stays" : isUnique(field) ? "added" : "dropped",
  };
}

export function planChange(before: readonly StoredField[], after: readonly Field[]): ModelChange {
  const old = new Map(before.map((field) => [field.name, field]));
  const named = new Set(after.map(({ name }) => name));
  return {
    kept: after.flatMap((field) => {
      const known = old.get(field.name);
      return known ? [keep(known, field)] : [];
    }),
    added: after.filter(({ name }) => !old.has(name)),
    dropped: before.filter(({ name }) => !named.has(name)),
  };
}

/** Ids of one target are no ids of another: such a field can only change while it is empty everywhere. */
export const mustBeEmpty = ({ before, after }: KeptField): boolean =>
  (isReference(before) || isReference(after)) &&
  (before.type !== after.type ||
    isMultiple(before) !== isMultiple(after) ||
    (before.type === "relation" && after.type === "relation" && before.to !== after.to));

/** New fields with their numbers. What records made before hold is the default of today, for good. */
export const numbered = (fields: readonly Field[], firstNo: number): StoredField[] =>
  fields.map((field, index) => ({ ...field, no: firstNo + index, absent: defaultOf(field) }));
