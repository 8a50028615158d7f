/**
 * `npm run bench resident`: what the builder's process grows to, through what `npm start` starts, in the cells of the
 * matrix that are built, ten such builds in a row: of each kind of master the largest that reaches a format and width.
 * No part of a build takes less of a larger one.
 *
 *     npm run bench resident -- --missing                      only what resident.json lacks, after a break
 *     npm run bench resident -- --masters=jpeg,avif --formats=png
 *
 * A process goes on from cell to cell of one master, so that a figure holds for all cells before it too. Where it
 * came to more than an isolate has, the cell has a process of its own. Ends with an error when that is too much still.
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

/** Builds the cells one after the other, ten times each; stops at the first after which the process is too large. */
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

/** The growth of each of the cells, all of one master. */
async function growthOf(
  file: Buffer,
  cells: Cell[],
  note: (cell: Cell, bytes: number) => void,
): Promise<void> {
  for (let rest = cells; rest.length > 0;) {
    const done: Cell[] = [];
    await whileRunning((running) =>
      grow(running, file, rest, (cell, bytes) => {
        // What the cells before it left counts against them together: this one is tried again alone.
        const isAlone = done.length === 0;
        if (bytes > ISOLATE.totalBytes && !isAlone) return;
        done.push(cell);
        note(cell, bytes);
      }),
    );
    rest = rest.slice(done.length);
  }
}

/** What follows `--name=` in the flags, at its commas. */
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
