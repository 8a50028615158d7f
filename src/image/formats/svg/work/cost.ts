/** The cost of drawing an SVG master: bytes in the builder's arena and outside it, and time. */
import { SVG } from "../../../../limits.ts";
import type { DrawnWork, SvgFacts } from "../../../model/facts.ts";
import type { Size } from "../../../geometry/size.ts";

const RGBA_BYTES = 4;
/** Size of a band, about a million pixels, for drawings that can be drawn in bands. */
const BAND_BYTES = 4_194_304;
/** The additional memory that a later band may take, because it may show more than the first one. */
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
/** Embedded images: each place where one is drawn has its own pixels, and while one is decoded, it is there twice more. */
const IMAGE_BYTES = { kept: 4, decoding: 8 } as const;
/** Path geometry at its size on the canvas, per pixel of width and height. */
const SIDE_BYTES = 200;

/** Starting the renderer, and reading and drawing one element. */
const FIXED_NANOSECONDS = 25e6;
const ELEMENT_NANOSECONDS = { read: 12_000, drawn: 3000 } as const;
/**
 * The time that each kind of work takes, measured with resvg 0.42 in WebAssembly (scripts/measure/svg-drawing.ts). The first are
 * per line, letter, dash, row that a line crosses, column along a stroke, line that another one is compared with in a
 * row, and pixel of an embedded image; the others are per pixel.
 */
const WORK_NANOSECONDS = {
  edges: 60,
  letters: 18_000,
  dashes: 330,
  rows: 90,
  crossings: 1.2,
  columns: 150,
  decoded: 20,
  plain: 11,
  shaded: 18,
  layered: 45,
  filtered: 25,
  images: 60,
  /** Per pixel and comparison: an feMorphology of radius r makes (2 r)² of them. */
  morphed: 1.5,
} as const satisfies Record<keyof DrawnWork, number>;
/** Most that one call of the renderer may take, because nothing can interrupt it, and other requests wait meanwhile. */
export const CALL_MAX_NANOSECONDS = 1.5e9;
/** Most that all bands together may take. */
const DRAWING_MAX_NANOSECONDS = 30e9;

/**
 * Returns whether a drawing must be drawn whole. resvg cuts off layers (opacity, masks, filters) at two canvas sizes
 * outside the canvas, and fails if a layer lies entirely beyond that. So bands of a drawing with layers would be wrong.
 */
export const isDrawnWhole = ({ drawing }: SvgFacts): boolean => drawing.layers > 0 || drawing.passes > 0;

/** Returns the rows per band: all of them if the drawing must be drawn whole. */
export function bandRows(facts: SvgFacts, { width, height }: Size): number {
  if (isDrawnWhole(facts)) return height;
  return Math.max(1, Math.min(height, Math.floor(BAND_BYTES / (RGBA_BYTES * width))));
}

/**
 * Returns the bytes that drawing takes in the arena and outside it.
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
      imageBytes(facts) +
      // The picture and a copy of it, and the layers.
      band * (2 + layers) +
      BAND_SLACK_BYTES,
    buffers: TEXT_BYTES * sourceBytes + restyling + FACE_FILE_BYTES * faces,
  };
}

function imageBytes(facts: SvgFacts): number {
  const { decoded } = workOf(facts);
  return IMAGE_BYTES.kept * decoded + IMAGE_BYTES.decoding * Math.min(decoded, SVG.embeddedImageMaxPixels);
}

/**
 * Returns the time of the renderer's longest call: it reads the drawing and draws one band, which may hold everything.
 * @param out the size at which the drawing is drawn: the whole size if it must be drawn whole
 */
export function callNanoseconds(facts: SvgFacts, out: Size): number {
  const rows = bandRows(facts, out);
  const { elements } = facts.drawing;
  const { edges } = workOf(facts);
  return (
    readingNanoseconds(facts) +
    outlinesNanoseconds(facts) +
    Math.min(
      rowsNanoseconds(facts, out),
      (WORK_NANOSECONDS.rows + WORK_NANOSECONDS.crossings * out.width) * edges * rows,
    ) +
    Math.min(pixelsNanoseconds(facts, out), pixelsNanoseconds(facts, { ...out, height: rows }) * elements)
  );
}

/** Returns the time of the whole drawing. The outlines are made anew for each band, and images decoded anew. */
export const drawingNanoseconds = (facts: SvgFacts, out: Size): number =>
  readingNanoseconds(facts) +
  outlinesNanoseconds(facts) * Math.ceil(out.height / bandRows(facts, out)) +
  rowsNanoseconds(facts, out) +
  pixelsNanoseconds(facts, out);

const readingNanoseconds = ({ drawing }: SvgFacts): number =>
  FIXED_NANOSECONDS +
  ELEMENT_NANOSECONDS.read * drawing.elements +
  WORK_NANOSECONDS.letters * (drawing.work?.letters ?? 0);

function outlinesNanoseconds(facts: SvgFacts): number {
  const { edges, dashes, decoded } = workOf(facts);
  return (
    ELEMENT_NANOSECONDS.drawn * facts.drawing.elements +
    WORK_NANOSECONDS.edges * edges +
    WORK_NANOSECONDS.dashes * dashes +
    WORK_NANOSECONDS.decoded * decoded
  );
}

function rowsNanoseconds(facts: SvgFacts, { width, height }: Size): number {
  const { rows, columns, crossings } = workOf(facts);
  const each = WORK_NANOSECONDS;
  // There are no more lines in a row to keep in order than pixels.
  const perRow = each.rows * rows + each.crossings * Math.min(crossings, rows * width);
  return perRow * height + each.columns * columns * width;
}

function pixelsNanoseconds(facts: SvgFacts, { width, height }: Size): number {
  const work = workOf(facts);
  const perPixel = AREAS.reduce((sum, kind) => sum + WORK_NANOSECONDS[kind] * work[kind], 1);
  const reach = 2 * Math.ceil(facts.drawing.morphology * width);
  const comparisons = work.morphed * Math.min(reach, width) * Math.min(reach, height);
  return width * height * (perPixel + comparisons * WORK_NANOSECONDS.morphed);
}

const AREAS = ["plain", "shaded", "layered", "filtered", "images"] as const;

/** Returns the work of the drawing. For facts that are older than it, their other figures say as much as they can. */
const workOf = ({ drawing: { work, layers, passes } }: SvgFacts): DrawnWork =>
  work ?? {
    ...{
      edges: 0,
      letters: 0,
      dashes: 0,
      rows: 0,
      columns: 0,
      crossings: 0,
      plain: 1,
      shaded: 0,
      images: 0,
      decoded: 0,
    },
    ...{ layered: layers, filtered: passes, morphed: 1 },
  };

/** Returns why the builder does not draw it at the size `out`; null when it does. */
export function undrawable(facts: SvgFacts, out: Size): string | null {
  if (facts.drawing.undrawable !== null) return facts.drawing.undrawable;
  if (
    callNanoseconds(facts, out) > CALL_MAX_NANOSECONDS ||
    drawingNanoseconds(facts, out) > DRAWING_MAX_NANOSECONDS
  )
    return "it takes too long to draw at this size";
  return null;
}
