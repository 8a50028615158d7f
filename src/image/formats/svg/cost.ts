/** What drawing an SVG master takes: in the builder's arena, beside it, and in time. */
import type { SvgFacts } from "../../model/facts.ts";
import type { Size } from "../../model/size.ts";

const RGBA_BYTES = 4;
/** About a million pixels at a time, where nothing stands against drawing in bands. */
const BAND_BYTES = 4_194_304;
/** What a band may take more than the first one did: it may show more than that. */
export const BAND_SLACK_BYTES = 2_097_152;
/** resvg's own data and stack, and its allocator's first pages. */
const FIXED_BYTES = 1_600_000;
/** A face of the font, with what is read of it. */
const FACE_BYTES = 720_000;
/** The parsed document and the tree that is drawn, for each byte of text. */
const TREE_BYTES = 30;
/** The file, its text, and the text to be drawn, outside the arena. */
const TEXT_BYTES = 6;
/** The tree that styles are written out in, for each byte of the file. */
const RESTYLING_BYTES = 100;
/** Path geometry at its size on the canvas, a pixel wide or high. */
const SIDE_BYTES = 200;

const FIXED_NANOSECONDS = 25e6;
const PIXEL_NANOSECONDS = 12;
const PASS_NANOSECONDS = 18;
const ELEMENT_NANOSECONDS = 12_000;
/** One comparison of an feMorphology, of which it makes (2 r)² a pixel. */
const MORPHOLOGY_NANOSECONDS = 1.5;
/** A drawing that would keep the builder longer is not drawn: nothing could interrupt it. */
const MAX_NANOSECONDS = 60e9;

/**
 * What is drawn apart and laid over (opacity, masks, filters) is cut off at two canvas sizes outside the canvas, and
 * fails if all of it is further away: such a drawing is made whole.
 */
export const isDrawnWhole = ({ drawing }: SvgFacts): boolean => drawing.layers > 0 || drawing.passes > 0;

/** Rows that are drawn at a time. */
export function bandRows(facts: SvgFacts, { width, height }: Size): number {
  if (isDrawnWhole(facts)) return height;
  return Math.max(1, Math.min(height, Math.floor(BAND_BYTES / (RGBA_BYTES * width))));
}

/**
 * Bytes in the arena and outside of it.
 * @param whole the size of the whole drawing, of which `out` may be a part
 */
export function drawingBytes(
  facts: SvgFacts,
  sourceBytes: number,
  out: Size,
  whole: Size = out,
): { arena: number; buffers: number } {
  const made = isDrawnWhole(facts) ? whole : out;
  const band = RGBA_BYTES * made.width * bandRows(facts, made);
  const { layers, faces, restyledBytes } = facts.drawing;
  const drawnBytes = restyledBytes ?? sourceBytes;
  const restyling = restyledBytes ? RESTYLING_BYTES * sourceBytes + TEXT_BYTES * restyledBytes : 0;
  return {
    arena:
      FIXED_BYTES +
      FACE_BYTES * faces +
      TREE_BYTES * drawnBytes +
      SIDE_BYTES * (whole.width + whole.height) +
      // The picture, and a copy of it; or what is drawn apart, copied once more where it is put together.
      band * (2 + layers) +
      BAND_SLACK_BYTES,
    buffers: TEXT_BYTES * sourceBytes + restyling,
  };
}

/** @param out what is drawn: the whole of a drawing of which only the whole can be */
export function drawingNanoseconds({ drawing }: SvgFacts, out: Size): number {
  const pixels = out.width * out.height;
  const reach = 2 * Math.ceil(drawing.morphology * out.width);
  const comparisons =
    drawing.morphology === 0 ? 0 : pixels * Math.min(reach, out.width) * Math.min(reach, out.height);
  return (
    FIXED_NANOSECONDS +
    ELEMENT_NANOSECONDS * drawing.elements +
    pixels * (PIXEL_NANOSECONDS * (1 + drawing.layers) + PASS_NANOSECONDS * drawing.passes) +
    comparisons * MORPHOLOGY_NANOSECONDS
  );
}

/** Why the builder does not draw it at `out`; null when it does. */
export function undrawable(facts: SvgFacts, out: Size): string | null {
  if (facts.drawing.undrawable !== null) return facts.drawing.undrawable;
  return drawingNanoseconds(facts, out) > MAX_NANOSECONDS ? "its filters take too long at this size" : null;
}
