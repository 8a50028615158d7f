/**
 * Parses JSON without rounding numbers. `JSON.parse` silently rounds a number that a double cannot hold. Here it
 * becomes NaN, which every check of a number refuses, so that it is reported with the other faults of a body.
 */

/** The number of digits that identify a double (`%.17g`). A number with more digits may mean another value. */
const DOUBLE_DIGITS = 17;

/** Matches a text that may contain an inexact number: many digits, or an exponent. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE]/;

/** A number of JSON, or of a filter, which may begin with its point. */
const NUMBER = /^-?(\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

interface Decimal {
  /** The digits without zeros at either end; empty for zero. */
  digits: string;
  /** The power of ten of the last digit. */
  exponent: number;
}

function decimalOf(text: string): Decimal {
  const [, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  return { digits, exponent: Number(exponent) - fraction.length + (all.length - digits.length) };
}

/** Whether `value` is the number that `source` states, up to the precision with which doubles are printed. */
export function isHeldByDouble(source: string, value: number): boolean {
  const written = decimalOf(source);
  if (written.digits === "") return true;
  if (!Number.isFinite(value) || value === 0) return false;
  const shortest = decimalOf(String(Math.abs(value)));
  if (written.digits === shortest.digits && written.exponent === shortest.exponent) return true;
  const isWhole = written.exponent >= 0;
  // A finite double has at most 309 digits before the point, so the text stays short.
  if (isWhole) return BigInt(written.digits + "0".repeat(written.exponent)) === BigInt(Math.abs(value));
  return !Number.isInteger(value) && written.digits.length <= DOUBLE_DIGITS;
}

/** V8 passes the text of a primitive value to a reviver, which TypeScript's types lack. */
type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

const revive: Reviver = (_key, value, context) =>
  typeof value === "number" && context?.source !== undefined && !isHeldByDouble(context.source, value)
    ? NaN
    : value;

/**
 * The value of a JSON text. What nests so deeply that V8 cannot revive it is parsed with its numbers rounded: it is deeper
 * than anything that can be stored, so that it is refused, with the place.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  if (!MAY_BE_INEXACT.test(text)) return JSON.parse(text) as unknown;
  try {
    return JSON.parse(text, revive) as unknown;
  } catch (error) {
    if (error instanceof RangeError) return JSON.parse(text) as unknown;
    throw error;
  }
}
