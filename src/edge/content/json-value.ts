/** What a `json` field may hold: well-formed text, a bounded depth. Walked without recursion (10,000 deep is input). */
import { CONTENT } from "../../limits.ts";

const LONE_SURROGATE = /\p{Surrogate}/u;

/** False for text that UTF-8 cannot carry. */
export const isWellFormed = (text: string): boolean => !LONE_SURROGATE.test(text);

/** What is wrong with a parsed JSON value; null when it can be kept. */
export function jsonFault(root: unknown): string | null {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let at = open.pop(); at; at = open.pop()) {
    const { value, depth } = at;
    if (typeof value === "string" && !isWellFormed(value)) return "must not hold half a surrogate pair";
    if (typeof value === "number" && !Number.isFinite(value)) return "must not hold a number out of range";
    if (typeof value !== "object" || value === null) continue;
    if (depth >= CONTENT.jsonMaxDepth) return `must nest at most ${CONTENT.jsonMaxDepth} deep`;
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) open.push({ value: item, depth: depth + 1 });
      continue;
    }
    for (const [key, item] of Object.entries(value)) {
      if (!isWellFormed(key)) return "must not hold half a surrogate pair";
      open.push({ value: item, depth: depth + 1 });
    }
  }
  return null;
}
