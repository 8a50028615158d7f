/** Writes out strokes that do not scale, and dashes that are shares of a path's length (SVG 2, chapter 13). */
import { drawingSize } from "../size.ts";
import type { Size } from "../../../model/size.ts";
import { linearPart, times, uniformScale, type Linear } from "./matrix.ts";
import { shapeLength } from "./shape-length.ts";
import { inOrder, type SvgNode } from "./tree.ts";
import { Unresolved } from "./unresolved.ts";
import { isInSpaceOf, viewOf } from "./view.ts";

const LENGTH = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:px)?$/i;
const DASHES = ["stroke-dasharray", "stroke-dashoffset"];

/**
 * @param drawn the size at which the drawing is drawn, on which strokes that do not scale depend; null for its own
 * @throws Unresolved
 */
export function writeStrokesOut(root: SvgNode, drawn: Size | null): void {
  for (const node of inOrder(root)) {
    const { attributes } = node;
    const pathLength = attributes.get("pathLength");
    attributes.delete("pathLength");
    if (pathLength !== undefined) writeDashes(node, Number(pathLength));
    if (attributes.get("vector-effect") !== "non-scaling-stroke") continue;
    attributes.delete("vector-effect");
    if ((computed(node, "stroke") ?? "none") === "none") continue;
    const scale = isInSpaceOf(root, node) ? uniformScale(scaleOn(root, node, drawn)) : null;
    if (scale === null || pathLength !== undefined)
      throw new Unresolved("it has a stroke that does not scale");
    multiply(node, [WIDTH, ...DASHES], 1 / scale);
  }
}

function writeDashes(node: SvgNode, pathLength: number): void {
  const dashes = computed(node, "stroke-dasharray") ?? "none";
  if (dashes === "none" || !(pathLength >= 0)) return;
  const length = pathLength > 0 ? shapeLength(node) : null;
  if (length === null) throw new Unresolved("it has dashes of a path with a length of its own");
  multiply(node, DASHES, length / pathLength);
}

/** How the element's units are seen on the picture. */
function scaleOn(root: SvgNode, node: SvgNode, drawn: Size | null): Linear {
  const { width, height } = drawingSize(root.attributes);
  const view = viewOf(root);
  const [x, y] = [(drawn?.width ?? width) / view.width, (drawn?.height ?? height) / view.height];
  // A picture is a whole number of pixels high, so the sides may differ a little.
  const fit = Math.abs(x / y - 1) < 0.02 ? Math.sqrt(x * y) : Math.min(x, y);
  const isSlice = /slice/.test(root.attributes.get("preserveAspectRatio") ?? "");
  const isStretched = root.attributes.get("preserveAspectRatio")?.trim() === "none";
  const scale = isSlice ? Math.max(x, y) : fit;
  let product: Linear = isStretched && scale !== fit ? [x, 0, 0, y] : [scale, 0, 0, scale];
  for (const at of [...ancestors(node)].reverse()) {
    const transform = at.attributes.get("transform");
    if (transform !== undefined) product = times(product, linearPart(transform));
  }
  return product;
}

function* ancestors(node: SvgNode): Generator<SvgNode> {
  for (let at: SvgNode | null = node; at; at = at.parent) yield at;
}

function computed(node: SvgNode, property: string): string | undefined {
  for (const { attributes } of ancestors(node)) {
    const value = attributes.get(property);
    if (value !== undefined && value !== "inherit") return value;
  }
  return undefined;
}

const WIDTH = "stroke-width";

/** Multiplies the computed lengths of these properties. @throws Unresolved for units that depend on something */
function multiply(node: SvgNode, properties: readonly string[], factor: number): void {
  for (const property of properties) {
    const value = computed(node, property) ?? (property === WIDTH ? "1" : "none");
    if (value === "none") continue;
    const parts = value.trim().split(/\s*,\s*|\s+/);
    const numbers = parts.map((part) => Number(LENGTH.exec(part)?.[1] ?? NaN) * factor);
    if (numbers.some(Number.isNaN)) throw new Unresolved(`its ${property} is ${value.slice(0, 80)}`);
    node.attributes.set(property, numbers.map((number) => Number(number.toPrecision(9))).join(" "));
  }
}
