/** The parts that the types of references share: a value is the id of a target, or a list of ids. */
import { CONTENT } from "../../limits.ts";
import { bad, good, type Checked } from "./field-type.ts";

const ID_MAX_CHARACTERS = 63;

const isId = (item: unknown): item is string =>
  typeof item === "string" && item.length <= ID_MAX_CHARACTERS && /^[\w-]+$/.test(item);

/** Returns the ids in a value that has some other fault, each once, so that missing targets are reported with it. */
export function idsIn(value: unknown): string[] {
  return [...new Set([value].flat().slice(0, CONTENT.listItemsMax).filter(isId))];
}

/** Returns whether a field of references holds a list of them. */
export const isMultiple = ({ multiple }: { multiple?: boolean | undefined }): boolean => multiple === true;

/** Checks the form of ids. The caller asks whether their targets exist. */
export function checkIds(value: unknown, field: { multiple?: boolean | undefined }): Checked {
  if (!isMultiple(field)) return isId(value) ? good(value) : bad("must be an id");
  if (!Array.isArray(value)) return bad("must be a list of ids");
  if (value.length > CONTENT.listItemsMax) return bad(`must have at most ${CONTENT.listItemsMax} items`);
  if (!value.every(isId)) return bad("must be a list of ids");
  return new Set(value).size === value.length ? good(value) : bad("must not name an id twice");
}
