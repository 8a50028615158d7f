/** Readers of values: which are valid, and how resvg understands them (CSS Values 4, SVG 2). */
import { legacyColour } from "../inline-styles/values/colours.ts";
import { COLOUR_NAMES, NEWER_NAMES, SYSTEM_COLOURS } from "./colour-names.ts";
import { BEYOND, type Read } from "./row.ts";

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?`;
const QUANTITY = new RegExp(`^(${NUMBER})([a-z]*|%)$`, "i");
const words = (text: string): string[] => text.trim().split(/\s+/);
/** Units that resvg converts as browsers do. */
const UNITS = new Set(["", "px", "pt", "pc", "mm", "cm", "in", "em", "%"]);
/** Units that depend on the font, the root or the page. */
const OTHER_UNITS = new Set(
  words("rem ex rex ch rch ic ric cap rcap lh rlh vw vh vi vb vmin vmax svw svh lvw lvh dvw dvh cqw cqh"),
);
const PIXELS_PER_Q = 96 / 101.6;

/** Reads one of the keywords, in any case; the first one written as here. `beyond` lists those of the vector. */
export function keyword(known: string, beyond = ""): Read {
  const [drawn, others] = [words(known), new Set(words(beyond.toLowerCase()))];
  const byLower = new Map(drawn.map((word) => [word.toLowerCase(), word]));
  return (value) => {
    const lower = value.toLowerCase();
    if (lower === "inherit") return "inherit";
    return byLower.get(lower) ?? (others.has(lower) ? BEYOND : null);
  };
}

/** Reads one of the words of an attribute, which are case-sensitive. An attribute with any other word is ignored. */
export const exactly = (known: string): Read => {
  const drawn = new Set(words(known));
  return (value) => (drawn.has(value.trim()) ? value : null);
};

interface LengthForm {
  keywords?: Read;
  /** Whether a negative length is invalid. */
  isPositive?: boolean;
  /** Whether a style may leave the unit out, as it may for properties of SVG 1.1 alone. */
  isUnitless?: boolean;
}

export const length =
  ({ keywords = () => null, isPositive = false, isUnitless = false }: LengthForm = {}): Read =>
  (value, isStyle) => {
    const [, number, unit = ""] = QUANTITY.exec(value) ?? [];
    if (number === undefined) return value.toLowerCase() === "inherit" ? "inherit" : keywords(value, isStyle);
    if (isPositive && Number(number) < 0) return null;
    if (isStyle && unit === "" && !isUnitless && Number(number) !== 0) return null;
    const lower = unit.toLowerCase();
    if (UNITS.has(lower)) return lower === unit ? value : number + lower;
    if (lower === "q") return String(Number(number) * PIXELS_PER_Q);
    return OTHER_UNITS.has(lower) ? BEYOND : null;
  };

/** Reads a list of lengths. An invalid member makes the whole list invalid. */
export function lengths(form: LengthForm = {}): Read {
  const one = length(form);
  return (value, isStyle) => {
    const lower = value.toLowerCase();
    if (lower === "none" || lower === "inherit") return lower;
    const parts = value.trim().split(/\s*,\s*|\s+/);
    const read = parts.map((part) => one(part, isStyle));
    if (read.includes(BEYOND)) return BEYOND;
    if (read.includes(null)) return null;
    return read.every((part, i) => part === parts[i]) ? value : read.join(" ");
  };
}

/** Reads a number; `isValid` says which numbers are. */
export const number =
  (isValid: (value: number) => boolean = () => true): Read =>
  (value) => {
    if (value.toLowerCase() === "inherit") return "inherit";
    const [, text, unit = ""] = QUANTITY.exec(value) ?? [];
    return text !== undefined && unit === "" && isValid(Number(text)) ? value : null;
  };

/** Reads a share of 1 or a percentage. */
export const alpha: Read = (value) => {
  if (value.toLowerCase() === "inherit") return "inherit";
  const [, , unit = null] = QUANTITY.exec(value) ?? [];
  return unit === "" || unit === "%" ? value : null;
};

const FUNCTION = /^(rgba?|hsla?)\(([^()]*)\)$/i;
/** The one form of a colour function that all renderers read alike. */
const PLAIN_RGB = /^rgba?\(\s*\d+\s*,\s*\d+\s*,\s*\d+\s*(?:,\s*[\d.]+\s*)?\)$/;
const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

/** Reads a colour. Those of CSS Color 4 are converted before (inline-styles/values/values.ts). */
export const colour: Read = (value) => {
  if (HEX.test(value) || COLOUR_NAMES.has(value)) return value;
  const lower = value.toLowerCase();
  if (COLOUR_NAMES.has(lower) || lower === "inherit") return lower;
  if (lower === "currentcolor") return "currentColor";
  if (SYSTEM_COLOURS.has(lower)) return BEYOND;
  const [, name = "", list = ""] = FUNCTION.exec(value) ?? [];
  if (name === "") return NEWER_NAMES.get(lower) ?? null;
  return PLAIN_RGB.test(value) ? value : legacyColour(name.toLowerCase(), list);
};

const PAINT_SERVER = /^(url\([^)]*\))\s*(.*)$/;

/** Reads a paint: a colour, `none`, or a reference with a colour to fall back on. */
export const paint: Read = (value, isStyle) => {
  const lower = value.toLowerCase();
  if (lower === "none") return "none";
  if (/^context-(?:fill|stroke)$/.test(lower)) return lower;
  const [, reference, fallback = ""] = PAINT_SERVER.exec(value) ?? [];
  if (reference === undefined) return colour(value, isStyle);
  if (fallback === "") return value;
  const read = fallback.toLowerCase() === "none" ? "none" : colour(fallback, isStyle);
  if (typeof read !== "string") return read;
  return read === fallback ? value : `${reference} ${read}`;
};

/** Reads one reference or `none`. `isBeyond` recognises what only the vector shows. */
export const reference =
  (isBeyond: RegExp): Read =>
  (value) => {
    const lower = value.toLowerCase();
    if (lower === "none" || lower === "inherit") return lower;
    if (/^url\("?#[^"]*"?\)$/.test(value)) return value;
    return isBeyond.test(value) ? BEYOND : null;
  };

const FILTER_UNITS = /\d(?:r?em|r?ex|r?ch|r?ic|r?lh|[sld]?v[whib]|vmin|vmax|q)\b/i;
/** A radius without a unit, which only 0 may have. */
const BARE_RADIUS = /\bblur\(\s*(?=[\d.]*[1-9])[\d.]+\s*\)/i;

/** Reads a list of filters. */
export const filter: Read = (value) => {
  if (BARE_RADIUS.test(value)) return null;
  if (FILTER_UNITS.test(value)) return BEYOND;
  return /^(?:none|inherit)$/i.test(value) ? value.toLowerCase() : value;
};

/** Takes any value as it stands, but for those that only the vector shows. */
export const anyBut =
  (beyond: RegExp): Read =>
  (value) =>
    beyond.test(value) ? BEYOND : value;
