/** Checks JSON values: their texts can be stored, a double holds their numbers, and their depth is bounded. */
import { CONTENT } from "../../limits.ts";
import { textFault } from "../text/text.ts";

/** Returns the fault of a number, of a text or of the depth of a parsed value, without what it contains; else null. */
function ownFault(value: unknown, depth: number): string | null {
  if (typeof value === "string") return textFault(value);
  if (typeof value === "number" && !Number.isFinite(value)) {
    return "must not hold a number that a double cannot hold";
  }
  const isNested = typeof value === "object" && value !== null;
  return isNested && depth >= CONTENT.jsonMaxDepth ? `must nest at most ${CONTENT.jsonMaxDepth} deep` : null;
}

/** Returns the first fault of a parsed JSON value, or null. A body may nest 10,000 deep, so there is no recursion. */
export function jsonFault(root: unknown): string | null {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let at = open.pop(); at; at = open.pop()) {
    const { value, depth } = at;
    const fault = ownFault(value, depth);
    if (fault !== null) return fault;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      const keyFault = textFault(key);
      if (keyFault !== null) return keyFault;
      open.push({ value: item, depth: depth + 1 });
    }
  }
  return null;
}
