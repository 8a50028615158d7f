/** Evaluates conditional processing (SVG 2, section 5.10) for a raster, which has no extensions. */
import type { SvgNode } from "./tree.ts";

/** Removes the elements whose conditions fail, and all but one child of each `switch`. */
export function applyConditions(node: SvgNode): void {
  let isChosen = false;
  node.children = node.children.filter((child) => {
    if (typeof child === "string") return true;
    const isLeftOut = /\S/.test(child.attributes.get("requiredExtensions") ?? "");
    for (const name of ["requiredExtensions", "requiredFeatures"]) child.attributes.delete(name);
    if (node.name !== "switch") return !isLeftOut;
    const isFirst = !isChosen && !isLeftOut;
    isChosen ||= isFirst;
    return isFirst;
  });
  for (const child of node.elements) applyConditions(child);
  if (node.name === "switch") node.name = "g";
}
