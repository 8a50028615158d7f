/** The properties of an element that its cost depends on, collected attribute by attribute. */
import { type Box, type Outline, outlineOfPath, outlineOfPoints, OutlineMeter } from "./outline.ts";
import { type Matrix, readTransforms } from "./matrix.ts";

export type Paint = "none" | "plain" | "shaded";

export interface Dashes {
  /** The number of dashes and gaps in a pattern, and its length. */
  count: number;
  length: number;
}

interface Length {
  value: number;
  isShare: boolean;
}

export interface Look {
  matrix: Matrix | null;
  fill: Paint | null;
  stroke: Paint | null;
  strokeWidth: number | null;
  dashes: Dashes | null;
  fontSize: number | null;
  /** Characters of text that are drawn. */
  characters: number;
  /** Numbers of its own: x, y, width, height, r and so on. Of percentages, the share of the drawing. */
  numbers: Map<string, Length>;
  viewBox: Box | null;
  path: Outline | null;
  /** Attributes that choose the units of the user, or those of a box. */
  inUserSpace: ReadonlySet<string>;
  inBox: ReadonlySet<string>;
}

export const newLook = (): Look => ({
  matrix: null,
  fill: null,
  stroke: null,
  strokeWidth: null,
  dashes: null,
  fontSize: null,
  characters: 0,
  numbers: NO_NUMBERS,
  viewBox: null,
  path: null,
  inUserSpace: NONE,
  inBox: NONE,
});

const NONE: ReadonlySet<string> = new Set();
/** The numbers of all looks without any: most elements have none, and a map takes more than the rest. */
const NO_NUMBERS = new Map<string, Length>();
const LENGTH = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*(px|pt|pc|mm|cm|in|em|rem|ex|%)?/i;
const PIXELS: Record<string, number> = {
  pt: 4 / 3,
  pc: 16,
  mm: 3.78,
  cm: 37.8,
  in: 96,
  em: 16,
  rem: 16,
  ex: 8,
};
const NUMBERS = new Set(
  "x y width height rx ry r cx cy x1 y1 x2 y2 markerWidth markerHeight refX refY".split(" "),
);
/** Longer lists of dashes count as this many. */
const DASHES_MAX_CHARACTERS = 2000;
/** The size of text that is named, such as `large`, and the largest of these. */
const NAMED_FONT_SIZE = 32;

/** Notes a value of an attribute or a property. If there are several, the one that costs more counts. */
export function noteLook(look: Look, name: string, value: string): void {
  switch (name) {
    case "transform":
    case "patternTransform":
      look.matrix = readTransforms(value);
      return;
    case "fill":
    case "stroke":
      look[name] = costlier(look[name], paintOf(value));
      return;
    case "stroke-width":
      look.strokeWidth = Math.max(look.strokeWidth ?? 0, lengthOf(value)?.value ?? 0);
      return;
    case "stroke-dasharray":
      look.dashes = denser(look.dashes, dashesOf(value));
      return;
    case "font-size":
      look.fontSize = Math.max(look.fontSize ?? 0, lengthOf(value)?.value ?? NAMED_FONT_SIZE);
      return;
    case "viewBox": {
      const [left = 0, top = 0, width = 0, height = 0] = value
        .trim()
        .split(/[\s,]+/, 4)
        .map(Number);
      if (width > 0 && height > 0) look.viewBox = { left, top, right: left + width, bottom: top + height };
      return;
    }
    case "d":
      look.path = outlineOfPath(value);
      return;
    case "points":
      look.path = outlineOfPoints(value);
      return;
    default: {
      if (name.endsWith("Units")) noteUnits(look, name, value.trim());
      if (!NUMBERS.has(name)) return;
      const length = lengthOf(value);
      if (!length) return;
      if (look.numbers === NO_NUMBERS) look.numbers = new Map();
      look.numbers.set(name, length);
    }
  }
}

function noteUnits(look: Look, name: string, units: string): void {
  if (units === "userSpaceOnUse") look.inUserSpace = new Set([...look.inUserSpace, name]);
  if (units === "objectBoundingBox") look.inBox = new Set([...look.inBox, name]);
}

const ORDER: Paint[] = ["none", "plain", "shaded"];
const costlier = (one: Paint | null, other: Paint): Paint =>
  one !== null && ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other;

const paintOf = (value: string): Paint =>
  /url\(/i.test(value) ? "shaded" : /^\s*none\b/i.test(value) ? "none" : "plain";

function lengthOf(value: string): Length | null {
  const [, number, unit = ""] = LENGTH.exec(value.slice(0, 80)) ?? [];
  if (number === undefined) return null;
  if (unit === "%") return { value: Number(number) / 100, isShare: true };
  return { value: Number(number) * (PIXELS[unit.toLowerCase()] ?? 1), isShare: false };
}

function dashesOf(value: string): Dashes | null {
  const lengths = (
    value.slice(0, DASHES_MAX_CHARACTERS).match(/(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi) ?? []
  ).map(Number);
  const length = lengths.reduce((sum, each) => sum + each, 0);
  return length > 0 ? { count: lengths.length, length } : null;
}

const perUnit = (dashes: Dashes | null): number => (dashes ? dashes.count / dashes.length : 0);
const denser = (one: Dashes | null, other: Dashes | null): Dashes | null =>
  perUnit(one) > perUnit(other) ? one : other;

/**
 * Returns the outline of an element; null if it is no shape.
 * @param view the drawing, of which percentages are shares
 */
export function outlineOf(name: string, look: Look, view: Box): Outline | null {
  if (look.path) return look.path;
  const number = (of: string): number => {
    const found = look.numbers.get(of);
    if (!found) return 0;
    const isDown = of.startsWith("y") || of === "cy" || of === "ry" || of === "height";
    return found.isShare
      ? found.value * (isDown ? view.bottom - view.top : view.right - view.left)
      : found.value;
  };
  const meter = new OutlineMeter();
  switch (name) {
    case "rect":
    case "image": {
      const [x, y, width, height] = [number("x"), number("y"), number("width"), number("height")];
      meter.moveTo(x, y);
      const edges = look.numbers.has("rx") || look.numbers.has("ry") ? 8 : 1;
      meter.lineTo(x + width, y, edges);
      meter.lineTo(x + width, y + height, edges);
      meter.lineTo(x, y + height, edges);
      meter.lineTo(x, y, edges);
      return meter.outline;
    }
    case "circle":
      meter.ellipse(number("cx"), number("cy"), number("r"), number("r"));
      return meter.outline;
    case "ellipse":
      meter.ellipse(number("cx"), number("cy"), number("rx") || number("ry"), number("ry") || number("rx"));
      return meter.outline;
    case "line":
      meter.moveTo(number("x1"), number("y1"));
      meter.lineTo(number("x2"), number("y2"));
      return meter.outline;
    default:
      return null;
  }
}
