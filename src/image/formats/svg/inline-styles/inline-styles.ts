/**
 * Writes the styles of a stored drawing out as attributes, for a renderer that supports less CSS than browsers:
 * selectors, variables, sums, newer colours, transforms and markers of SVG 2. The stored file is not changed.
 */
import { BEYOND } from "../support/row.ts";
import { attributeRow, elementRow } from "../support/support.ts";
import { DRAWN_TEXT, PRESENTATION } from "../safe/vocabulary.ts";
import type { Size } from "../../../geometry/size.ts";
import { paintBackground } from "./paint/background.ts";
import { cascade, type Declaration } from "./cascade/cascade.ts";
import { applyConditions } from "./cascade/conditions.ts";
import { assertFilters } from "./paint/filters.ts";
import { writeFocalRadii } from "./paint/gradients.ts";
import { Ids } from "./cascade/ids.ts";
import { type Painted, writeMarkersOut } from "./paint/markers.ts";
import { enlargePatterns } from "./paint/patterns.ts";
import { resolvedProperties } from "./values/properties.ts";
import { Shadows } from "./paint/shadows.ts";
import { splitSmallScales } from "./paint/small-scales.ts";
import { writeStrokesOut } from "./paint/strokes.ts";
import { writeSymbolSizes } from "./paint/symbols.ts";
import { inCase } from "./paint/text-case.ts";
import { transformAttribute } from "./paint/transform.ts";
import { inOrder, parsedTree, type SvgNode, writeTree } from "./cascade/tree.ts";
import { pricesOfSimplifying } from "./values/price.ts";
import { Unresolved } from "./values/unresolved.ts";
import { type Box, isInPlaceOf, isInSpaceOf, viewOf } from "./paint/view.ts";
import { Variables } from "./values/variables.ts";
import { inOnePiece, type InPieces, pauseIfDue } from "../work/pieces.ts";
import { hideUnseenLayers } from "../work/unseen-layers.ts";
import { PRICES, TooMuchWork, Work } from "../work/work.ts";

export { Unresolved } from "./values/unresolved.ts";

/** Limits. The tree and the data about each element take up to a hundred bytes per byte of text. */
export const INLINING_LIMITS = {
  documentMaxCharacters: 524_288,
  elementsMax: 8000,
  /** Growth of the text by at most this factor: shared markers and styles may be written many times. */
  growthMax: 3,
  growthFreeCharacters: 65_536,
} as const;

/** The styles that the children of an element inherit. */
interface Inherited {
  variables: Variables;
  isDark: boolean;
  fill: string;
  stroke: string;
  color: string;
  textTransform: string;
  markers: ReadonlyMap<string, string>;
}

const START: Inherited = {
  variables: new Variables(),
  isDark: false,
  fill: "#000",
  stroke: "none",
  color: "#000",
  textTransform: "none",
  markers: new Map(),
};
const MARKERS = ["marker-start", "marker-mid", "marker-end"];

/**
 * Returns the drawing with its styles written out as attributes.
 * @param document a document that the sanitizer wrote
 * @param drawn the size at which it is drawn; null for its own size
 * @param work what is left of the budget of the drawing
 * @throws Unresolved when attributes cannot express its styles
 */
export const restyled = (
  document: string,
  drawn: Size | null = null,
  work = new Work(document.length),
): string => inOnePiece(restyledInPieces(document, drawn, work));

/** Does the same in pieces, between which the caller may serve others. */
export function* restyledInPieces(document: string, drawn: Size | null, work: Work): InPieces<string> {
  try {
    return yield* resolved(document, drawn, work);
  } catch (error) {
    if (error instanceof TooMuchWork) throw new Unresolved("its style sheets take too long to be resolved");
    throw error;
  }
}

function* resolved(document: string, drawn: Size | null, work: Work): InPieces<string> {
  if (document.length > INLINING_LIMITS.documentMaxCharacters) {
    throw new Unresolved("its styles are too long to be resolved");
  }
  const root = yield* parsedTree(document, work);
  const nodes = inOrder(root);
  if (nodes.length > INLINING_LIMITS.elementsMax) {
    throw new Unresolved("it has too many elements for its styles to be resolved");
  }
  work.spend(nodes.length * PRICES.restyled);
  yield* pauseIfDue(work);
  const declared = yield* cascade(nodes, work);
  const inherited: Inherited[] = [];
  const painted: Painted[] = [];
  const view = viewOf(root);
  const shadows = new Shadows(root, nodes);
  const ids = new Ids(nodes);
  const hasText = nodes.some(({ name }) => name === "text");
  let written = 0;
  const mayWrite = INLINING_LIMITS.growthMax * document.length + INLINING_LIMITS.growthFreeCharacters;
  const prices = pricesOfSimplifying(declared);
  for (const node of nodes) {
    work.spend(prices[node.index]!);
    const from = node.parent ? inherited[node.parent.index]! : START;
    const box = isInSpaceOf(root, node) ? view : null;
    const state = restyle(node, declared[node.index]!, from, { box, ids, hasText });
    inherited.push(state);
    const filter = node.attributes.get("filter");
    if (filter !== undefined) {
      const place = isInPlaceOf(root, node) ? view : null;
      node.attributes.set("filter", shadows.filterValue(filter, state.color, place));
    }
    painted.push({ node, ...paintsOf(state), markers: state.markers });
    for (const value of node.attributes.values()) written += value.length;
    if (written > mayWrite) throw new Unresolved("its styles grow too long");
    if (work.isPauseDue) yield* pauseIfDue(work);
  }
  writeSymbolSizes(nodes, ids);
  writeFocalRadii(nodes, ids, work);
  yield* pauseIfDue(work);
  assertFilters(root, nodes);
  assertAvailable(nodes);
  yield* writeStrokesOut(root, drawn, work);
  writeMarkersOut(root, painted, INLINING_LIMITS.elementsMax);
  shadows.finish();
  applyConditions(root);
  enlargePatterns(root, Math.max(view.width, view.height), work);
  splitSmallScales(root);
  yield* pauseIfDue(work);
  yield* hideUnseenLayers(root, work);
  return writeTree(root, mayWrite);
}

interface Context {
  /** The viewBox in the units of the element; null when that is unknown. */
  box: Box | null;
  ids: Ids;
  hasText: boolean;
}

function restyle(
  node: SvgNode,
  declarations: readonly Declaration[],
  from: Inherited,
  { box, ids, hasText }: Context,
): Inherited {
  const { attributes } = node;
  if (elementRow(node.name)?.handling === "vector") throw new Unresolved(`it has the element ${node.name}`);
  const variables = from.variables.within(declarations);
  const scheme = declarations.findLast(({ property }) => property === "color-scheme")?.value;
  const isDark = scheme === undefined ? from.isDark : /\bdark\b/.test(scheme) && !/\blight\b/.test(scheme);
  const resolved = resolvedProperties(node.name, declarations, { variables, isDark, hasText });
  for (const name of [...attributes.keys()]) {
    if (PRESENTATION.has(name) || name === "style" || name === "class") attributes.delete(name);
  }
  settleAttributes(node);
  for (const [name, value] of resolved.attributes) attributes.set(name, value);
  ids.settle(node);
  const style = [...resolved.style].map(([name, value]) => `${name}:${value};`).join("");
  if (style) attributes.set("style", style);
  const transform = transformAttribute(resolved.transforms, box);
  if (transform !== null) attributes.set("transform", transform);
  if (resolved.keepsSpace) attributes.set("xml:space", "preserve");
  const textTransform = resolved.textTransform ?? from.textTransform;
  if (textTransform !== "none" && (DRAWN_TEXT.has(node.name) || node.name === "a")) {
    node.children = node.children.map((child) =>
      typeof child === "string" ? inCase(child, textTransform) : child,
    );
  }
  if (node.parent === null) paintBackground(node, declarations, variables, isDark);
  const computed = (name: "fill" | "stroke" | "color"): string => {
    const value = attributes.get(name);
    return value === undefined || value === "inherit" ? from[name] : value;
  };
  const own = MARKERS.map((name) => [name, attributes.get(name) ?? "inherit"] as const);
  const set = own.filter(([, value]) => value !== "inherit");
  return {
    variables,
    isDark,
    fill: computed("fill"),
    stroke: computed("stroke"),
    color: computed("color"),
    textTransform,
    markers: set.length === 0 ? from.markers : new Map([...from.markers, ...set]),
  };
}

/** Writes attributes that are no properties in the form that resvg reads, without invalid ones. @throws Unresolved */
function settleAttributes({ attributes }: SvgNode): void {
  for (const [name, value] of attributes) {
    const read = attributeRow(name)?.read;
    if (!read) continue;
    const plain = read(value.trim(), false);
    if (plain === BEYOND) throw new Unresolved(`it sets ${name} to ${value.slice(0, 80)}`);
    if (plain === null) attributes.delete(name);
    else attributes.set(name, plain);
  }
}

/** Elements that are drawn where they are referred to. */
const RESOURCES = new Set(
  "linearGradient radialGradient pattern clipPath mask filter marker symbol".split(" "),
);

/** @throws Unresolved if one of these elements is hidden. The standard has it used all the same, browsers do not. */
function assertAvailable(nodes: readonly SvgNode[]): void {
  const hidden = new Set<SvgNode>();
  for (const node of nodes) {
    const isHidden =
      node.attributes.get("display") === "none" || (node.parent !== null && hidden.has(node.parent));
    if (!isHidden) continue;
    hidden.add(node);
    const isNeeded = node.parent === null || (RESOURCES.has(node.name) && node.attributes.has("id"));
    if (isNeeded) throw new Unresolved(`it hides the element ${node.name}`);
  }
}

const paintsOf = ({ fill, stroke, color }: Inherited): { fill: string; stroke: string } => {
  const plain = (paint: string): string => (/^currentcolor$/i.test(paint) ? color : paint);
  return { fill: plain(fill), stroke: plain(stroke) };
};
