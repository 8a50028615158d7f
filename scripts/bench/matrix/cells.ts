/** The cells of the matrix, each a master, a format and a width, and their results. */
import { heightAt } from "../../../src/image/geometry/grid.ts";
import type { Refusal } from "../../../src/image/plan/build-plan.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../../../src/image/model/variant.ts";
import { SIZES, type Megapixels } from "../masters.ts";
import type { MasterKind } from "./masters.ts";

/** Widths from the grid (RULES 5.4). */
export const WIDTHS = [500, 1000, 2560, 6400] as const;
export const QUALITY = 80;

export interface Cell {
  master: string;
  megapixels: Megapixels;
  format: OutputFormat;
  /** The width that is asked for. */
  width: number;
}

export interface Built {
  outcome: "built";
  /** The width of the file: the master's width if that is smaller. */
  widthPixels: number;
  heightPixels: number;
  bytes: number;
  /** The median. */
  ms: number;
  /** Processor time divided by sharp's with one thread. Null if sharp was not measured. */
  toSharp: number | null;
  predictedBytes: number;
  /** The part of the prediction's error that comes from the file's length, which depends on the picture's content. */
  unforeseenBytes: number;
  /** As counted by the build itself. */
  peakBytes: number;
  /** PSNR in dB against sharp's resize of the same master, on white. Null for equal pictures. */
  psnr: number | null;
}

export interface Refused {
  outcome: Refusal;
  reason: string;
  predictedBytes: number | null;
  /** The result of a forced build of a variant that does not fit by its plan. Null if none was tried. */
  forced: "built" | "failed" | null;
}

/** A variant that was planned but not built. */
export interface Failed {
  outcome: "failed";
  reason: string;
}

export type Result = Cell & (Built | Refused | Failed);

export const keyOf = ({ master, megapixels, format, width }: Cell): string =>
  `${master} ${megapixels} ${format} ${width}`;

/** Nothing is enlarged, so of the widths above the master's only the smallest is a cell. */
export function widthsOf(kind: MasterKind, megapixels: Megapixels): number[] {
  const [width] = SIZES[megapixels];
  if (kind.name === "svg") return [...WIDTHS];
  const beyond = WIDTHS.findIndex((step) => step >= width);
  return WIDTHS.slice(0, beyond < 0 ? undefined : beyond + 1);
}

export function cellsOf(kind: MasterKind, megapixels: Megapixels): Cell[] {
  return widthsOf(kind, megapixels).flatMap((width) =>
    OUTPUT_FORMATS.map((format): Cell => ({ master: kind.name, megapixels, format, width })),
  );
}

/** The pixels of a cell's variant. */
export function pixelsOf({ megapixels, width }: Cell): number {
  const [masterWidth, masterHeight] = SIZES[megapixels];
  const out = Math.min(width, masterWidth);
  return out * heightAt(out, { width: masterWidth, height: masterHeight });
}
