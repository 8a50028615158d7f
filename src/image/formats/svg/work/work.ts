/**
 * Counts the work of checking one drawing, because a deployed Worker's clock stands still while it computes. The prices
 * are measured: `scripts/measure/svg-work.ts` prints the time per unit for drawings that are made to take long.
 */
import { SVG } from "../../../../limits.ts";
import { SvgRejectedError } from "../errors.ts";

/** The costs of steps, in units of about ten nanoseconds. */
export const PRICES = {
  /** A byte of the file, which is decoded, parsed and written. */
  byte: 4,
  element: 250,
  attribute: 60,
  /** A character of path data, whose lines are counted. */
  pathCharacter: 4,
  /** A level of elements above an attribute with a prefix, whose namespace is looked for in all of them. */
  namespaceLevel: 1,
  /** A character of CSS, and a token of it, which are read, checked and written anew. */
  styleCharacter: 4,
  token: 30,
  /** A character of the selectors of a rule, which are repeated in the rules inside it. */
  nestedCharacter: 3,
  /** One element that is tested by one part of a selector. */
  test: 2,
  /** A declaration of one element whose value is simplified. */
  declaration: 60,
  /** A rule of one element. */
  applied: 20,
  /** A character of a document of the sanitizer, or of one that was written out, which is parsed again. */
  parsed: 8,
  /** An element that is written out, in all passes over the tree together. */
  restyled: 300,
  /** An element that is copied, or made anew. */
  copied: 150,
  /** A character of a list of lengths, which is computed for an element. */
  listed: 12,
  /** An element above an element, which is asked for a value. */
  asked: 4,
  /** A curve that is taken apart into pieces, to measure it. */
  curve: 250,
  /** A character of drawn text, for which a font is looked for. */
  letter: 10,
} as const;

export class Work {
  readonly #max: number;
  #spent = 0;

  /** @param bytes of the drawing, for each of which the budget is larger */
  constructor(bytes: number) {
    this.#max = SVG.workMaxUnits + SVG.workMaxUnitsPerByte * bytes;
  }

  /** The most units that may be spent. */
  get max(): number {
    return this.#max;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Takes the price of a step, before it is done. @throws TooMuchWork when the budget is spent */
  spend(units: number): void {
    if (this.#spent + units > this.#max) throw new TooMuchWork();
    this.#spent += units;
  }
}

export class TooMuchWork extends SvgRejectedError {
  constructor() {
    super(
      "the drawing takes too long to be checked; use fewer and shorter selectors and values in its styles, " +
        "or draw less in one file",
    );
  }
}

const ROUNDS_MAX = 64;
const FUNCTION_CHARACTERS = 300;

/**
 * The price of checking or simplifying a value. Patterns look at a few hundred characters after each bracket, and a
 * value is read again after each of the first functions in it was computed.
 */
export function priceOfValue(value: string): number {
  let brackets = 0;
  for (let at = value.indexOf("("); at >= 0; at = value.indexOf("(", at + 1)) brackets += 1;
  const rounds = Math.min(brackets, ROUNDS_MAX);
  return (
    value.length + (rounds * value.length) / 8 + (brackets * Math.min(value.length, FUNCTION_CHARACTERS)) / 4
  );
}
