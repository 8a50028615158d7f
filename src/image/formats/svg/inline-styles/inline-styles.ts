/**
 * Writes the styles of a stored drawing out as attributes, for a renderer that supports less CSS than browsers:
 * selectors, variables, sums, newer colours, transforms and markers of SVG 2. The stored file is not changed.
 */
import { cascade, type Declaration } from "./cascade.ts";
import { type Painted, writeMarkersOut } from "./markers.ts";
import { resolvedProperties } from "./properties.ts";
import { Shadows } from "./shadows.ts";
import { transformAttribute } from "./transform.ts";
import { inOrder, parseTree, SvgNode, writeTree } from "./tree.ts";
import { Unresolved } from "./unresolved.ts";
import { type Box, isInPlaceOf, isInSpaceOf, viewOf } from "./view.ts";
import { plainValue, withVariables } from "./values.ts";
import { Variables } from "./variables.ts";
import { PRESENTATION } from "../vocabulary.ts";
import { TooMuchWork, Work } from "../work.ts";

export { Unresolved } from "./unresolved.ts";

/** Limits. The tree and the data about each element take up to a hundred bytes per byte of text. */
export const INLINING_LIMITS = {
  documentMaxCharacters: 524_288,
  elementsMax: 8000,
  /** Growth of the text by at most this factor: shared markers and styles may be written many times. */
  growthMax: 3,
  growthFreeCharacters: 65_536,
} as const;

/** Units of work per character of the document, which is parsed and written once more. */
const PARSED_PRICE = 8;

/** What the children of an element inherit. */
interface Inherited {
  variables: Variables;
  isDark: boolean;
  fill: string;
  stroke: string;
  color: string;
  markers: ReadonlyMap<string, string>;
}

const START: Inherited = {
  variables: new Variables(),
  isDark: false,
  fill: "#000",
  stroke: "none",
  color: "#000",
  markers: new Map(),
};
const MARKERS = ["marker-start", "marker-mid", "marker-end"];

/**
 * The drawing with its styles written out as attributes.
 * @param document a document that the sanitizer wrote
 * @param work what is left of the budget of the drawing
 * @throws Unresolved when attributes cannot express its styles
 */
export function restyled(document: string, work = new Work(document.length)): string {
  try {
    return resolved(document, work);
  } catch (error) {
    if (error instanceof TooMuchWork) throw new Unresolved("its style sheets take too long to be resolved");
    throw error;
  }
}

function resolved(document: string, work: Work): string {
  if (document.length > INLINING_LIMITS.documentMaxCharacters) {
    throw new Unresolved("its styles are too long to be resolved");
  }
  work.spend(document.length * PARSED_PRICE);
  const root = parseTree(document);
  const nodes = inOrder(root);
  if (nodes.length > INLINING_LIMITS.elementsMax) {
    throw new Unresolved("it has too many elements for its styles to be resolved");
  }
  const declared = cascade(nodes, work);
  const inherited: Inherited[] = [];
  const painted: Painted[] = [];
  const view = viewOf(root);
  const shadows = new Shadows(root, nodes);
  let written = 0;
  const mayWrite = INLINING_LIMITS.growthMax * document.length + INLINING_LIMITS.growthFreeCharacters;
  for (const node of nodes) {
    const from = node.parent ? inherited[node.parent.index]! : START;
    const state = restyle(node, declared[node.index]!, from, isInSpaceOf(root, node) ? view : null);
    inherited.push(state);
    const filter = node.attributes.get("filter");
    if (filter !== undefined) {
      const place = isInPlaceOf(root, node) ? view : null;
      node.attributes.set("filter", shadows.filterValue(filter, state.color, place));
    }
    painted.push({ node, ...paintsOf(state), markers: state.markers });
    for (const value of node.attributes.values()) written += value.length;
    if (written > mayWrite) throw new Unresolved("its styles grow too long");
  }
  writeMarkersOut(root, painted, INLINING_LIMITS.elementsMax);
  shadows.finish();
  const text = writeTree(root);
  if (text.length > mayWrite) throw new Unresolved("its markers grow too many");
  return text;
}

function restyle(
  node: SvgNode,
  declarations: readonly Declaration[],
  from: Inherited,
  box: Box | null,
): Inherited {
  const { attributes } = node;
  const variables = from.variables.within(declarations);
  const scheme = declarations.findLast(({ property }) => property === "color-scheme")?.value;
  const isDark = scheme === undefined ? from.isDark : /\bdark\b/.test(scheme) && !/\blight\b/.test(scheme);
  const resolved = resolvedProperties(node.name, declarations, variables, isDark);
  for (const name of [...attributes.keys()]) {
    if (PRESENTATION.has(name) || name === "style" || name === "class") attributes.delete(name);
  }
  for (const [name, value] of resolved.attributes) attributes.set(name, value);
  const style = [...resolved.style].map(([name, value]) => `${name}:${value};`).join("");
  if (style) attributes.set("style", style);
  const transform = transformAttribute(resolved.transforms, box);
  if (transform !== null) attributes.set("transform", transform);
  if (resolved.keepsSpace) attributes.set("xml:space", "preserve");
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
    markers: set.length === 0 ? from.markers : new Map([...from.markers, ...set]),
  };
}

const paintsOf = ({ fill, stroke, color }: Inherited): { fill: string; stroke: string } => {
  const plain = (paint: string): string => (/^currentcolor$/i.test(paint) ? color : paint);
  return { fill: plain(fill), stroke: plain(stroke) };
};

/**
 * How far the background extends beyond the viewBox, in multiples of its sides: more than the viewBox is visible if the
 * picture has other proportions.
 */
const BACKGROUND_SIDE_FACTOR = 100;

/** Paints the background of the root below the drawing. */
function paintBackground(
  root: SvgNode,
  declarations: readonly Declaration[],
  variables: Variables,
  isDark: boolean,
): void {
  const said = declarations.findLast(({ property }) => /^background(?:-color)?$/.test(property));
  const value = said ? withVariables(said.value, (name) => variables.get(name)) : null;
  const colour = value === null ? null : plainValue(value, isDark);
  if (!said || !colour || /^(?:none|transparent|initial|unset|inherit|revert)$/i.test(colour)) return;
  if (!/^(?:#[\da-f]{3,8}|[a-z]+|rgba\([^()]*\))$/i.test(colour)) {
    throw new Unresolved(`it sets ${said.property} to ${colour.slice(0, 80)}`);
  }
  const { x, y, width, height } = viewOf(root);
  const ground = new Map([
    ["x", String(x - BACKGROUND_SIDE_FACTOR * width)],
    ["y", String(y - BACKGROUND_SIDE_FACTOR * height)],
    ["width", String((2 * BACKGROUND_SIDE_FACTOR + 1) * width)],
    ["height", String((2 * BACKGROUND_SIDE_FACTOR + 1) * height)],
    ["fill", colour],
    ["stroke", "none"],
    ["fill-opacity", "1"],
  ]);
  root.children.unshift(new SvgNode("rect", ground, root));
}
