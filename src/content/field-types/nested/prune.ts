/** Removes references to targets that are gone from stored values, so that they can be written again. Pure. */
import type { AnyMeaning, FoundReference, Json, Shower } from "../field-type.ts";
import { collectionOf, isReference } from "../fields.ts";
import { meaningOf, type Field } from "../registry.ts";
import { isObject, type Members } from "./objects.ts";

/** Returns whether the target of a reference does not exist. */
export type IsGone = (reference: Pick<FoundReference, "collection" | "id">) => boolean;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Returns a shown block without what it cannot be without: a picture without its file is left out. */
function blockWithoutGone(block: Members): unknown[] {
  if (block["_type"] === "image") return block["media"] === null ? [] : [block];
  const gone = new Set(
    listOf(block["markDefs"]).flatMap((def) =>
      isObject(def) && def["record"] === null ? [def["_key"]] : [],
    ),
  );
  if (block["_type"] !== "block" || gone.size === 0) return [block];
  const markDefs = listOf(block["markDefs"]).filter((def) => !isObject(def) || !gone.has(def["_key"]));
  const children = listOf(block["children"]).map((span) =>
    isObject(span) ? { ...span, marks: listOf(span["marks"]).filter((mark) => !gone.has(mark)) } : span,
  );
  return [{ ...block, markDefs, children }];
}

const idsWithout = (value: Json, collection: string | null, isGone: IsGone): Json => {
  const ids = (value === null ? [] : [value].flat()) as string[];
  const there = ids.filter((id) => !isGone({ collection, id }));
  return Array.isArray(value) ? there : (there[0] ?? null);
};

function shownWithout(
  { nested }: Pick<AnyMeaning, "nested">,
  field: never,
  value: Json,
  isGone: IsGone,
): unknown {
  if (!nested || value === null) return value;
  const shower: Shower = {
    value: (_component, member, own) =>
      member.target
        ? idsWithout(own, member.target.collection, isGone)
        : shownWithout(member.meaning, member.field, own, isGone),
    reference: (reference) => (isGone(reference) ? null : reference.id),
  };
  const shown = nested.show(value, field, shower);
  return Array.isArray(shown)
    ? (shown as unknown[]).flatMap((item) => (isObject(item) ? blockWithoutGone(item) : [item]))
    : shown;
}

/** Returns a stored value as a body has it, without references to targets that are gone. */
export const withoutGone = (field: Field, value: Json, isGone: IsGone): unknown =>
  isReference(field)
    ? idsWithout(value, collectionOf(field), isGone)
    : shownWithout(meaningOf(field), field as never, value, isGone);
