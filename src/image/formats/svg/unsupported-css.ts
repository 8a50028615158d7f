/**
 * What browsers draw and the builder's resvg does not, as it stands. Its styles are written out before it is drawn
 * (restyle/restyle.ts); what is stored and served stays as it is.
 */

/** Combinators and pseudo-classes that its style sheets do not have. */
const SELECTOR = /[+~[]|:(?!first-child\b)/;
const FUNCTION =
  /\b(?:var|calc|min|max|clamp|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|drop-shadow)\(/i;
/** Colours separated by spaces, or with angles (CSS Color 4). */
const NEW_COLOUR = /\b(?:rgb|hsl)a?\((?:[^,)]{0,200}\)|[^)]{0,100}[\d.](?:deg|g?rad|turn)\b)/i;
const SHAPE = /\b(?:circle|ellipse|inset|polygon|path|rect|xywh)\(/i;
const DEFAULTING = /^\s*(?:initial|unset|revert|revert-layer)\b/i;
/** Paints of the line that a marker stands on. */
const CONTEXT = /\bcontext-(?:fill|stroke)\b/;
/** Properties of SVG 2 that it knows as attributes alone, or not at all. */
const PROPERTIES = new Set(
  `cx cy d font height mask-type r rotate rx ry scale transform-box transform-origin translate width x y`.split(
    " ",
  ),
);
const NO_GROUND = /^\s*(?:none|transparent)\b/i;

/** Whose colour it takes for one of linear light. */
export const isElementBeyond = (name: string): boolean => name === "feDropShadow";

export const isSelectorBeyond = (selectors: string): boolean => SELECTOR.test(selectors);

/** Of these a raster is but a little other than in a browser: spaces in a row, and the ground it lies on. */
export function isDetailBeyond(property: string, value: string): boolean {
  return (
    (property === "white-space" && /pre|break/.test(value)) ||
    (property.startsWith("background") && !NO_GROUND.test(value))
  );
}

/** @param isStyle whether it is set by a style and not by an attribute */
export function isValueBeyond(property: string, value: string, isStyle: boolean): boolean {
  return (
    (isStyle && (PROPERTIES.has(property) || value.includes("!"))) ||
    property === "transform-origin" ||
    property === "media" ||
    (property === "transform" && /[a-z%]/i.test(value.replace(/[a-z]{1,12}\(|\de[+-]?\d/gi, ""))) ||
    (property === "orient" && value.includes("auto-start-reverse")) ||
    (property === "clip-path" && SHAPE.test(value)) ||
    FUNCTION.test(value) ||
    NEW_COLOUR.test(value) ||
    DEFAULTING.test(value) ||
    CONTEXT.test(value)
  );
}
