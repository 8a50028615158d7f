/**
 * A stored drawing with its styles written out as attributes, for a renderer that knows less of CSS than browsers do:
 * selectors, variables, sums, newer colours, transforms and markers of SVG 2. What is stored and served stays as it is.
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

export { Unresolved } from "./unresolved.ts";

/** The tree, and what is noted of each element, take up to a hundred bytes for each of the text. */
export const RESTYLED = {
  documentMaxCharacters: 524_288,
  elementsMax: 8000,
  /** Of what comes out: markers and styles that are shared may be written many times. */
  growthMax: 3,
  growthFreeCharacters: 65_536,
} as const;

/** What an element hands down to those in it. */
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
 * @param document as the sanitizer wrote it
 * @throws Unresolved when it asks for more than attributes can say
 */
export function restyled(document: string): string {
  if (document.length > RESTYLED.documentMaxCharacters) {
    throw new Unresolved("its styles are too long to be resolved");
  }
  const root = parseTree(document);
  const nodes = inOrder(root);
  if (nodes.length > RESTYLED.elementsMax) {
    throw new Unresolved("it has too many elements for its styles to be resolved");
  }
  const declared = cascade(nodes);
  const inherited: Inherited[] = [];
  const painted: Painted[] = [];
  const view = viewOf(root);
  const shadows = new Shadows(root, nodes);
  let written = 0;
  const mayWrite = RESTYLED.growthMax * document.length + RESTYLED.growthFreeCharacters;
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
  writeMarkersOut(root, painted, RESTYLED.elementsMax);
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
  if (node.parent === null) layGround(node, declarations, variables, isDark);
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

/** How far beyond its viewBox a drawing may be seen, where its sides are in another proportion. */
const BEYOND = 100;

/** A background of the root is painted below the drawing. */
function layGround(
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
    ["x", String(x - BEYOND * width)],
    ["y", String(y - BEYOND * height)],
    ["width", String((2 * BEYOND + 1) * width)],
    ["height", String((2 * BEYOND + 1) * height)],
    ["fill", colour],
    ["stroke", "none"],
    ["fill-opacity", "1"],
  ]);
  root.children.unshift(new SvgNode("rect", ground, root));
}
