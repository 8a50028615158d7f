/** Properties that say where and how shapes, images and groups are painted (SVG 2 chapters 7 to 13, CSS). */
import { alpha, colour, filter, keyword, length, lengths, number, paint, reference } from "./reads.ts";
import { rows, type Row } from "./row.ts";

const SHAPES =
  /^(?:circle|ellipse|inset|polygon|path|rect|xywh|margin-box|border-box|padding-box|content-box|fill-box|stroke-box|view-box)\b/i;

export const PAINTING: readonly Row[] = [
  ...rows(
    "fill stroke",
    "drawn",
    "Colours of CSS Color 4 are converted; system colours are left to the vector.",
    {
      read: paint,
      rewrites: /^context-|^url\("/,
    },
  ),
  ...rows("color stop-color flood-color lighting-color", "drawn", "As for fill.", { read: colour }),
  ...rows(
    "fill-opacity stroke-opacity stop-opacity flood-opacity opacity",
    "drawn",
    "Numbers and percentages.",
    {
      read: alpha,
    },
  ),
  ...rows("fill-rule clip-rule", "drawn", "", { read: keyword("nonzero evenodd") }),
  ...rows("stroke-width", "drawn", "Units that depend on the font or the page are left to the vector.", {
    read: length({ isPositive: true, isUnitless: true }),
  }),
  ...rows("stroke-dasharray", "drawn", "As for stroke-width.", {
    read: lengths({ isPositive: true, isUnitless: true }),
  }),
  ...rows("stroke-dashoffset", "drawn", "As for stroke-width.", { read: length({ isUnitless: true }) }),
  ...rows("stroke-linecap", "drawn", "", { read: keyword("butt round square") }),
  ...rows("stroke-linejoin", "drawn", "miter-clip and arcs are ignored, as browsers do.", {
    read: keyword("miter round bevel"),
  }),
  ...rows("stroke-miterlimit", "drawn", "", { read: number((value) => value >= 1) }),
  ...rows("paint-order", "drawn", "", {}),
  ...rows(
    "vector-effect",
    "rewritten",
    "A stroke that does not scale gets the width that has the wanted one on the picture. Left to the vector under a skew, or where the element is drawn through a reference.",
    {
      read: keyword("none non-scaling-stroke", "non-scaling-size non-rotation fixed-position"),
      rewrites: /non-scaling-stroke/,
    },
  ),
  ...rows(
    "marker-start marker-mid marker-end",
    "drawn",
    "Markers that turn round at the start, or take their line's paint, are written out.",
    {
      read: reference(/./),
      rewrites: /^url\("/,
    },
  ),
  ...rows("marker", "rewritten", "As the three longhands.", { read: reference(/./), isAttributeOnly: true }),
  ...rows("clip-path", "drawn", "Basic shapes and boxes are left to the vector.", {
    read: reference(SHAPES),
    rewrites: /^url\("/,
  }),
  ...rows("mask", "drawn", "Images and lists are left to the vector.", {
    read: reference(/./),
    rewrites: /^url\("/,
  }),
  ...rows("mask-type", "rewritten", "Written out as an attribute.", {
    read: keyword("luminance alpha"),
    isAttributeOnly: true,
  }),
  ...rows(
    "filter",
    "drawn",
    "Shadows are written out. A missing filter is none. Left to the vector on an element that is turned or skewed.",
    {
      read: filter,
      rewrites: /^(?!none$|inherit$)/,
    },
  ),
  ...rows("color-interpolation-filters", "drawn", "", { read: keyword("auto sRGB linearRGB") }),
  ...rows(
    "color-interpolation",
    "vector",
    "sRGB and auto are drawn. linearRGB is left to the vector: browsers differ.",
    {
      read: keyword("auto sRGB", "linearRGB"),
    },
  ),
  ...rows("mix-blend-mode", "drawn", "plus-lighter and plus-darker are left to the vector.", {
    read: keyword(
      `normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion
      hue saturation color luminosity`,
      "plus-lighter plus-darker",
    ),
  }),
  ...rows("isolation", "drawn", "", { read: keyword("auto isolate") }),
  ...rows(
    "image-rendering",
    "rewritten",
    "pixelated and crisp-edges become the older optimizeSpeed, smooth and high-quality optimizeQuality.",
    {
      read: (value, isStyle) =>
        IMAGE_RENDERING.get(value.toLowerCase()) ?? keyword("auto optimizeQuality")(value, isStyle),
    },
  ),
  ...rows("shape-rendering", "drawn", "", {
    read: keyword("auto optimizeSpeed crispEdges geometricPrecision"),
  }),
  ...rows("display", "drawn", "", {
    read: (value) => (/^(?:none|inherit)$/i.test(value) ? value.toLowerCase() : value),
  }),
  ...rows("visibility", "drawn", "", { read: keyword("visible hidden collapse") }),
  ...rows("overflow", "drawn", "", { read: keyword("visible hidden scroll auto clip") }),
  ...rows("cx cy x y", "drawn", "In a style, written out as attributes.", {
    read: length(),
    isAttributeOnly: true,
  }),
  ...rows("r width height rx ry", "drawn", "In a style, written out as attributes.", {
    read: length({ isPositive: true, keywords: keyword("auto") }),
    isAttributeOnly: true,
  }),
  ...rows(
    "d",
    "rewritten",
    "Written out as an attribute. Shapes other than path() are ignored, as browsers do.",
    {
      isAttributeOnly: true,
    },
  ),
  ...rows(
    "transform translate rotate scale transform-origin",
    "rewritten",
    "Written out as SVG 1.1 transforms. Three dimensions, and percentages of a box that is not known, are left to the vector.",
    {
      isAttributeOnly: true,
    },
  ),
  ...rows("transform-box", "vector", "Only view-box is drawn.", { isAttributeOnly: true }),
  ...rows(
    "background background-color",
    "rewritten",
    "Colours on the root are painted below the drawing. Images are left to the vector. Elsewhere it changes nothing.",
    {
      isAttributeOnly: true,
    },
  ),
  ...rows("color-scheme", "rewritten", "light-dark() follows it.", { isAttributeOnly: true }),
  ...rows("clip color-rendering pointer-events fill-color shape-inside", "nothing", ""),
  ...rows("cursor will-change", "removed", "Changes nothing in a still picture."),
  ...rows("outline", "removed", "Browsers draw it around the root alone."),
  ...rows(
    "path-length block-size border-style border-top-style content float margin-top max-width min-width position object-fit object-position shape-outside vertical-align color-profile",
    "removed",
    "No browser applies it to elements of SVG.",
  ),
];

const IMAGE_RENDERING: ReadonlyMap<string, string> = new Map([
  ["pixelated", "optimizeSpeed"],
  ["crisp-edges", "optimizeSpeed"],
  ["optimizespeed", "optimizeSpeed"],
  ["smooth", "optimizeQuality"],
  ["high-quality", "optimizeQuality"],
]);
