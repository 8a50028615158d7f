/**
 * Splits transforms that make things very small. The renderer leaves out an element whose own transform scales by less
 * than 1/4096. Office programs write such transforms, from units of 1/914,400 inch.
 */
import { readTransforms } from "../../geometry/matrix.ts";
import { inOrder, SvgNode } from "../cascade/tree.ts";

/** Elements with a smaller scale are wrapped in a group, which does most of it. */
const SMALLEST = 1 / 2048;
const PART = 1 / 64;

export function splitSmallScales(root: SvgNode): void {
  for (const parent of inOrder(root)) {
    parent.children = parent.children.map((child) =>
      typeof child === "string" ? child : split(child, parent),
    );
  }
}

function split(node: SvgNode, parent: SvgNode): SvgNode {
  const transform = node.attributes.get("transform");
  if (transform === undefined) return node;
  const [a, b, c, d] = readTransforms(transform);
  const least = Math.min(Math.hypot(a, b), Math.hypot(c, d));
  if (!(least > 0 && least < SMALLEST)) return node;
  const group = new SvgNode("g", new Map([["transform", `${transform} scale(${1 / PART})`]]), parent);
  group.children = [node];
  node.attributes.set("transform", `scale(${PART})`);
  return group;
}
