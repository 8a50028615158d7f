/** A stored drawing as a tree, for selectors and inheritance, which need siblings and parents. */
import { SaxesParser } from "saxes";
import { Unresolved } from "../values/unresolved.ts";
import { escapeAttribute, escapeText } from "../../text.ts";

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

  /** A deep copy with `parent` as its parent. */
  copy(parent: SvgNode | null): SvgNode {
    const copied = new SvgNode(this.name, new Map(this.attributes), parent);
    copied.children = this.children.map((child) => (typeof child === "string" ? child : child.copy(copied)));
    return copied;
  }
}

/** Parses a document of the sanitizer. @throws Error for a text that the sanitizer did not write */
export function parseTree(document: string): SvgNode {
  const parser = new SaxesParser();
  let root: SvgNode | null = null;
  let parent: SvgNode | null = null;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const node: SvgNode = new SvgNode(name, new Map(Object.entries(attributes)), parent);
    parent?.children.push(node);
    root ??= node;
    parent = node;
  });
  parser.on("text", (text) => {
    if (parent) parent.children.push(text);
  });
  parser.on("closetag", () => {
    parent = parent?.parent ?? null;
  });
  parser.write(document).close();
  return root as unknown as SvgNode;
}

/** All elements of a tree, in document order. Sets the `index` of each. */
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
