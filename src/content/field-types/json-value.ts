/** What a `json` field may hold: text that can be stored, numbers that are held, a bounded depth. */
import { CONTENT } from "../../limits.ts";
import { textFault } from "../text/text.ts";

/** What is wrong with a number, a text or the depth of a parsed value; null when it is fine so far. */
function ownFault(value: unknown, depth: number): string | null {
  if (typeof value === "string") return textFault(value);
  if (typeof value === "number" && !Number.isFinite(value)) {
    return "must not hold a number that a double cannot hold";
  }
  const isNested = typeof value === "object" && value !== null;
  return isNested && depth >= CONTENT.jsonMaxDepth ? `must nest at most ${CONTENT.jsonMaxDepth} deep` : null;
}

/** What is wrong with a parsed JSON value; null when it can be kept. Walked without recursion: 10,000 deep is input. */
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
