/** The variants whose plans test/unit/image/plan/matrix.test.ts writes down: kinds of masters by size, format and width. */
import type { MasterKind } from "../../scripts/bench/masters/kinds.ts";
import { SIZES, type Megapixels } from "../../scripts/bench/masters/photographs.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../../src/image/formats/registry.ts";

/** Widths from the grid (RULES 5.4). */
const WIDTHS = [500, 1000, 2560, 6400];

export interface Cell {
  format: OutputFormat;
  /** The width that is asked for. */
  width: number;
}

/** Returns the widths of `WIDTHS` up to the master's own. Of the wider ones, which are not enlarged to, it has the first. */
function widthsOf(kind: MasterKind, megapixels: Megapixels): number[] {
  if (kind.name === "svg") return WIDTHS;
  const beyond = WIDTHS.findIndex((step) => step >= SIZES[megapixels][0]);
  return WIDTHS.slice(0, beyond < 0 ? undefined : beyond + 1);
}

export const cellsOf = (kind: MasterKind, megapixels: Megapixels): Cell[] =>
  widthsOf(kind, megapixels).flatMap((width) => OUTPUT_FORMATS.map((format) => ({ format, width })));
