/** The form of the tables that say what becomes of each property, attribute and element of SVG in a raster. */

/**
 * - drawn: resvg draws it as browsers do.
 * - rewritten: it is written out in a form that resvg draws as browsers do, before the drawing is drawn.
 * - vector: a drawing that uses it has no raster. The vector is answered.
 * - nothing: it changes nothing in a still picture.
 * - removed: the sanitizer leaves it out of the stored drawing, so the vector lacks it too.
 */
export type Handling = "drawn" | "rewritten" | "vector" | "nothing" | "removed";

/** The result of reading a value that only the vector shows right. */
export const BEYOND = Symbol("beyond");

/**
 * Reads a value. Returns the form that resvg understands, null if the value is invalid in CSS or SVG, so that browsers
 * ignore it, or BEYOND.
 */
export type Read = (value: string, isStyle: boolean) => string | null | typeof BEYOND;

export interface Row {
  name: string;
  handling: Handling;
  /** Without it, every value is taken as it stands. */
  read?: Read;
  /** Values that are valid as they stand, but must be written out. */
  rewrites?: RegExp;
  /** Whether resvg reads it only from an attribute, so that a style must be written out. */
  isAttributeOnly?: true;
  /** The reason, and the values that are treated otherwise. */
  note: string;
}

/** Makes a row for each of `names`, which are separated by spaces. */
export const rows = (names: string, handling: Handling, note: string, more: Partial<Row> = {}): Row[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => ({ name, handling, note, ...more }));
