/** Finds out in which coordinate system an element is, as far as that is possible without computing geometry. */
import { drawingSize } from "../../size.ts";
import type { SvgNode } from "../cascade/tree.ts";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Elements whose content has its own units, or is drawn elsewhere. */
const OWN_SPACE = new Set(["svg", "symbol", "marker", "pattern", "mask", "clipPath", "defs"]);

/** Returns the viewBox of the drawing; if it has none, its size. */
export function viewOf(root: SvgNode): Box {
  const [x = 0, y = 0, ...sides] = (root.attributes.get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const { width, height, viewBox } = drawingSize(root.attributes);
  return viewBox && sides.length === 2 ? { x, y, ...viewBox } : { x: 0, y: 0, width, height };
}

/** Returns whether the element has the same units as the drawing. */
export function isInSpaceOf(root: SvgNode, node: SvgNode): boolean {
  for (let at = node.parent; at && at !== root; at = at.parent) if (OWN_SPACE.has(at.name)) return false;
  return true;
}

/** Returns whether it also has the same origin: no ancestor is transformed. Styles must be attributes already. */
export function isInPlaceOf(root: SvgNode, node: SvgNode): boolean {
  if (!isInSpaceOf(root, node)) return false;
  for (let at: SvgNode | null = node; at; at = at.parent) if (at.attributes.has("transform")) return false;
  return true;
}
