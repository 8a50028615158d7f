/**
 * The editor's document. It is as flat as Portable Text: a list item is a text block with a kind of list and a level,
 * and not a node inside a list. So every value of the service has one document, and every document one value.
 */
import { Schema, type DOMOutputSpec, type Mark, type Node, type NodeSpec } from "prosemirror-model";
import { isLinkable, LINK, NORMAL, type MarkDef, type ObjectBlock, type TextBlock } from "./portable-text.ts";

const ELEMENTS: Record<string, string> = {
  normal: "p",
  h1: "h1",
  h2: "h2",
  h3: "h3",
  h4: "h4",
  h5: "h5",
  h6: "h6",
  blockquote: "blockquote",
};

export interface TextAttributes {
  /** Null for a block that was just made; a plugin gives it a key. */
  key: string | null;
  style: string;
  listItem: string | null;
  level: number | null;
  /** The block as it was stored. It says the keys of spans and definitions. */
  origin: TextBlock | null;
}

/**
 * Renders a text block. A list item is a list of one: numbers are given by the attribute `start`, which a plugin sets.
 */
function textElement(node: Node): DOMOutputSpec {
  const { key, style, listItem, level } = node.attrs as TextAttributes;
  const data = {
    "data-block": style,
    ...(key !== null && { "data-key": key }),
    ...(listItem !== null && { "data-list": listItem, "data-level": String(level ?? 1) }),
  };
  const element = ELEMENTS[style] ?? "p";
  if (listItem === null) return [element, data, 0];
  const list = listItem === "number" ? "ol" : "ul";
  return element === "p" ? [list, data, ["li", 0]] : [list, data, ["li", [element, 0]]];
}

const textBlock: NodeSpec = {
  group: "block",
  content: "inline*",
  attrs: {
    key: { default: null },
    style: { default: NORMAL },
    listItem: { default: null },
    level: { default: null },
    origin: { default: null },
  },
  // The place of a paragraph keeps its style when other text is pasted over it.
  defining: true,
  toDOM: textElement,
  parseDOM: [
    {
      tag: "[data-block]",
      getAttrs: ({ dataset }) => ({
        key: dataset["key"] ?? null,
        style: dataset["block"] || NORMAL,
        listItem: dataset["list"] ?? null,
        level: dataset["list"] === undefined ? null : Number(dataset["level"] ?? 1),
      }),
      contentElement: (element) => {
        let inner = element;
        while (
          /^(?:OL|UL|LI)$/.test(inner.tagName) &&
          inner.firstElementChild?.matches("li, h1, h2, h3, h4, h5, h6, blockquote")
        )
          inner = inner.firstElementChild as HTMLElement;
        return inner;
      },
    },
  ],
};

/** A picture or a component: a card that is edited in a form of its own. */
const card: NodeSpec = {
  group: "block",
  atom: true,
  selectable: true,
  draggable: true,
  attrs: { value: {} },
  toDOM: (node) => ["div", { "data-card": JSON.stringify(node.attrs["value"]) }],
  parseDOM: [{ tag: "[data-card]", getAttrs: ({ dataset }) => ({ value: objectIn(dataset["card"]) }) }],
};

function objectIn(json: string | undefined): ObjectBlock {
  return JSON.parse(json ?? "{}") as ObjectBlock;
}

const DECORATOR_ELEMENTS: Record<string, string> = {
  strong: "strong",
  em: "em",
  underline: "u",
  "strike-through": "s",
  code: "code",
};

function annotationElement(mark: Mark): DOMOutputSpec {
  const definition = mark.attrs["definition"] as MarkDef;
  const data = { "data-annotation": JSON.stringify(definition) };
  const { href } = definition;
  if (definition._type === LINK && typeof href === "string" && isLinkable(href))
    return ["a", { ...data, href, rel: "noreferrer", title: href }, 0];
  return ["span", { ...data, class: "rich-internal" }, 0];
}

export const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    textBlock,
    card,
    text: { group: "inline" },
    /** A line break inside a block: a line feed in the text of a span. */
    lineBreak: {
      group: "inline",
      inline: true,
      selectable: false,
      toDOM: () => ["br"],
      parseDOM: [{ tag: "br" }],
      leafText: () => "\n",
      linebreakReplacement: true,
    },
  },
  marks: {
    decorator: {
      attrs: { name: {} },
      // Different decorators stand beside each other.
      excludes: "",
      toDOM: (mark) => {
        const name = mark.attrs["name"] as string;
        return [DECORATOR_ELEMENTS[name] ?? "span", { "data-decorator": name }, 0];
      },
      parseDOM: [{ tag: "[data-decorator]", getAttrs: ({ dataset }) => ({ name: dataset["decorator"] }) }],
    },
    annotation: {
      attrs: { definition: {} },
      excludes: "",
      // Text that is typed after a link is not part of it.
      inclusive: false,
      toDOM: annotationElement,
      parseDOM: [
        {
          tag: "[data-annotation]",
          getAttrs: ({ dataset }) => ({ definition: JSON.parse(dataset["annotation"] ?? "{}") as MarkDef }),
        },
      ],
    },
  },
});

export const NODES = {
  textBlock: schema.nodes.textBlock,
  card: schema.nodes.card,
  lineBreak: schema.nodes.lineBreak,
};
export const MARKS = { decorator: schema.marks.decorator, annotation: schema.marks.annotation };

export const attributesOf = (node: Node): TextAttributes => node.attrs as TextAttributes;
export const objectOf = (node: Node): ObjectBlock => node.attrs["value"] as ObjectBlock;
