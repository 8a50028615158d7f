/** A stored drawing, as the sanitizer wrote it, seen as something to be drawn at a given size. */
import { drawingSize } from "./size.ts";
import type { Size } from "../../model/size.ts";

/** The root's start tag: the sanitizer writes no `>` into an attribute. */
const ROOT = /^<svg( [^>]*?)?(\/?)>/;
const ATTRIBUTE = / ([\w:.-]+)="([^"]*)"/g;
/** At the root of a file these are of no effect, or replaced; on an inner drawing they would be. */
const OF_THE_ROOT = new Set(["xmlns", "xmlns:xlink", "width", "height", "x", "y", "overflow", "viewBox"]);
/** Sides in proportion up to this are meant to be: what is left is stretched, by less than a pixel. */
const RATIO_TOLERANCE = 1e-3;

interface Root {
  attributes: Map<string, string>;
  size: Size;
  viewBox: string;
  isInProportion: boolean;
  rest: string;
}

/**
 * The drawing with `width` by `height` pixels as its size, to be drawn whole.
 * @throws Error for a text that the sanitizer did not write
 */
export function drawnWhole(document: string, { width, height }: Size): string {
  const { attributes, viewBox, isInProportion, rest } = rootOf(document);
  attributes.set("width", String(width)).set("height", String(height)).set("viewBox", viewBox);
  // The height was rounded to a whole pixel: without this, the drawing would leave a part of one empty.
  if (isInProportion) attributes.set("preserveAspectRatio", "none");
  return `${startTag(attributes)}${rest}`;
}

/**
 * The same inside another drawing whose units are pixels, so that any band of it can be drawn; null when that
 * would change it: a style sheet may speak of the root, which is then another.
 */
export function drawnInBands(document: string, { width, height }: Size): string | null {
  const { attributes, size, viewBox, rest } = rootOf(document);
  if (document.includes("<style")) return null;
  const outer = new Map([...attributes].filter(([name]) => name.startsWith("xmlns")));
  outer.set("width", String(width)).set("height", String(height)).set("viewBox", `0 0 ${width} ${height}`);
  const inner = new Map([...attributes].filter(([name]) => !OF_THE_ROOT.has(name)));
  inner.set("width", String(size.width)).set("height", String(size.height));
  inner.set("viewBox", viewBox).set("overflow", "visible");
  const scale = `scale(${width / size.width} ${height / size.height})`;
  return `${startTag(outer)}<g transform="${scale}">${startTag(inner)}${rest}</g></svg>`;
}

function rootOf(document: string): Root {
  const [tag, list = "", slash = ""] = ROOT.exec(document) ?? [];
  if (tag === undefined) throw new Error("the stored drawing does not begin with its root");
  const attributes = new Map([...list.matchAll(ATTRIBUTE)].map(([, name, value]) => [name!, value!]));
  const { width, height, viewBox } = drawingSize(attributes);
  const box = viewBox ?? { width, height };
  return {
    attributes,
    size: { width, height },
    viewBox: attributes.get("viewBox") ?? `0 0 ${width} ${height}`,
    isInProportion: Math.abs((width * box.height) / (height * box.width) - 1) < RATIO_TOLERANCE,
    rest: slash === "" ? document.slice(tag.length) : "</svg>",
  };
}

const startTag = (attributes: ReadonlyMap<string, string>): string =>
  `<svg ${[...attributes].map(([name, value]) => `${name}="${value}"`).join(" ")}>`;
