/**
 * JSON whose numbers are what was written. `JSON.parse` rounds what a double cannot hold without a word; here such a
 * number becomes NaN, which every check of a number refuses, at its own place among the other faults of a body.
 */

/** Digits of a printed double that tell it from its neighbours (`%.17g`): more of them say something else. */
const DOUBLE_DIGITS = 17;

/** Only what can be inexact is looked at: long digits or an exponent, in a number or in text that looks like one. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE]/;

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

interface Decimal {
  /** Without zeros at either end; empty for zero. */
  digits: string;
  /** Of the last digit. */
  exponent: number;
}

function decimalOf(text: string): Decimal {
  const [, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  return { digits, exponent: Number(exponent) - fraction.length + (all.length - digits.length) };
}

/** Whether a double holds the number that `source` writes, as far as decimal digits of doubles say. */
export function isHeldByDouble(source: string, value: number): boolean {
  const written = decimalOf(source);
  if (written.digits === "") return true;
  if (!Number.isFinite(value) || value === 0) return false;
  const shortest = decimalOf(String(Math.abs(value)));
  if (written.digits === shortest.digits && written.exponent === shortest.exponent) return true;
  const isWhole = written.exponent >= 0;
  // A finite double has at most 309 digits before the point, so this stays small.
  if (isWhole) return BigInt(written.digits + "0".repeat(written.exponent)) === BigInt(Math.abs(value));
  return !Number.isInteger(value) && written.digits.length <= DOUBLE_DIGITS;
}

/** V8 gives a reviver the text of a primitive value; TypeScript's types do not know it yet. */
type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

const revive: Reviver = (_key, value, context) =>
  typeof value === "number" && context?.source !== undefined && !isHeldByDouble(context.source, value)
    ? NaN
    : value;

/** @throws SyntaxError */
export function parseExactly(text: string): unknown {
  return (MAY_BE_INEXACT.test(text) ? JSON.parse(text, revive) : JSON.parse(text)) as unknown;
}
