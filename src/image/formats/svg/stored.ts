/** Prepares a stored drawing, as the sanitizer wrote it, for being drawn at a given size. */
import { drawingSize } from "./size.ts";
import type { Size } from "../../geometry/size.ts";

/** The start tag of the root. The sanitizer never writes `>` into an attribute. */
const ROOT = /^<svg( [^>]*?)?(\/?)>/;
const ATTRIBUTE = / ([\w:.-]+)="([^"]*)"/g;
/** Attributes that an inner `svg` must not take over: on a root they are replaced or have no effect. */
const ROOT_ATTRIBUTES = new Set(["xmlns", "xmlns:xlink", "width", "height", "x", "y", "overflow", "viewBox"]);
/** Proportions that differ by less than this count as equal; the rest is stretched, by less than a pixel. */
const RATIO_TOLERANCE = 1e-3;

interface Root {
  attributes: Map<string, string>;
  size: Size;
  viewBox: string;
  isInProportion: boolean;
  rest: string;
}

/**
 * Returns the drawing with a size of `width` by `height` pixels, to be drawn whole.
 * @throws Error for a text that the sanitizer did not write
 */
export function drawnWhole(document: string, { width, height }: Size): string {
  const { attributes, viewBox, isInProportion, rest } = rootOf(document);
  attributes.set("width", String(width)).set("height", String(height)).set("viewBox", viewBox);
  // The height was rounded to whole pixels. Without this, a part of a pixel would stay empty.
  if (isInProportion) attributes.set("preserveAspectRatio", "none");
  return `${startTag(attributes)}${rest}`;
}

/**
 * Returns the same, nested in an outer drawing whose units are pixels, so that any band can be drawn. Null if the
 * drawing has a style sheet: it may refer to the root, which would then be another element.
 */
export function drawnInBands(document: string, { width, height }: Size): string | null {
  const { attributes, size, viewBox, rest } = rootOf(document);
  if (document.includes("<style")) return null;
  const outer = new Map([...attributes].filter(([name]) => name.startsWith("xmlns")));
  outer.set("width", String(width)).set("height", String(height)).set("viewBox", `0 0 ${width} ${height}`);
  const inner = new Map([...attributes].filter(([name]) => !ROOT_ATTRIBUTES.has(name)));
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
