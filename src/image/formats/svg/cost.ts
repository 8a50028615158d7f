/** What drawing an SVG master takes: bytes in the builder's arena and outside it, and time. */
import type { SvgFacts } from "../../model/facts.ts";
import type { Size } from "../../model/size.ts";

const RGBA_BYTES = 4;
/** Size of a band, about a million pixels, for drawings that can be drawn in bands. */
const BAND_BYTES = 4_194_304;
/** How much more memory a later band may take than the first one, because it may show more. */
export const BAND_SLACK_BYTES = 2_097_152;
/** resvg's own data and stack, and its allocator's first pages. */
const FIXED_BYTES = 1_600_000;
/** A font face, and the data that resvg parses from it. */
const FACE_BYTES = 720_000;
/** The file of a face, outside the arena: the largest has 642,344 bytes. */
const FACE_FILE_BYTES = 650_000;
/** The parsed document and the tree that is drawn, per byte of text. */
const TREE_BYTES = 30;
/** The file, its text, and the text that is drawn, per byte of the file, outside the arena. */
const TEXT_BYTES = 6;
/** The tree in which styles are written out: per byte of the file, most of which are slices of its text. */
const RESTYLING_BYTES = 8;
/** The same, per element: 350 bytes are held by the tree and the cascade, the rest by what they come to. */
const RESTYLING_ELEMENT_BYTES = 1200;
/** Path geometry at its size on the canvas, per pixel of width and height. */
const SIDE_BYTES = 200;

const FIXED_NANOSECONDS = 25e6;
const PIXEL_NANOSECONDS = 12;
const PASS_NANOSECONDS = 18;
const ELEMENT_NANOSECONDS = 12_000;
/** One comparison of an feMorphology of radius r, which makes (2 r)² of them per pixel. */
const MORPHOLOGY_NANOSECONDS = 1.5;
/** A drawing that would take longer is not drawn, because nothing could interrupt it. */
const DRAWING_MAX_NANOSECONDS = 60e9;

/**
 * Whether a drawing must be drawn whole. resvg cuts off layers (opacity, masks, filters) at two canvas sizes outside
 * the canvas, and fails if a layer lies entirely beyond that. So bands of a drawing with layers would be wrong.
 */
export const isDrawnWhole = ({ drawing }: SvgFacts): boolean => drawing.layers > 0 || drawing.passes > 0;

/** Rows per band: all of them if the drawing must be drawn whole. */
export function bandRows(facts: SvgFacts, { width, height }: Size): number {
  if (isDrawnWhole(facts)) return height;
  return Math.max(1, Math.min(height, Math.floor(BAND_BYTES / (RGBA_BYTES * width))));
}

/**
 * The bytes that drawing takes in the arena and outside it.
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
  const { layers, faces, elements, restyledBytes } = facts.drawing;
  const drawnBytes = restyledBytes ?? sourceBytes;
  const restyling = restyledBytes
    ? RESTYLING_BYTES * sourceBytes + RESTYLING_ELEMENT_BYTES * elements + TEXT_BYTES * restyledBytes
    : 0;
  return {
    arena:
      FIXED_BYTES +
      FACE_BYTES * faces +
      TREE_BYTES * drawnBytes +
      SIDE_BYTES * (whole.width + whole.height) +
      // The picture and a copy of it, and the layers.
      band * (2 + layers) +
      BAND_SLACK_BYTES,
    buffers: TEXT_BYTES * sourceBytes + restyling + FACE_FILE_BYTES * faces,
  };
}

/** @param out the size at which the drawing is drawn: the whole size if it must be drawn whole */
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

/** Why the builder does not draw it at the size `out`; null when it does. */
export function undrawable(facts: SvgFacts, out: Size): string | null {
  if (facts.drawing.undrawable !== null) return facts.drawing.undrawable;
  return drawingNanoseconds(facts, out) > DRAWING_MAX_NANOSECONDS
    ? "its filters take too long at this size"
    : null;
}
