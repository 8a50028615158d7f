/** Writes the size of a symbol on the elements that use it (SVG 2, section 5.5): SVG 1.1 has it there alone. */
import type { Ids } from "../cascade/ids.ts";
import type { SvgNode } from "../cascade/tree.ts";
import { Unresolved } from "../values/unresolved.ts";

/** @throws Unresolved for a symbol that is moved or transformed */
export function writeSymbolSizes(nodes: readonly SvgNode[], ids: Ids): void {
  for (const node of nodes) {
    if (node.name !== "use") continue;
    const symbol = ids.targetOf(node);
    if (symbol?.name !== "symbol") continue;
    for (const name of ["x", "y", "transform"]) {
      if (/[1-9]/.test(symbol.attributes.get(name) ?? ""))
        throw new Unresolved(`it has a symbol with ${name}`);
    }
    for (const side of ["width", "height"]) {
      const size = symbol.attributes.get(side);
      const own = node.attributes.get(side);
      if (size !== undefined && (own === undefined || own === "auto")) node.attributes.set(side, size);
    }
  }
}
