/**
 * Prints what checking a drawing takes: milliseconds of the processor, those of the longest piece, millions of counted
 * units and nanoseconds per unit, for drawings that are made to take long. The prices in src/image/formats/svg/work/work.ts come from it: a unit is about ten nanoseconds.
 *
 *     node scripts/run.mjs scripts/measure/svg-work.ts [words of a name]
 */
import { sanitizedInPieces, SvgRejectedError } from "../../src/image/formats/svg/safe/sanitize.ts";
import { Work } from "../../src/image/formats/svg/work/work.ts";
import { slowToCheck } from "../samples/svg/slow-to-check.ts";
import { slowToWriteOut } from "../samples/svg/slow-to-write-out.ts";

const RUNS = 3;
const wanted = process.argv.slice(2).join(" ");

interface Checked {
  /** Milliseconds of the processor: of the whole, and of the longest piece, in which other requests wait. */
  wholeMs: number;
  pieceMs: number;
  said: string;
}

function check(bytes: Uint8Array, work: Work): Checked {
  const checking = sanitizedInPieces(bytes, work);
  const checked: Checked = { wholeMs: 0, pieceMs: 0, said: "" };
  while (checked.said === "") {
    const start = process.cpuUsage();
    checked.said = outcomeOf(checking);
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000;
    checked.wholeMs += ms;
    checked.pieceMs = Math.max(checked.pieceMs, ms);
  }
  return checked;
}

/** Computes the next piece. @returns the outcome after the last one; before that, nothing */
function outcomeOf(checking: ReturnType<typeof sanitizedInPieces>): string {
  try {
    const { done, value } = checking.next();
    return done ? (value.facts.drawing.undrawable ?? "taken") : "";
  } catch (error) {
    if (error instanceof SvgRejectedError) return `refused: ${error.message}`;
    throw error;
  }
}

console.log("    ms  piece  units  ns/unit");
for (const [name, make] of Object.entries({ ...slowToCheck, ...slowToWriteOut })) {
  if (!name.includes(wanted)) continue;
  const bytes = new TextEncoder().encode(make(1));
  let [whole, piece, units, said] = [Infinity, Infinity, 0, ""];
  for (let run = 0; run < RUNS; run++) {
    const work = new Work(bytes.length);
    const checked = check(bytes, work);
    whole = Math.min(whole, checked.wholeMs);
    piece = Math.min(piece, checked.pieceMs);
    ({ said } = checked);
    units = work.spent;
  }
  const columns = [
    whole.toFixed(0),
    piece.toFixed(0),
    (units / 1e6).toFixed(1),
    ((whole * 1e6) / units).toFixed(0),
  ];
  console.log(...columns.map((column) => column.padStart(6)), ` ${name} (${bytes.length} bytes): ${said}`);
}
