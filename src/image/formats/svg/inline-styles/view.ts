/** Where elements stand in the whole of a drawing, as far as that can be told without any geometry. */
import { drawingSize } from "../size.ts";
import type { SvgNode } from "./tree.ts";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Elements whose content is measured in units of its own, or drawn in another place. */
const OWN_SPACE = new Set(["svg", "symbol", "marker", "pattern", "mask", "clipPath", "defs"]);

/** The viewBox of the drawing, or its size. */
export function viewOf(root: SvgNode): Box {
  const [x = 0, y = 0, ...sides] = (root.attributes.get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const { width, height, viewBox } = drawingSize(root.attributes);
  return viewBox && sides.length === 2 ? { x, y, ...viewBox } : { x: 0, y: 0, width, height };
}

/** Whether lengths of an element are lengths of the drawing. */
export function isInSpaceOf(root: SvgNode, node: SvgNode): boolean {
  for (let at = node.parent; at && at !== root; at = at.parent) if (OWN_SPACE.has(at.name)) return false;
  return true;
}

/** The same, for a place too: nothing that it is in was moved. Styles are attributes by then. */
export function isInPlaceOf(root: SvgNode, node: SvgNode): boolean {
  if (!isInSpaceOf(root, node)) return false;
  for (let at: SvgNode | null = node; at; at = at.parent) if (at.attributes.has("transform")) return false;
  return true;
}
