/**
 * Counts the work of checking one drawing, because a deployed Worker's clock stands still while it computes. The prices
 * are measured: `scripts/measure/svg-work.ts` prints the time per unit for drawings that are made to take long.
 */
import { SVG } from "../../../../limits.ts";
import { SvgRejectedError } from "../errors.ts";

/** The costs of steps, in units of about ten nanoseconds. */
export const PRICES = {
  /** A byte of the file, which is decoded, and a character of it, which is parsed, written and looked for in fonts. */
  decoded: 1,
  character: 3,
  /** An element that is read and written, and each of two passes over all elements at the end. */
  element: 130,
  passed: 60,
  attribute: 60,
  /** A character of path data, whose lines are counted. */
  pathCharacter: 4,
  /** A character of CSS, and a token of it, which are read, checked and written anew. */
  styleCharacter: 4,
  token: 30,
  /** A character of the selectors of a rule, which are repeated in the rules inside it. */
  nestedCharacter: 3,
  /** One element that is tested by one part of a selector. */
  test: 2,
  /** A declaration of one element whose value is simplified. */
  declaration: 60,
  /**
   * A selector of a rule, and a reference or value in the rule, whose cost is noted for the selector's elements. 200,000
   * notes took 19 to 27 units each in a new isolate, and 4 to 8 later. A note holds up to 46 bytes, and this price
   * bounds their number.
   */
  noted: 40,
  /** A rule of one element. */
  applied: 20,
  /** A character of a document of the sanitizer, or of one that was written out, which is parsed again. */
  parsed: 5,
  /** An element that is written out, in all passes over the tree together. */
  restyled: 300,
  /** An element that is copied, or made anew. */
  copied: 150,
  /** A character of a list of lengths, which is computed for an element. */
  listed: 12,
  /** An element above an element, which is asked for a value. */
  asked: 4,
  /** An element that is followed to where it is drawn. */
  visited: 40,
  /** A curve that is taken apart into pieces, to measure it. */
  curve: 250,
  /** A character of drawn text, for which a font is looked for. */
  letter: 10,
} as const;

export class Work {
  readonly #max: number;
  #spent = 0;
  /** The units that were spent when the present piece began. */
  #begun = 0;

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

  /** Whether enough was done since the last pause that others should be served (work/pieces.ts). */
  get isPauseDue(): boolean {
    return this.#spent - this.#begun >= SVG.pieceUnits;
  }

  /** Begins the next piece, after a pause. */
  begin(): void {
    this.#begun = this.#spent;
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
 * Returns the price of checking or simplifying a value. Patterns look at a few hundred characters after each bracket,
 * and a value is read again after each of the first functions in it was computed.
 */
export function priceOfValue(value: string): number {
  let brackets = 0;
  for (let at = value.indexOf("("); at >= 0; at = value.indexOf("(", at + 1)) brackets += 1;
  const rounds = Math.min(brackets, ROUNDS_MAX);
  return (
    value.length + (rounds * value.length) / 8 + (brackets * Math.min(value.length, FUNCTION_CHARACTERS)) / 4
  );
}
