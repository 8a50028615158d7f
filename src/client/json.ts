/** Writes the JSON of requests. Values that JSON would turn into null, or leave out of a list, are refused. */

/**
 * Returns whether `JSON.stringify` would write something else than the value. Undefined fields of an object may be left
 * out.
 */
function isLost(value: unknown, isItem: boolean): boolean {
  switch (typeof value) {
    case "number":
      return !Number.isFinite(value);
    case "object":
      return value instanceof Date && Number.isNaN(value.getTime());
    case "undefined":
      return isItem;
    default:
      return typeof value === "bigint" || typeof value === "function" || typeof value === "symbol";
  }
}

function nameOf(value: unknown): string {
  if (value instanceof Date) return "a Date that holds no time";
  return value === undefined || typeof value === "number" ? String(value) : `a ${typeof value}`;
}

/** Writes the body of a request. @throws TypeError naming the field of a value that JSON cannot hold */
export function jsonOf(body: unknown): string {
  return JSON.stringify(body, function (this: unknown, key: string, converted: unknown) {
    // A Date has become a text, or null, by now.
    const value = key === "" ? converted : (this as Record<string, unknown>)[key];
    if (isLost(value, Array.isArray(this))) {
      throw new TypeError(`"${key}" is ${nameOf(value)}, which JSON cannot hold.`);
    }
    return converted;
  });
}
