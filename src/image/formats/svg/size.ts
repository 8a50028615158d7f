/** Reads the size of a drawing from its root element, as a browser does for an `img` (CSS Images, SVG 2 chapter 8). */
import { SVG } from "../../../limits.ts";
import { SvgRejectedError } from "./errors.ts";

export interface DrawingSize {
  /** The natural size in CSS pixels, not rounded. */
  width: number;
  height: number;
  /** The size in whole pixels: at least 1, and no side over SVG.sideMaxPixels. */
  stated: { width: number; height: number };
  viewBox: { width: number; height: number } | null;
}

/** The size of a replaced element that states none (CSS 2.1, 10.3.2). */
const DEFAULT_WIDTH = 300;
const DEFAULT_HEIGHT = 150;

const PIXELS_PER_UNIT: Record<string, number> = {
  "": 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
};

/** @throws SvgRejectedError for a drawing without an area, or with an absurdly large one */
export function drawingSize(attributes: ReadonlyMap<string, string>): DrawingSize {
  const box = readViewBox(attributes.get("viewBox"));
  let width = readLength(attributes.get("width"), "width");
  let height = readLength(attributes.get("height"), "height");
  if (box) {
    const ratio = box.height / box.width;
    if (width === null && height === null) ({ width, height } = box);
    width ??= height! / ratio;
    height ??= width * ratio;
  }
  width ??= DEFAULT_WIDTH;
  height ??= DEFAULT_HEIGHT;
  const isSane = (side: number): boolean => side >= MIN_SIDE && side <= MAX_SIDE;
  if (!isSane(width) || !isSane(height)) {
    throw new SvgRejectedError(`the drawing's size of ${width} x ${height} is not one to be drawn`);
  }
  const shrink = Math.min(1, SVG.sideMaxPixels / Math.max(width, height));
  const whole = (side: number): number => Math.max(1, Math.round(side * shrink));
  return { width, height, stated: { width: whole(width), height: whole(height) }, viewBox: box };
}

const MIN_SIDE = 1e-3;
const MAX_SIDE = 1e7;
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const LENGTH = new RegExp(`^\\s*(${NUMBER})\\s*([a-z]*)\\s*$`, "i");

/** Longer texts are not lengths or viewBoxes. They are not matched, because some patterns are slow on long texts. */
const LENGTH_MAX_CHARACTERS = 200;
const short = (text = ""): string => (text.length <= LENGTH_MAX_CHARACTERS ? text : "");

/** Returns a length in pixels; null if it depends on the page (percentages, `auto`) or is not a length. */
function readLength(text: string | undefined, side: string): number | null {
  const [, number, unit = ""] = LENGTH.exec(short(text)) ?? [];
  const factor = PIXELS_PER_UNIT[unit.toLowerCase()];
  if (number === undefined || factor === undefined) return null;
  const pixels = Number(number) * factor;
  if (pixels <= 0) throw new SvgRejectedError(`the drawing's ${side} is ${number}: it must be above 0`);
  return pixels;
}

const VIEW_BOX = new RegExp(
  `^\\s*(${NUMBER})(?:\\s*,\\s*|\\s+)(${NUMBER})(?:\\s*,\\s*|\\s+)(${NUMBER})(?:\\s*,\\s*|\\s+)(${NUMBER})\\s*$`,
);

function readViewBox(text: string | undefined): { width: number; height: number } | null {
  const [, , , width, height] = VIEW_BOX.exec(short(text)) ?? [];
  if (width === undefined || height === undefined) return null;
  const box = { width: Number(width), height: Number(height) };
  if (box.width > 0 && box.height > 0) return box;
  throw new SvgRejectedError("the drawing's viewBox has no area: nothing of it would be drawn");
}
