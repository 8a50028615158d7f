/** Writes out strokes that do not scale, and dashes that are shares of a path's length (SVG 2, chapter 13). */
import { drawingSize } from "../../size.ts";
import type { Size } from "../../../../geometry/size.ts";
import { after, type Matrix, readTransforms, scaling, uniformScale } from "../../geometry/matrix.ts";
import { shapeLength } from "./shape-length.ts";
import { inOrder, type SvgNode } from "../cascade/tree.ts";
import { Unresolved } from "../values/unresolved.ts";
import { type InPieces, pauseIfDue } from "../../work/pieces.ts";
import { PRICES, type Work } from "../../work/work.ts";
import { isInSpaceOf, viewOf } from "./view.ts";

const LENGTH = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?:px)?$/i;
const DASHES = ["stroke-dasharray", "stroke-dashoffset"];

/** Elements that have a stroke of their own: it is nothing that others inherit. */
const STROKED = new Set("path rect circle ellipse line polyline polygon text tspan textPath".split(" "));
const NON_SCALING = "non-scaling-stroke";

/**
 * @param drawn the size at which the drawing is drawn, on which strokes that do not scale depend; null for its own
 * @throws Unresolved, TooMuchWork
 */
export function* writeStrokesOut(root: SvgNode, drawn: Size | null, work: Work): InPieces<void> {
  const nodes = inOrder(root);
  const isNonScaling = ({ attributes }: SvgNode): boolean => attributes.get("vector-effect") === NON_SCALING;
  const scales = nodes.some(isNonScaling) ? scalesOf(root, nodes, drawn) : [];
  for (const node of nodes) {
    const { attributes } = node;
    const pathLength = attributes.get("pathLength");
    attributes.delete("pathLength");
    if (work.isPauseDue) yield* pauseIfDue(work);
    if (pathLength !== undefined) writeDashes(node, Number(pathLength), work);
    if (!isNonScaling(node)) continue;
    attributes.delete("vector-effect");
    if (!STROKED.has(node.name) || (computed(node, "stroke", work) ?? "none") === "none") continue;
    const scale = isInSpaceOf(root, node) ? uniformScale(scales[node.index]!) : null;
    if (scale === null || pathLength !== undefined)
      throw new Unresolved("it has a stroke that does not scale");
    multiply(node, [WIDTH, ...DASHES], 1 / scale, work);
  }
}

function writeDashes(node: SvgNode, pathLength: number, work: Work): void {
  const dashes = computed(node, "stroke-dasharray", work) ?? "none";
  if (dashes === "none" || !(pathLength >= 0)) return;
  const length = pathLength > 0 ? shapeLength(node, work) : null;
  if (length === null) throw new Unresolved("it has dashes of a path with a length of its own");
  multiply(node, DASHES, length / pathLength, work);
}

/** Returns the transformation of each element's units to the picture. */
function scalesOf(root: SvgNode, nodes: readonly SvgNode[], drawn: Size | null): Matrix[] {
  const scales: Matrix[] = [];
  for (const { attributes, parent } of nodes) {
    const above = parent ? scales[parent.index]! : scaleOfView(root, drawn);
    const transform = attributes.get("transform");
    scales.push(transform === undefined ? above : after(above, readTransforms(transform)));
  }
  return scales;
}

function scaleOfView(root: SvgNode, drawn: Size | null): Matrix {
  const { width, height } = drawingSize(root.attributes);
  const view = viewOf(root);
  const [x, y] = [(drawn?.width ?? width) / view.width, (drawn?.height ?? height) / view.height];
  // A picture is a whole number of pixels high, so the sides may differ a little.
  if (Math.abs(x / y - 1) < 0.02) return scaling(Math.sqrt(x * y));
  const fit = root.attributes.get("preserveAspectRatio")?.trim() ?? "";
  if (fit === "none") return scaling(x, y);
  return scaling(/slice/.test(fit) ? Math.max(x, y) : Math.min(x, y));
}

function* ancestors(node: SvgNode): Generator<SvgNode> {
  for (let at: SvgNode | null = node; at; at = at.parent) yield at;
}

function computed(node: SvgNode, property: string, work: Work): string | undefined {
  for (const { attributes } of ancestors(node)) {
    work.spend(PRICES.asked);
    const value = attributes.get(property);
    if (value !== undefined && value !== "inherit") return value;
  }
  return undefined;
}

const WIDTH = "stroke-width";

/** Multiplies the computed lengths of these properties. @throws Unresolved for units that depend on something */
function multiply(node: SvgNode, properties: readonly string[], factor: number, work: Work): void {
  for (const property of properties) {
    const value = computed(node, property, work) ?? (property === WIDTH ? "1" : "none");
    if (value === "none") continue;
    // Many elements may inherit one long list.
    work.spend(value.length * PRICES.listed);
    const parts = value.trim().split(/\s*,\s*|\s+/);
    const numbers = parts.map((part) => Number(LENGTH.exec(part)?.[1] ?? NaN) * factor);
    if (numbers.some(Number.isNaN)) throw new Unresolved(`its ${property} is ${value.slice(0, 80)}`);
    node.attributes.set(property, numbers.map((number) => Number(number.toPrecision(9))).join(" "));
  }
}
