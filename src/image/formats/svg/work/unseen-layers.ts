/**
 * Hides what is drawn to a layer far outside the picture. The renderer cuts layers off at two sizes of the picture around
 * it, and fails on one that lies beyond that. Design programs leave such objects beside the page.
 */
import { SVG } from "../../../../limits.ts";
import type { SvgNode } from "../inline-styles/cascade/tree.ts";
import { drawingCost } from "./complexity.ts";
import { byId, type CostedElement } from "./costed-element.ts";
import { costedNodes } from "./drawn-tree.ts";
import { DrawnWorkCounter } from "./drawn-work.ts";
import { type InPieces, pauseIfDue } from "./pieces.ts";
import { PRICES, type Work } from "./work.ts";

/** @throws SvgRejectedError when the drawing is too complex */
export function* hideUnseenLayers(root: SvgNode, work: Work): InPieces<void> {
  const nodes = new Map<CostedElement, SvgNode>();
  const { root: cost, view } = yield* costedNodes(root, work, nodes);
  if (![...nodes.keys()].some(({ isLayer }) => isLayer)) return;
  const { elements } = drawingCost(cost);
  if (elements > SVG.followedElementsMax) return;
  work.spend(elements * PRICES.visited);
  yield* pauseIfDue(work);
  const counter = new DrawnWorkCounter(byId(cost), view);
  counter.count(cost);
  // An element that is hidden is still found by what refers to it or to something in it.
  for (const element of counter.unseenLayers) nodes.get(element)?.attributes.set("display", "none");
}
