/**
 * Looks at the tree of HTML that parse5 builds. The walks have a list of their own instead of the stack: a broken page nests
 * its elements thousands deep.
 */
import { defaultTreeAdapter as tree, type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

/** Returns the value of an attribute; empty for none. */
export const attribute = ({ attrs }: Element, name: string): string =>
  attrs.find((one) => one.name === name)?.value ?? "";

/** Yields a node and all nodes inside it, in the order of the text. */
function* nodesOf(node: Node | Element): Generator<Node> {
  const left: Node[] = [node];
  for (let next = left.pop(); next; next = left.pop()) {
    yield next;
    if (tree.isElementNode(next)) for (const child of next.childNodes.toReversed()) left.push(child);
  }
}

/** Returns the text of an element without its marks. */
export function textIn(node: Node | Element): string {
  const texts: string[] = [];
  for (const one of nodesOf(node)) {
    if (tree.isTextNode(one)) texts.push(one.value);
    else if (tree.isElementNode(one) && one.tagName === "br") texts.push("\n");
  }
  return texts.join("");
}

/** Returns the elements of a name inside another one, in the order of the text. */
export function elementsIn(element: Element, name: string): Element[] {
  const found: Element[] = [];
  for (const one of nodesOf(element))
    if (one !== element && tree.isElementNode(one) && one.tagName === name) found.push(one);
  return found;
}

/** Returns whether the elements inside a node are nested deeper than a number of levels. */
export function isDeeperThan(levels: number, nodes: readonly Node[]): boolean {
  let row: readonly Node[] = nodes;
  for (let level = 0; level <= levels; level++) {
    row = row.flatMap((node) => (tree.isElementNode(node) ? node.childNodes : []));
    if (row.length === 0) return false;
  }
  return true;
}
