/**
 * `npm run bench resident`: measures the growth of the builder's process in a service that `npm start` starts. It runs
 * ten builds in a row for the cells of the matrix that are built. For each kind of master, format and width it takes
 * the largest master, because no part of a build takes less memory for a larger master.
 *
 *     npm run bench resident -- --missing                      measures what resident.json lacks, after an interruption
 *     npm run bench resident -- --masters=jpeg,avif --formats=png
 *
 * One process builds all cells of a master, so that a figure also covers the cells before it. If the process grows
 * beyond the memory of an isolate, the cell is measured again in a new process. If that is still too much, the bench
 * ends with an error.
 */
import { variantOf } from "../harness/api.ts";
import { ISOLATE } from "../../src/limits.ts";
import { mb } from "./figures.ts";
import { keyOf, type Cell } from "./matrix/cells.ts";
import { draw } from "./matrix/draw.ts";
import { MASTERS } from "./matrix/masters.ts";
import { largestBuilt, readGrowth, writeGrowth } from "./matrix/resident.ts";
import { readResults } from "./matrix/results.ts";
import { spaceWith, whileRunning, type Running } from "./running.ts";

const IN_A_ROW = 10;

/** Builds the cells in order, ten times each. Stops at the first cell after which the process is too large. */
async function grow(
  running: Running,
  file: Buffer,
  cells: Cell[],
  note: (cell: Cell, bytes: number) => void,
) {
  const { space, ids } = await spaceWith(running.service, Array<Buffer>(IN_A_ROW).fill(file));
  for (const cell of cells) {
    for (const id of ids) await variantOf(space, id, `w=${cell.width}&fm=${cell.format}`);
    const bytes = running.growthBytes();
    note(cell, bytes);
    if (bytes > ISOLATE.totalBytes) return;
  }
}

/** The growth per cell. All cells have the same master. */
async function growthOf(
  file: Buffer,
  cells: Cell[],
  note: (cell: Cell, bytes: number) => void,
): Promise<void> {
  for (let rest = cells; rest.length > 0;) {
    const done: Cell[] = [];
    await whileRunning((running) =>
      grow(running, file, rest, (cell, bytes) => {
        // The cells before this one left memory behind, so this one is measured again in a new process.
        const isAlone = done.length === 0;
        if (bytes > ISOLATE.totalBytes && !isAlone) return;
        done.push(cell);
        note(cell, bytes);
      }),
    );
    rest = rest.slice(done.length);
  }
}

/** The values of the flag `--name=`, split at commas. */
const listOf = (flags: string[], name: string): string[] | undefined =>
  flags
    .find((flag) => flag.startsWith(`--${name}=`))
    ?.split("=")[1]
    ?.split(",");

export async function benchResident(flags: string[]): Promise<void> {
  const [masters, formats] = [listOf(flags, "masters"), listOf(flags, "formats")];
  const known = new Set(flags.includes("--missing") ? Object.keys(readGrowth()) : []);
  const wanted = largestBuilt(readResults().cells).filter(
    (cell) =>
      !known.has(keyOf(cell)) &&
      (masters?.includes(cell.master) ?? true) &&
      (formats?.includes(cell.format) ?? true),
  );
  const over: string[] = [];
  for (const kind of MASTERS) {
    for (const megapixels of kind.megapixels) {
      const cells = wanted.filter((cell) => cell.master === kind.name && cell.megapixels === megapixels);
      if (cells.length === 0) continue;
      await growthOf(await kind.make(megapixels), cells, (cell, bytes) => {
        console.log(`${keyOf(cell).padEnd(34)} ${mb(bytes)}`);
        if (bytes > ISOLATE.totalBytes) over.push(keyOf(cell));
        writeGrowth({ ...readGrowth(), [keyOf(cell)]: bytes }, largestBuilt(readResults().cells));
      });
    }
  }
  await draw(readResults());
  if (over.length > 0) throw new Error(`more than an isolate has: ${over.join(", ")}`);
}
