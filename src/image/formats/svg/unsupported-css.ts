/**
 * Recognises CSS that browsers support and the builder's resvg does not. Before such a drawing is drawn, its styles are
 * written out as attributes (inline-styles/inline-styles.ts). The stored and served file is not changed.
 */

/** Combinators and pseudo-classes that resvg does not support. */
const SELECTOR = /[+~[]|:(?!first-child\b)/;
const FUNCTION =
  /\b(?:var|calc|min|max|clamp|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|drop-shadow)\(/i;
/** Colours whose numbers are separated by spaces or have angle units (CSS Color 4). */
const NEW_COLOUR = /\b(?:rgb|hsl)a?\((?:[^,)]{0,200}\)|[^)]{0,100}[\d.](?:deg|g?rad|turn)\b)/i;
const BASIC_SHAPE = /\b(?:circle|ellipse|inset|polygon|path|rect|xywh)\(/i;
const DEFAULTING = /^\s*(?:initial|unset|revert|revert-layer)\b/i;
/** Paints that a marker takes from its line. */
const CONTEXT_PAINT = /\bcontext-(?:fill|stroke)\b/;
/** Properties of SVG 2 that resvg supports only as attributes, or not at all. */
const PROPERTIES = new Set(
  `cx cy d font height mask-type r rotate rx ry scale transform-box transform-origin translate width x y`.split(
    " ",
  ),
);
const NO_BACKGROUND = /^\s*(?:none|transparent)\b/i;

/** resvg interprets the colour of feDropShadow as linear light. */
export const isUnsupportedElement = (name: string): boolean => name === "feDropShadow";

export const isUnsupportedSelector = (selectors: string): boolean => SELECTOR.test(selectors);

/** Properties without which a raster differs only a little from a browser: consecutive spaces, and the background. */
export function isUnsupportedDetail(property: string, value: string): boolean {
  return (
    (property === "white-space" && /pre|break/.test(value)) ||
    (property.startsWith("background") && !NO_BACKGROUND.test(value))
  );
}

/** @param isStyle whether a style sets the property, not an attribute */
export function isUnsupportedValue(property: string, value: string, isStyle: boolean): boolean {
  return (
    (isStyle && (PROPERTIES.has(property) || value.includes("!"))) ||
    property === "transform-origin" ||
    property === "media" ||
    (property === "transform" && /[a-z%]/i.test(value.replace(/[a-z]{1,12}\(|\de[+-]?\d/gi, ""))) ||
    (property === "orient" && value.includes("auto-start-reverse")) ||
    (property === "clip-path" && BASIC_SHAPE.test(value)) ||
    FUNCTION.test(value) ||
    NEW_COLOUR.test(value) ||
    DEFAULTING.test(value) ||
    CONTEXT_PAINT.test(value)
  );
}
