/** A stored drawing as a tree, for selectors and inheritance, which need siblings and parents. */
import { Unresolved } from "../values/unresolved.ts";
import { escapeAttribute, escapeText } from "../../safe/text.ts";
import { type InPieces, pauseIfDue } from "../../work/pieces.ts";
import { PRICES, type Work } from "../../work/work.ts";
import { XmlReader } from "../../xml/reader.ts";

export class SvgNode {
  name: string;
  /** The values of the attributes, by name. */
  readonly attributes: Map<string, string>;
  readonly parent: SvgNode | null;
  children: (SvgNode | string)[] = [];
  /** Its index in document order. */
  index = 0;

  constructor(name: string, attributes: Map<string, string>, parent: SvgNode | null) {
    this.name = name;
    this.attributes = attributes;
    this.parent = parent;
  }

  get elements(): SvgNode[] {
    return this.children.filter((child) => child instanceof SvgNode);
  }

  get text(): string {
    return this.children.filter((child) => typeof child === "string").join("");
  }

  /** Returns a deep copy with `parent` as its parent. */
  copy(parent: SvgNode | null): SvgNode {
    const copied = new SvgNode(this.name, new Map(this.attributes), parent);
    copied.children = this.children.map((child) => (typeof child === "string" ? child : child.copy(copied)));
    return copied;
  }
}

/**
 * Parses a document of the sanitizer, or one that was written out.
 * @throws Error for a text that the sanitizer did not write
 */
export function* parsedTree(document: string, work: Work): InPieces<SvgNode> {
  const reader = new XmlReader(document);
  let paid = 0;
  const roots: SvgNode[] = [];
  const open: SvgNode[] = [];
  for (let part = reader.next(); part !== null; part = reader.next()) {
    // A part is paid for once it is read, when its length is known.
    work.spend((reader.position - paid) * PRICES.parsed);
    paid = reader.position;
    if (work.isPauseDue) yield* pauseIfDue(work);
    const parent = open.at(-1) ?? null;
    if (part.kind === "open") {
      const { name, attributes } = part.element;
      const node = new SvgNode(name, new Map(attributes.map((each) => [each.name, each.value])), parent);
      if (parent) parent.children.push(node);
      else roots.push(node);
      open.push(node);
    } else if (part.kind === "close") open.pop();
    else if (part.kind === "text") parent?.children.push(part.text);
    else if (part.kind !== "nothing") throw new Error(`the stored drawing has a ${part.kind}`);
  }
  return roots[0]!;
}

/** Returns all elements of a tree, in document order. Sets the `index` of each. */
export function inOrder(root: SvgNode): SvgNode[] {
  const found: SvgNode[] = [];
  const visit = (node: SvgNode): void => {
    node.index = found.length;
    found.push(node);
    for (const child of node.children) if (typeof child !== "string") visit(child);
  };
  visit(root);
  return found;
}

/** Writes a tree as text, without its style sheets. @throws Unresolved when it is longer than that */
export function writeTree(root: SvgNode, maxCharacters: number): string {
  const parts: string[] = [];
  let characters = 0;
  const write = (text: string): void => {
    characters += text.length;
    // Copies share their texts, so that a tree may be far longer than it is large.
    if (characters > maxCharacters) throw new Unresolved("what it repeats grows too long");
    parts.push(text);
  };
  const visit = (node: SvgNode): void => {
    if (node.name === "style") return;
    write(`<${node.name}`);
    for (const [name, value] of node.attributes) write(` ${name}="${escapeAttribute(value)}"`);
    if (node.children.length === 0) {
      write("/>");
      return;
    }
    write(">");
    for (const child of node.children)
      if (typeof child === "string") write(escapeText(child));
      else visit(child);
    write(`</${node.name}>`);
  };
  visit(root);
  return `${parts.join("")}\n`;
}
