/**
 * Prints what checking a drawing takes: milliseconds, counted units and nanoseconds per unit, for drawings that are made
 * to take long. The prices in src/image/formats/svg/work/work.ts come from it: a unit is about ten nanoseconds.
 *
 *     node scripts/run.mjs scripts/measure/svg-work.ts [words of a name]
 */
import { sanitizeSvg, SvgRejectedError } from "../../src/image/formats/svg/sanitize.ts";
import { Work } from "../../src/image/formats/svg/work/work.ts";
import { slowToCheck } from "../samples/svg-slow-to-check.ts";
import { slowToWriteOut } from "../samples/svg-slow-to-write-out.ts";

const RUNS = 3;
const wanted = process.argv.slice(2).join(" ");

function outcome(bytes: Uint8Array, work: Work): string {
  try {
    return sanitizeSvg(bytes, work).facts.drawing.undrawable ?? "taken";
  } catch (error) {
    if (error instanceof SvgRejectedError) return `refused: ${error.message}`;
    throw error;
  }
}

for (const [name, make] of Object.entries({ ...slowToCheck, ...slowToWriteOut })) {
  if (!name.includes(wanted)) continue;
  const bytes = new TextEncoder().encode(make(1));
  let [least, units, said] = [Infinity, 0, ""];
  for (let run = 0; run < RUNS; run++) {
    const work = new Work(bytes.length);
    const start = process.cpuUsage();
    said = outcome(bytes, work);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
    units = work.spent;
  }
  const columns = [least.toFixed(0), (units / 1e6).toFixed(1), ((least * 1e6) / units).toFixed(0)];
  console.log(...columns.map((column) => column.padStart(6)), ` ${name} (${bytes.length} bytes): ${said}`);
}
