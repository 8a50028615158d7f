/** The growth of the builder's process per cell of the matrix, kept in resident.json beside the results. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { keyOf, type Cell, type Result } from "./cells.ts";

/** By `keyOf` of the cell: the growth of the peak resident size in bytes since before the first build. */
export type Growth = Record<string, number>;

/** For each kind of master, format and width: the cell with the largest master that is built. */
export const largestBuilt = (results: Result[]): Cell[] => {
  const built = results.filter(({ outcome }) => outcome === "built");
  return built.filter(
    (cell) =>
      !built.some(
        (other) =>
          other.master === cell.master &&
          other.format === cell.format &&
          other.width === cell.width &&
          other.megapixels > cell.megapixels,
      ),
  );
};

const PATH = fileURLToPath(new URL("resident.json", import.meta.url));

export const readGrowth = (): Growth =>
  existsSync(PATH) ? (JSON.parse(readFileSync(PATH, "utf8")) as Growth) : {};

/** One line per cell, in the order of `cells`. Entries of other cells are left out. */
export function writeGrowth(growth: Growth, cells: Cell[]): void {
  const lines = cells.flatMap((cell) => {
    const bytes = growth[keyOf(cell)];
    return bytes === undefined ? [] : [`  ${JSON.stringify(keyOf(cell))}: ${bytes}`];
  });
  writeFileSync(PATH, `{\n${lines.join(",\n")}\n}\n`);
}
