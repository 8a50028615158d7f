/** The checking of a drawing lets its caller serve others, after every 20 milliseconds or so of counted work (RULES 1.11). */
import { describe, expect, it } from "vitest";
import {
  sanitizedInPieces,
  sanitizeSvg,
  SvgRejectedError,
} from "../../../../../../src/image/formats/svg/safe/sanitize.ts";
import { Work } from "../../../../../../src/image/formats/svg/work/work.ts";
import { createProbe } from "../../../../../../src/image/formats/probe.ts";
import { SVG } from "../../../../../../src/limits.ts";
import { slowToCheck } from "../../../../../../scripts/samples/svg/slow-to-check.ts";
import { slowToWriteOut } from "../../../../../../scripts/samples/svg/slow-to-write-out.ts";
import { ofRing } from "../../../../../support/ring.ts";

/** A step that cannot be taken apart: the longest path, the longest value, all elements that are drawn. */
const STEP_MAX_UNITS = 7_000_000;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns the units of each piece, and the outcome. */
function inPieces(bytes: Uint8Array): { pieces: number[]; outcome: string } {
  const work = new Work(bytes.length);
  const pieces: number[] = [];
  const checking = sanitizedInPieces(bytes, work);
  for (let before = 0; ; before = work.spent) {
    try {
      const step = checking.next();
      pieces.push(work.spent - before);
      if (step.done) return { pieces, outcome: step.value.document + JSON.stringify(step.value.facts) };
    } catch (error) {
      if (!(error instanceof SvgRejectedError)) throw error;
      return { pieces, outcome: error.message };
    }
  }
}

function atOnce(bytes: Uint8Array): string {
  try {
    const { document, facts } = sanitizeSvg(bytes);
    return document + JSON.stringify(facts);
  } catch (error) {
    if (!(error instanceof SvgRejectedError)) throw error;
    return error.message;
  }
}

describe("a drawing that is made to take long", () => {
  it.each(ofRing(Object.entries({ ...slowToCheck, ...slowToWriteOut }), 16))(
    "%s is checked in pieces, with the same outcome as at once",
    (_, make) => {
      const bytes = bytesOf(make(1));
      const { pieces, outcome } = inPieces(bytes);
      expect(outcome).toBe(atOnce(bytes));
      for (const units of pieces) expect(units).toBeLessThanOrEqual(SVG.pieceUnits + STEP_MAX_UNITS);
      const all = pieces.reduce((sum, units) => sum + units, 0);
      expect(pieces.length).toBeGreaterThanOrEqual(Math.floor(all / (SVG.pieceUnits + STEP_MAX_UNITS)));
    },
  );

  it("of many elements pauses after each piece, and the last piece is no longer than the others", () => {
    const { pieces } = inPieces(bytesOf(slowToCheck["elements"]!(0.5)));
    expect(pieces.length).toBeGreaterThan(5);
    expect(Math.max(...pieces)).toBeLessThan(2 * SVG.pieceUnits);
  });
});

it("gives the facts of a file that is ended in pieces, and its fault", () => {
  const large = bytesOf(slowToCheck["elements"]!(0.25));
  const probe = createProbe();
  probe.push(large);
  const ending = probe.finishInPieces();
  let pauses = 0;
  let step = ending.next();
  for (; !step.done; step = ending.next()) pauses += 1;
  expect(pauses).toBeGreaterThan(2);
  const other = createProbe();
  other.push(large);
  expect(step.value).toEqual(other.finish());
  expect(probe.document).toBe(other.document);

  const dear = createProbe();
  dear.push(bytesOf(slowToCheck["a list of selectors"]!(1)));
  expect(() => [...dear.finishInPieces()]).toThrow(String(SVG.styleSelectorsMax));
});
