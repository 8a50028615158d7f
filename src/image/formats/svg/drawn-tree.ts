/** The cost of a drawing whose styles were written out as attributes, from its tree. */
import type { CostedElement } from "./costed-element.ts";
import { safeStyle } from "./css-rules.ts";
import { addReference, addValue, filterPasses, newCost } from "./element-cost.ts";
import { parseTree, type SvgNode } from "./inline-styles/tree.ts";
import { DRAWN_TEXT, FILTER_PRIMITIVES } from "./vocabulary.ts";
import { SVG } from "../../../limits.ts";
import type { Work } from "./work.ts";

const URL = /url\(\s*["']?#([^"')]*)/gi;

/** @param document as `restyled` wrote it */
export function costedTree(document: string, work: Work): CostedElement {
  const root = costed(parseTree(document), work);
  root.isLayer = false;
  return root;
}

function costed(node: SvgNode, work: Work): CostedElement {
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
  } else if (name === "style") {
    for (const [property, text] of safeStyle(value, work).values) addValue(cost, property, text);
  } else {
    for (const [, id = ""] of value.matchAll(URL)) addReference(cost, name, id);
    addValue(cost, name, value);
  }
}
