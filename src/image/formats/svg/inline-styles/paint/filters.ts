/** Recognises filters that the renderer does not draw as browsers do. */
import { isUpright, readTransforms } from "../../geometry/matrix.ts";
import type { SvgNode } from "../cascade/tree.ts";
import { Unresolved } from "../values/unresolved.ts";

/** @param nodes in document order @throws Unresolved when one of them is such a filter, or is filtered while it is turned or skewed */
export function assertFilters(root: SvgNode, nodes: readonly SvgNode[]): void {
  /** Elements that are turned or skewed, with all that they hold. */
  const turned = new Set<SvgNode>();
  for (const node of nodes) {
    const { name, attributes } = node;
    const transform = attributes.get("transform");
    const isTurned = transform !== undefined && !isUpright(readTransforms(transform));
    if (isTurned || (node.parent && turned.has(node.parent))) turned.add(node);
    if (name === "feColorMatrix") assertColourMatrix(attributes);
    if (name === "feConvolveMatrix") assertConvolution(attributes);
    if ((attributes.get("filter") ?? "none") === "none") continue;
    if (node === root) throw new Unresolved("it filters its root");
    if (turned.has(node)) throw new Unresolved("it filters what is turned or skewed");
  }
  for (const property of ["clip-path", "mask"]) {
    if ((root.attributes.get(property) ?? "none") !== "none")
      throw new Unresolved(`it has a ${property} on its root`);
  }
}

function assertColourMatrix(attributes: ReadonlyMap<string, string>): void {
  const value = Number(attributes.get("values") ?? "1");
  if (attributes.get("type") === "saturate" && !(value >= 0 && value <= 1)) {
    throw new Unresolved("it has an feColorMatrix beyond full saturation");
  }
}

/** Refuses a kernel whose numbers add up to 0: it has a divisor of 1, for which the renderer takes another. */
function assertConvolution(attributes: ReadonlyMap<string, string>): void {
  const kernel = (attributes.get("kernelMatrix") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (!attributes.has("divisor") && kernel.reduce((sum, value) => sum + value, 0) === 0) {
    throw new Unresolved("it has an feConvolveMatrix without a divisor");
  }
}
