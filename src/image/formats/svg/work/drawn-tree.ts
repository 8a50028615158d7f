/** The cost of a drawing whose styles were written out as attributes, from its tree. */
import type { CostedElement } from "./costed-element.ts";
import { safeStyle } from "../css/css-rules.ts";
import { addReference, addValue, filterPasses, newCost } from "./element-cost.ts";
import { parsedTree, type SvgNode } from "../inline-styles/cascade/tree.ts";
import { viewOf } from "../inline-styles/paint/view.ts";
import type { Box } from "../geometry/outline.ts";
import { DRAWN_TEXT, FILTER_PRIMITIVES } from "../safe/vocabulary.ts";
import { SVG } from "../../../../limits.ts";
import { embeddedImage } from "../safe/references.ts";
import { type InPieces, pauseIfDue } from "./pieces.ts";
import { PRICES, type Work } from "./work.ts";

const URL = /url\(\s*["']?#([^"')]*)/gi;

export interface DrawnTree {
  root: CostedElement;
  /** The part of it that fills the canvas. */
  view: Box;
}

/**
 * @param document as `restyled` wrote it
 * @returns its root, and what of it fills the canvas
 */
export function* costedTree(document: string, work: Work): InPieces<DrawnTree> {
  return yield* costedNodes(yield* parsedTree(document, work), work);
}

/** Does the same for the tree of a document. @param nodes gets the node of each element */
export function* costedNodes(
  tree: SvgNode,
  work: Work,
  nodes: Map<CostedElement, SvgNode> | null = null,
): InPieces<DrawnTree> {
  const top = newCost("");
  const rest = [{ node: tree, parent: top }];
  for (let each = rest.pop(); each; each = rest.pop()) {
    const { node, parent } = each;
    const cost = costed(node, work);
    parent.children.push(cost);
    nodes?.set(cost, node);
    for (const child of node.elements.reverse()) rest.push({ node: child, parent: cost });
    if (work.isPauseDue) yield* pauseIfDue(work);
  }
  const root = top.children[0]!;
  root.isLayer = false;
  const { x, y, width, height } = viewOf(tree);
  return { root, view: { left: x, top: y, right: x + width, bottom: y + height } };
}

/** Returns the cost of an element without those in it. */
function costed(node: SvgNode, work: Work): CostedElement {
  work.spend(PRICES.restyled);
  const cost = newCost(node.name);
  for (const [name, value] of node.attributes) noteAttribute(cost, name, value, work);
  if (FILTER_PRIMITIVES.has(node.name)) cost.passes = filterPasses(node.name, node.attributes);
  if (DRAWN_TEXT.has(node.name)) addText(cost, node.text.length);
  return cost;
}

/** Adds text that is drawn. */
export function addText(cost: CostedElement, characters: number): void {
  cost.weight += characters / SVG.textCharactersPerElement;
  cost.look.characters += characters;
}

function noteAttribute(cost: CostedElement, name: string, value: string, work: Work): void {
  if (name === "id") cost.id = value;
  else if (name === "href" || name === "xlink:href") {
    if (value.startsWith("#")) addReference(cost, "href", value.slice(1));
    else if (cost.name === "image") cost.imagePixels = pixelsOf(value);
  } else if (name === "style") {
    for (const [property, text] of safeStyle(value, work).values) addValue(cost, property, text);
  } else {
    for (const [, id = ""] of value.matchAll(URL)) addReference(cost, name, id);
    if (name === "d" || name === "points") work.spend(value.length * PRICES.pathCharacter);
    addValue(cost, name, value);
  }
}

function pixelsOf(uri: string): number {
  const facts = embeddedImage(uri)?.facts;
  return facts ? facts.codedWidth * facts.codedHeight : 0;
}
