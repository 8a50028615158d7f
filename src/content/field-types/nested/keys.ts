/**
 * The keys of objects in lists (`_key`): each identifies its object as long as it stays in the list. A key that a body
 * lacks follows from the content, so that the same body gives the same keys.
 */
import type { ValidationErrors } from "../../faults/validation-errors.ts";
import { CONTENT } from "../../../limits.ts";
import { textFault } from "../../text/text.ts";
import type { Json } from "../field-type.ts";

const DIGITS = 12;
/** FNV-1a, with 32 bits. */
const FNV = { start: 0x811c9dc5, prime: 0x01000193 } as const;

function hash(text: string, seed: number): string {
  let sum = FNV.start ^ seed;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), FNV.prime);
  return (sum >>> 0).toString(16).padStart(8, "0");
}

/** Returns the key of an object without one. @param count of the keys that were tried for the same content before */
const keyFrom = (content: string, count: number): string =>
  (hash(content, count) + hash(content, ~count)).slice(0, DIGITS);

/** Returns the fault of a key that a body has; null for none. */
export function keyFault(key: unknown): string | null {
  if (typeof key !== "string") return "must be a string";
  if (key === "" || key.length > CONTENT.keyMaxCharacters)
    return `must have 1 to ${CONTENT.keyMaxCharacters} characters`;
  return textFault(key);
}

/** The keys of one list. */
export class Keys {
  readonly #taken = new Map<string, number>();
  /** The keys that were tried for a content, all of which are taken, so that equal items do not try them again. */
  readonly #tried = new Map<string, number>();

  /** Adds the keys that the items of a list have, and a fault for each that cannot be one or is there twice. */
  constructor(items: readonly unknown[], errors: ValidationErrors) {
    for (const [index, item] of items.entries()) {
      const key = givenKey(item);
      if (key === undefined) continue;
      const fault = keyFault(key);
      const other = fault === null ? this.#taken.get(key as string) : undefined;
      if (fault !== null) errors.add(`${index}._key`, fault);
      else if (other !== undefined) errors.add(`${index}._key`, `is the key of item ${other}, too`);
      else this.#taken.set(key as string, index);
    }
  }

  /** Returns the key of an item: its own, or one that no other item has. @param content the item as it is stored */
  keyOf(item: unknown, content: Json): string {
    const own = givenKey(item);
    if (own !== undefined) return typeof own === "string" ? own : "";
    const text = JSON.stringify(content);
    let count = this.#tried.get(text) ?? 0;
    let key = keyFrom(text, count++);
    while (this.#taken.has(key)) key = keyFrom(text, count++);
    this.#taken.set(key, -1);
    this.#tried.set(text, count);
    return key;
  }
}

/** Returns the key that an item has in a body; undefined for none. */
const givenKey = (item: unknown): unknown =>
  typeof item === "object" && item !== null && Object.hasOwn(item, "_key")
    ? ((item as { _key: unknown })._key ?? undefined)
    : undefined;
