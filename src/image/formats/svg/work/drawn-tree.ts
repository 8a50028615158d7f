/** The cost of a drawing whose styles were written out as attributes, from its tree. */
import type { CostedElement } from "./costed-element.ts";
import { safeStyle } from "../css/css-rules.ts";
import { addReference, addValue, filterPasses, newCost } from "./element-cost.ts";
import { parseTree, type SvgNode } from "../inline-styles/cascade/tree.ts";
import { viewOf } from "../inline-styles/paint/view.ts";
import type { Box } from "../outline.ts";
import { DRAWN_TEXT, FILTER_PRIMITIVES } from "../vocabulary.ts";
import { SVG } from "../../../../limits.ts";
import { embeddedImage } from "../references.ts";
import { PRICES, type Work } from "./work.ts";

const URL = /url\(\s*["']?#([^"')]*)/gi;

/**
 * @param document as `restyled` wrote it
 * @returns its root, and what of it fills the canvas
 */
export function costedTree(document: string, work: Work): { root: CostedElement; view: Box } {
  work.spend(document.length * PRICES.parsed);
  const tree = parseTree(document);
  const root = costed(tree, work);
  root.isLayer = false;
  const { x, y, width, height } = viewOf(tree);
  return { root, view: { left: x, top: y, right: x + width, bottom: y + height } };
}

function costed(node: SvgNode, work: Work): CostedElement {
  work.spend(PRICES.restyled);
  const cost = newCost(node.name);
  for (const [name, value] of node.attributes) noteAttribute(cost, name, value, work);
  if (FILTER_PRIMITIVES.has(node.name)) cost.passes = filterPasses(node.name, node.attributes);
  for (const child of node.children) {
    if (typeof child !== "string") cost.children.push(costed(child, work));
    else if (DRAWN_TEXT.has(node.name)) addText(cost, child.length);
  }
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
