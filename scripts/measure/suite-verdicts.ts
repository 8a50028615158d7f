/** Judges what the service made of a picture by what two browsers draw. */
import type { Drawn, DrawnPair } from "../harness/browser-pairs.ts";
import type { MediaObject } from "../harness/api.ts";

export interface Verdict {
  format: string;
  what: string;
  /** Whether both browsers show the picture alike, and the service does not. */
  isFault: boolean;
}

interface Made {
  media: MediaObject | null;
  variant: { bytes: Buffer } | null;
  reason: string | null;
}

/** The largest difference of a cell's mean that resampling and rounding may make, of 255, and the mean over all cells. */
const CELL_MAX = 40;
const MEAN_MAX = 5;

export function verdictOf(
  { media, variant, reason }: Made,
  format: string,
  chromium: DrawnPair | undefined,
  firefox: DrawnPair | undefined,
): Verdict {
  const [a, b] = [chromium?.picture ?? null, firefox?.picture ?? null];
  const shown =
    a && b ? "both show it" : a ? "only Chromium shows it" : b ? "only Firefox shows it" : "neither shows it";
  const agree = a !== null && b !== null && isAlike(a, b) && a.width === b.width && a.height === b.height;
  const how = a && b && !agree ? `${shown}, differently` : shown;
  if (!media) return { format, what: `refused (${general(reason)}); ${how}`, isFault: agree };
  if (!variant) return { format, what: `no variant (${general(reason)}); ${how}`, isFault: agree };
  if (a === null || b === null) return { format, what: `has a variant; ${how}`, isFault: false };
  if (a.width !== media.width || a.height !== media.height) {
    return { format, what: `another size; ${how}`, isFault: agree };
  }
  const [likeA, likeB] = [like(a, chromium?.variant), like(b, firefox?.variant)];
  if (likeA && likeB) return { format, what: "right", isFault: false };
  const unlike = likeA ? "Firefox's" : likeB ? "Chromium's" : "either";
  return { format, what: `unlike ${unlike}; ${how}`, isFault: agree && !likeA && !likeB };
}

const like = (picture: Drawn, variant: Drawn | null | undefined): boolean =>
  Boolean(variant && isAlike(picture, variant));

/**
 * Returns whether two drawings have the same colours in all of their cells, but for those that one is too small to
 * have.
 */
export function isAlike({ cells: a }: Drawn, { cells: b }: Drawn): boolean {
  const differences = a.map((value, i) => (value < 0 || b[i]! < 0 ? 0 : Math.abs(value - b[i]!)));
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  return mean <= MEAN_MAX && Math.max(...differences) <= CELL_MAX;
}

/** Returns a reason without its numbers, so that reasons of one kind are one class. */
const general = (reason: string | null): string => (reason ?? "no reason").replace(/\d+/g, "N");
