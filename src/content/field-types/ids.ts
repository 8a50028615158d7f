/** The parts that the types of references share: a value is the id of a target, or a list of ids. */
import { CONTENT } from "../../limits.ts";
import { bad, good, type Checked, type Checking } from "./field-type.ts";

const ID_MAX_CHARACTERS = 63;

export const isId = (item: unknown): item is string =>
  typeof item === "string" && item.length <= ID_MAX_CHARACTERS && /^[\w-]+$/.test(item);

/** Returns the ids in a value, each once. A value with some other fault has them too, to report missing targets. */
function idsIn(value: unknown): string[] {
  return [...new Set([value].flat().slice(0, CONTENT.listItemsMax).filter(isId))];
}

/** Returns whether a field of references holds a list of them. */
export const isMultiple = ({ multiple }: { multiple?: boolean | undefined }): boolean => multiple === true;

/**
 * Checks the form of ids, and notes the references. The caller asks whether their targets exist.
 * @param collection of the targets; null for media
 */
export function checkIds(
  value: unknown,
  field: { multiple?: boolean | undefined },
  collection: string | null,
  { references }: Checking,
): Checked {
  for (const id of idsIn(value)) references.push({ path: "", collection, id });
  if (!isMultiple(field)) return isId(value) ? good(value) : bad("must be an id");
  if (!Array.isArray(value)) return bad("must be a list of ids");
  if (value.length > CONTENT.listItemsMax) return bad(`must have at most ${CONTENT.listItemsMax} items`);
  if (!value.every(isId)) return bad("must be a list of ids");
  return new Set(value).size === value.length ? good(value) : bad("must not name an id twice");
}
