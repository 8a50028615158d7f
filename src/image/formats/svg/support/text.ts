/** Properties of text (SVG 2 chapter 11, CSS Fonts, Text and Writing Modes). All text is drawn in Noto Sans. */
import { anyBut, keyword, length } from "./reads.ts";
import { BEYOND, rows, type Read, type Row } from "./row.ts";

const SIZES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "xx-small": "9px",
    "x-small": "10px",
    small: "13px",
    medium: "16px",
    large: "18px",
    "x-large": "24px",
    "xx-large": "32px",
    "xxx-large": "48px",
  }),
);

const fontSize: Read = (value, isStyle) =>
  SIZES.get(value.toLowerCase()) ??
  length({ isPositive: true, keywords: keyword("smaller larger") })(value, isStyle);

/** Reads a weight of the font. Whole hundreds are drawn. Others are rounded: there are two weights of the font. */
const fontWeight: Read = (value, isStyle) => {
  const weight = Number(value);
  if (!Number.isFinite(weight) || value.trim() === "")
    return keyword("normal bold bolder lighter")(value, isStyle);
  if (weight < 1 || weight > 1000) return null;
  const hundreds = Math.min(9, Math.max(1, Math.round(weight / 100)));
  return /^[1-9]00$/.test(value) ? value : String(hundreds * 100);
};

const LINES =
  /^(?:none|(?:underline|overline|line-through|blink)(?: (?:underline|overline|line-through|blink))*)$/;
const decoration: Read = (value) => {
  const lower = value.toLowerCase().trim();
  return lower === "inherit" || LINES.test(lower) ? lower : BEYOND;
};

const only = (known: string): Read => {
  const drawn = keyword(known);
  return (value, isStyle) => drawn(value, isStyle) ?? BEYOND;
};

export const TEXT: readonly Row[] = [
  ...rows("font", "rewritten", "As its longhands. System fonts are left to the vector.", {
    isAttributeOnly: true,
  }),
  ...rows(
    "font-family",
    "drawn",
    "Whatever it asks for, text is drawn in Noto Sans. Characters without a glyph are left to the vector.",
  ),
  ...rows("font-size", "drawn", "Named sizes are written out in pixels.", { read: fontSize }),
  ...rows("font-style", "drawn", "", {
    read: (value, isStyle) =>
      /^oblique\s/i.test(value) ? "oblique" : keyword("normal italic oblique")(value, isStyle),
  }),
  ...rows("font-weight", "drawn", "Numbers are rounded to hundreds.", { read: fontWeight }),
  ...rows(
    "font-variant font-variant-caps",
    "vector",
    "normal is drawn. Small capitals are left to the vector.",
    {
      read: anyBut(/caps|unicase/i),
    },
  ),
  ...rows(
    "font-stretch font-size-adjust font-kerning font-feature-settings font-variation-settings font-variant-ligatures font-variant-numeric text-rendering",
    "nothing",
    "Noto Sans has one width, and its own features are not drawn.",
  ),
  ...rows("letter-spacing word-spacing", "drawn", "", { read: length({ keywords: keyword("normal") }) }),
  ...rows("text-anchor", "drawn", "", { read: keyword("start middle end") }),
  ...rows(
    "text-transform",
    "rewritten",
    "The text is changed. full-width and math-auto are left to the vector.",
    {
      read: keyword("none uppercase lowercase capitalize", "full-width full-size-kana math-auto"),
      rewrites: /^(?!none$|inherit$)/,
    },
  ),
  ...rows(
    "text-decoration",
    "drawn",
    "Lines in the text's own paint. Styles, colours and thicknesses are left to the vector.",
    {
      read: decoration,
    },
  ),
  ...rows("text-decoration-line", "rewritten", "As text-decoration.", {
    read: decoration,
    rewrites: /^(?!none$|inherit$)/,
  }),
  ...rows("text-decoration-style", "vector", "solid is drawn.", { read: only("solid") }),
  ...rows("text-decoration-color", "vector", "The text's own colour is drawn.", {
    read: anyBut(/^(?!currentcolor$|inherit$|rgba\(0, 0, 0, 0\)$|#000$|black$)/i),
  }),
  ...rows("text-decoration-thickness", "vector", "auto and from-font are drawn.", {
    read: only("auto from-font"),
  }),
  ...rows("dominant-baseline alignment-baseline", "drawn", "", {
    read: keyword(
      `auto baseline before-edge text-before-edge middle central after-edge text-after-edge ideographic alphabetic hanging
      mathematical use-script no-change reset-size`,
      "text-top text-bottom top bottom center",
    ),
  }),
  ...rows("baseline-shift", "drawn", "inherit is left to the vector.", {
    read: (value, isStyle) =>
      value.toLowerCase() === "inherit"
        ? BEYOND
        : length({ keywords: keyword("baseline sub super", "top center bottom") })(value, isStyle),
  }),
  ...rows("white-space", "rewritten", "Kept spaces are written out as xml:space.", {
    read: keyword("normal pre nowrap pre-wrap pre-line break-spaces"),
    rewrites: /pre|break/,
  }),
  ...rows("direction", "vector", "Left to right is drawn.", { read: only("ltr") }),
  ...rows("unicode-bidi", "vector", "normal is drawn.", { read: only("normal isolate embed plaintext") }),
  ...rows("writing-mode", "vector", "Horizontal text is drawn.", {
    read: only("horizontal-tb lr-tb lr rl rl-tb"),
  }),
  ...rows("text-orientation", "nothing", "It acts on vertical text alone."),
  ...rows("glyph-orientation-horizontal glyph-orientation-vertical", "nothing", "Browsers ignore it."),
  ...rows(
    "text-overflow line-height text-align text-indent",
    "nothing",
    "Text is not wrapped: browsers apply it to no text of SVG.",
  ),
  ...rows(
    "inline-size text-align-last text-justify text-combine-upright hanging-punctuation hyphens line-break overflow-wrap word-wrap word-break tab-size kerning",
    "removed",
    "Browsers apply it to no text of SVG.",
  ),
];
