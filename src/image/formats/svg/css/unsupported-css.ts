/**
 * Recognises the CSS that resvg does not draw as browsers do. Such a drawing is written out in another form before it
 * is drawn (inline-styles/inline-styles.ts). The stored and served file is not changed. The tables in support/ have the
 * fate of each property and attribute.
 */
import { elementRow, isDrawnAsIs } from "../support/support.ts";

/** Combinators and pseudo-classes that resvg does not support. */
const SELECTOR = /[+~[&\\]|:(?!first-child\b)/;
const FUNCTION =
  /\b(?:var|calc|min|max|clamp|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|drop-shadow)\(/i;
const DEFAULTING = /^\s*(?:initial|unset|revert|revert-layer)\b/i;
/** Attributes of the element `transform` and its kind, whose grammar is wider in CSS. */
const CSS_TRANSFORM = /[a-z%]/i;

/** A factor that is, or may be, too small for resvg (inline-styles/paint/small-scales.ts). */
const SMALL = /(?:matrix|scale)\(\s*[+-]?(?:0?\.000|[\d.]+e-)/i;

/** Returns whether drawings with the element must be written out before it is known whether they can be drawn. */
export const isUnsupportedElement = (name: string): boolean =>
  name !== "style" && /^(?:rewritten|vector)$/.test(elementRow(name)?.handling ?? "");

export const isUnsupportedSelector = (selectors: string): boolean => SELECTOR.test(selectors);

/** Returns whether a reference to this id must be written out, because resvg finds no other ids. */
export const isUnsupportedId = (id: string): boolean => !/^[\w.:-]+$/.test(id);

/** @param isStyle whether a style sets the property, not an attribute */
export function isUnsupportedValue(property: string, value: string, isStyle: boolean): boolean {
  return (
    (isStyle && value.includes("!")) ||
    property === "media" ||
    property === "transform-origin" ||
    (property === "transform" && SMALL.test(value)) ||
    (property === "transform" && CSS_TRANSFORM.test(value.replace(/[a-z]{1,12}\(|\de[+-]?\d/gi, ""))) ||
    FUNCTION.test(value) ||
    DEFAULTING.test(value) ||
    (!(property === "transform" && !isStyle) && !isDrawnAsIs(property, value, isStyle))
  );
}
