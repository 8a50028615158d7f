/** Converts the JSON of the blocks editor to Portable Text. */
import type { Losses } from "../losses.ts";
import type { Json, JsonObject } from "../site.ts";
import type { FoundPicture } from "../text/html.ts";
import {
  cleanText,
  hrefFrom,
  NORMAL,
  TextBuilder,
  type BlockStyle,
  type Link,
  type TextUse,
} from "../text/portable-text.ts";

interface BlockNode {
  type: string;
  text?: string;
  level?: number;
  format?: string;
  language?: string;
  url?: string;
  children?: BlockNode[];
  image?: { url?: string; alternativeText?: string | null; caption?: string | null; name?: string };
  [mark: string]: unknown;
}

export interface BlocksSource {
  place: string;
  use: TextUse;
  losses: Losses;
  picture(src: string): FoundPicture;
}

const MARKS: Readonly<Record<string, string>> = {
  ...{ bold: "strong", italic: "em", underline: "underline", strikethrough: "strike-through", code: "code" },
};

const textIn = ({ text = "", children = [] }: BlockNode): string => text + children.map(textIn).join("");

class Walk {
  readonly builder: TextBuilder;
  readonly #source: BlocksSource;

  constructor(source: BlocksSource) {
    this.#source = source;
    this.builder = new TextBuilder(source.place, source.use);
  }

  block(node: BlockNode): void {
    const { type, children = [], level = 1 } = node;
    if (type === "heading") this.#paragraph(children, { style: `h${Math.min(6, Math.max(1, level))}` });
    else if (type === "quote") this.#paragraph(children, { style: "blockquote" });
    else if (type === "list") this.#list(node, 1);
    else if (type === "code") {
      const language = cleanText(node.language ?? "");
      const hasLanguage = language !== "" && language !== "plaintext";
      this.builder.object("code", { code: cleanText(textIn(node)), ...(hasLanguage && { language }) });
    } else if (type === "image") this.#image(node);
    else this.#paragraph(children, NORMAL);
  }

  #lose(reason: string, detail: string): void {
    this.#source.losses.add(reason, `${this.#source.place}: ${detail}`);
  }

  #paragraph(children: readonly BlockNode[], style: BlockStyle): void {
    this.builder.begin(style);
    this.#inline(children, null);
    this.builder.begin(NORMAL);
  }

  #list({ format, children = [] }: BlockNode, level: number): void {
    const style: BlockStyle = {
      style: "normal",
      listItem: format === "ordered" ? "number" : "bullet",
      level,
    };
    for (const item of children) {
      if (item.type === "list") this.#list(item, level + 1);
      else this.#paragraph(item.children ?? [], style);
    }
  }

  #inline(nodes: readonly BlockNode[], link: Link | null): void {
    for (const node of nodes) {
      if (node.type === "link") {
        const href = hrefFrom(node.url ?? "");
        if (href === null) this.#lose("a link that no text may have becomes its text", node.url ?? "");
        this.#inline(node.children ?? [], href === null ? link : { href });
      } else {
        const marks = Object.keys(MARKS).flatMap((mark) => (node[mark] === true ? MARKS[mark]! : []));
        this.builder.text(node.text ?? "", marks, link);
      }
    }
  }

  #image({ image = {} }: BlockNode): void {
    const src = image.url ?? "";
    const found = this.#source.picture(src);
    const alt = cleanText(image.alternativeText ?? "").slice(0, 2000);
    const caption = cleanText(image.caption ?? "").slice(0, 2000);
    if ("media" in found) {
      this.builder.object("image", { media: found.media, ...(alt && { alt }), ...(caption && { caption }) });
      return;
    }
    this.#lose(`a picture in a text becomes a link to its address: ${found.missing}`, src);
    const href = hrefFrom(src);
    this.builder.begin(NORMAL);
    this.builder.text(caption || alt || image.name || src, [], href === null ? null : { href });
    this.builder.flush();
  }
}

/** Converts a value of the blocks editor. */
export function richTextOfBlocks(value: Json, source: BlocksSource): JsonObject[] {
  const walk = new Walk(source);
  for (const node of Array.isArray(value) ? (value as unknown as BlockNode[]) : []) walk.block(node);
  walk.builder.flush();
  return walk.builder.blocks;
}
