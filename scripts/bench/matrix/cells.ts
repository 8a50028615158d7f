/** The cells of the matrix: a master, a format and a width; and what became of them. */
import { heightAt } from "../../../src/image/model/grid.ts";
import type { Refusal } from "../../../src/image/plan/build-plan.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../../../src/image/model/variant.ts";
import { SIZES, type Megapixels } from "../masters.ts";
import type { MasterKind } from "./masters.ts";

/** Of the grid of widths (RULES 5.4). */
export const WIDTHS = [500, 1000, 2560, 6400] as const;
export const QUALITY = 80;

export interface Cell {
  master: string;
  megapixels: Megapixels;
  format: OutputFormat;
  /** As asked for. */
  width: number;
}

export interface Built {
  outcome: "built";
  /** Of the file: the master's where that is narrower. */
  widthPixels: number;
  heightPixels: number;
  bytes: number;
  /** The median. */
  ms: number;
  /** Processor time over sharp's, with one thread; null where sharp was not asked. */
  toSharp: number | null;
  predictedBytes: number;
  /** What the prediction was wrong by for the length of the file alone, which follows from what the picture shows. */
  unforeseenBytes: number;
  /** By the build's own tally. */
  peakBytes: number;
  /** Of sharp's resize of the same master, on white, in dB; null for equal pictures. */
  psnr: number | null;
}

export interface Refused {
  outcome: Refusal;
  reason: string;
  predictedBytes: number | null;
  /** What a build by force came to, for what the plan says does not fit; null where none was tried. */
  forced: "built" | "failed" | null;
}

/** Planned and then not built. */
export interface Failed {
  outcome: "failed";
  reason: string;
}

export type Result = Cell & (Built | Refused | Failed);

export const keyOf = ({ master, megapixels, format, width }: Cell): string =>
  `${master} ${megapixels} ${format} ${width}`;

/** Nothing is scaled up: of the widths that no master of `megapixels` fills, only the first is a cell of its own. */
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

/** Pixels that come out of a cell. */
export function pixelsOf({ megapixels, width }: Cell): number {
  const [masterWidth, masterHeight] = SIZES[megapixels];
  const out = Math.min(width, masterWidth);
  return out * heightAt(out, { width: masterWidth, height: masterHeight });
}
