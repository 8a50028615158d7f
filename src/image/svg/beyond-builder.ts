/**
 * What browsers draw and the builder's resvg does not. Such a drawing is stored and served; a raster of it would
 * be another picture, so there is none and the master answers (completion §5, "cannot be built").
 */

/** Combinators and pseudo-classes that its style sheets do not have. */
const SELECTOR = /[+~]|:(?!first-child\b)/;
const FUNCTION = /\b(?:var|calc|min|max|clamp|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)\(/i;
/** Colours separated by spaces (CSS Color 4). */
const SPACED_COLOUR = /\b(?:rgb|hsl)a?\([^,)]{0,200}\)/i;
const SHAPE = /\b(?:circle|ellipse|inset|polygon|path|rect|xywh)\(/i;
/** Properties of SVG 2 that it knows as attributes alone, or not at all. */
const PROPERTIES = new Set(
  "cx cy d height r rotate rx ry scale transform-box transform-origin translate width x y".split(" "),
);

export const selectorBeyond = (selectors: string): string | null =>
  SELECTOR.test(selectors) ? `its style sheet has the selector ${selectors.slice(0, 80)}` : null;

/** @param isStyle whether it is set by a style and not by an attribute */
export function valueBeyond(property: string, value: string, isStyle: boolean): string | null {
  const isBeyond =
    (isStyle && PROPERTIES.has(property)) ||
    property === "transform-origin" ||
    (property === "transform" && /[a-z%]/i.test(value.replace(/[a-z]{1,12}\(|\de[+-]?\d/gi, ""))) ||
    (property === "orient" && value.includes("auto-start-reverse")) ||
    FUNCTION.test(value) ||
    SPACED_COLOUR.test(value) ||
    (property === "clip-path" && SHAPE.test(value));
  return isBeyond ? `it sets ${property} to ${value.slice(0, 80)}` : null;
}
