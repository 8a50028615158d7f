/** Converts the rich text of Contentful, a tree of nodes, to Portable Text. */
import type { Losses } from "../losses.ts";
import type { Json, JsonObject } from "../site.ts";
import type { FoundPicture } from "../text/html.ts";
import {
  hrefFrom,
  NORMAL,
  TextBuilder,
  type BlockStyle,
  type Link,
  type TextUse,
} from "../text/portable-text.ts";
import { linkedId } from "./export.ts";

interface TextNode {
  nodeType: string;
  value?: string;
  marks?: { type: string }[];
  data?: JsonObject;
  content?: TextNode[];
}

/** An entry that a text names. */
export interface NamedEntry {
  id: string;
  model: string;
  title: string;
}

export interface DocumentSource {
  place: string;
  use: TextUse;
  losses: Losses;
  /** The collection that links to records may lead to; null for none. */
  linkTo: string | null;
  entry(id: string): NamedEntry | null;
  asset(id: string): (FoundPicture & { address: string; title: string }) | null;
  /** Returns the name of the component that holds a link to a collection. */
  linkComponent(model: string): string;
}

const MARKS: Readonly<Record<string, string>> = {
  ...{ bold: "strong", italic: "em", underline: "underline", code: "code", strikethrough: "strike-through" },
  ...{ superscript: "sup", subscript: "sub" },
};

class Walk {
  readonly builder: TextBuilder;
  readonly #source: DocumentSource;

  constructor(source: DocumentSource) {
    this.#source = source;
    this.builder = new TextBuilder(source.place, source.use);
  }

  blocks(nodes: readonly TextNode[], style: BlockStyle): void {
    for (const node of nodes) this.#block(node, style);
  }

  #lose(reason: string, detail = ""): void {
    this.#source.losses.add(reason, `${this.#source.place}${detail && `: ${detail}`}`);
  }

  #block(node: TextNode, style: BlockStyle): void {
    const { nodeType, content = [] } = node;
    const heading = /^heading-([1-6])$/.exec(nodeType)?.[1];
    if (heading !== undefined) this.#paragraph(content, { style: `h${heading}` });
    else if (nodeType === "paragraph") this.#paragraph(content, style);
    else if (nodeType === "blockquote") this.blocks(content, { style: "blockquote" });
    else if (nodeType === "ordered-list" || nodeType === "unordered-list") this.#list(node, style);
    else if (nodeType === "hr") this.builder.object("divider", { kind: "line" });
    else if (nodeType === "table") this.#table(content);
    else if (nodeType === "embedded-asset-block") this.#asset(node);
    else if (nodeType === "embedded-entry-block") this.#entry(node);
    else if (nodeType.startsWith("embedded-resource")) {
      this.#lose("an embedded entry of another space is left out");
    } else if (content.length > 0) this.blocks(content, style);
    else this.#paragraph([node], style);
  }

  #paragraph(nodes: readonly TextNode[], style: BlockStyle): void {
    this.builder.begin(style);
    this.#inline(nodes, null);
    this.builder.begin(NORMAL);
  }

  #list({ nodeType, content = [] }: TextNode, { level = 0 }: BlockStyle): void {
    const style: BlockStyle = {
      ...{ style: "normal", level: level + 1 },
      listItem: nodeType === "ordered-list" ? "number" : "bullet",
    };
    for (const item of content) this.#item(item.content ?? [], style);
  }

  /** Writes an item of a list. Its further paragraphs become lines of it: a block would be an item of its own. */
  #item(nodes: readonly TextNode[], style: BlockStyle): void {
    let isOpen = false;
    for (const node of nodes) {
      if (node.nodeType === "paragraph") {
        if (isOpen) this.builder.text("\n");
        else this.builder.begin(style);
        this.#inline(node.content ?? [], null);
      } else this.#block(node, style);
      isOpen = node.nodeType === "paragraph";
    }
    this.builder.begin(NORMAL);
  }

  #inline(nodes: readonly TextNode[], link: Link | null): void {
    for (const node of nodes) {
      const { nodeType, value = "", content = [], data = {} } = node;
      if (nodeType === "text") {
        const marks = (node.marks ?? []).flatMap(({ type }) => MARKS[type] ?? []);
        this.builder.text(value, [...new Set(marks)], link);
      } else if (nodeType === "hyperlink") this.#inline(content, this.#address(data["uri"] ?? null));
      else if (nodeType === "entry-hyperlink") this.#inline(content, this.#record(data["target"]));
      else if (nodeType === "asset-hyperlink") this.#inline(content, this.#file(data["target"]));
      else if (nodeType === "embedded-entry-inline") this.#inlineEntry(data["target"]);
      else {
        if (nodeType === "resource-hyperlink")
          this.#lose("a link to an entry of another space becomes its text");
        this.#inline(content, link);
      }
    }
  }

  #address(uri: Json): Link | null {
    const href = typeof uri === "string" ? hrefFrom(uri) : null;
    if (href !== null) return { href };
    this.#lose("a link that no text may have becomes its text", typeof uri === "string" ? uri : "");
    return null;
  }

  #named(target: Json | undefined): NamedEntry | null {
    const id = linkedId(target, "Entry") ?? "";
    const entry = this.#source.entry(id);
    if (!entry) this.#lose("an entry that a text names is not in the export", id);
    return entry;
  }

  #record(target: Json | undefined): Link | null {
    const entry = this.#named(target);
    if (!entry) return null;
    if (entry.model === this.#source.linkTo) return { record: entry.id };
    this.#lose(
      `a link to a record of ${entry.model} becomes its text: links of a text lead to records of one collection`,
      entry.title,
    );
    return null;
  }

  #file(target: Json | undefined): Link | null {
    const id = linkedId(target, "Asset") ?? "";
    const asset = this.#source.asset(id);
    const href = asset ? hrefFrom(asset.address) : null;
    if (href === null) {
      this.#lose("an asset that a text names is not in the export", id);
      return null;
    }
    this.#lose("a link to an asset keeps its address at Contentful", href);
    return { href };
  }

  #inlineEntry(target: Json | undefined): void {
    const entry = this.#named(target);
    if (!entry) return;
    const isLinked = entry.model === this.#source.linkTo;
    this.#lose(`an entry inside a line becomes its title${isLinked ? " with a link" : ""}`, entry.title);
    this.builder.text(entry.title || entry.id, [], isLinked ? { record: entry.id } : null);
  }

  #entry({ data = {} }: TextNode): void {
    const entry = this.#named(data["target"]);
    if (entry) this.builder.object(this.#source.linkComponent(entry.model), { record: entry.id });
  }

  #asset({ data = {} }: TextNode): void {
    const id = linkedId(data["target"], "Asset") ?? "";
    const asset = this.#source.asset(id);
    if (!asset) {
      this.#lose("an asset that a text names is not in the export", id);
      return;
    }
    if ("media" in asset) {
      this.builder.object("image", { media: asset.media, ...(asset.title !== "" && { alt: asset.title }) });
      return;
    }
    this.#lose(`an embedded asset becomes a link to its address: ${asset.missing}`, asset.address);
    const href = hrefFrom(asset.address);
    this.builder.begin(NORMAL);
    this.builder.text(asset.title || asset.address, [], href === null ? null : { href });
    this.builder.flush();
  }

  #table(rows: readonly TextNode[]): void {
    const cells = rows.map(({ content = [] }) => content);
    const hasHeader = cells[0]?.every(({ nodeType }) => nodeType === "table-header-cell") ?? false;
    this.#lose("the marks and links in the cells of a table are left out");
    this.builder.object("table", { rows: cells.map((row) => row.map(textIn)), hasHeader });
  }
}

const textIn = ({ value = "", content = [] }: TextNode): string => value + content.map(textIn).join("");

/** Converts a document of rich text to its blocks. */
export function richTextOfDocument(document: Json, source: DocumentSource): JsonObject[] {
  const walk = new Walk(source);
  walk.blocks((document as unknown as TextNode | null)?.content ?? [], NORMAL);
  walk.builder.flush();
  return walk.builder.blocks;
}

/** Visits the entries that the links of a document lead to. */
export function linkedEntries(document: Json, visit: (id: string) => void): void {
  const walk = ({ nodeType, data = {}, content = [] }: TextNode): void => {
    const isLink = nodeType === "entry-hyperlink" || nodeType === "embedded-entry-inline";
    const id = isLink ? linkedId(data["target"], "Entry") : null;
    if (id !== null) visit(id);
    for (const node of content) walk(node);
  };
  if (typeof document === "object" && document !== null) walk(document as unknown as TextNode);
}
