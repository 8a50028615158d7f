/** Converts the content of a post to rich text: blocks of the editor ("Gutenberg"), and classic texts. */
import {
  defaultTreeAdapter as tree,
  parseFragment,
  serializeOuter,
  type DefaultTreeAdapterTypes,
} from "parse5";
import type { Losses } from "../losses.ts";
import type { JsonObject } from "../site.ts";
import { richTextFromHtml, type FoundPicture, type HtmlWalk } from "../text/html.ts";
import { cleanText, type TextUse } from "../text/portable-text.ts";
import { attribute, elementsIn, textIn, type Element } from "../text/tree.ts";
import { withoutShortcodes } from "./shortcodes.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;

export interface PostText {
  place: string;
  use: TextUse;
  losses: Losses;
  /** Returns the picture at an address, or of an attachment. */
  picture(src: string, attachmentId: string | null): FoundPicture;
  record(href: string): string | null;
  attachedPictures(): string[];
}

const BLOCK = /^(\/?)wp:([a-z][\w/-]*)\s*(\{[\s\S]*\})?\s*(\/?)$/;

interface Block {
  isEnd: boolean;
  name: string;
  options: JsonObject;
  /** Whether it has no content: the block is made when the page is shown. */
  isAlone: boolean;
}

/** Returns the begin or end of a block that a comment stands for; null for any other comment. */
function blockOf(comment: string): Block | null {
  const [, end, name, json, alone] = BLOCK.exec(comment) ?? [];
  if (name === undefined) return null;
  let options: JsonObject = {};
  try {
    options = json === undefined ? {} : (JSON.parse(json) as JsonObject);
  } catch {
    // The options of a block are left out, its content is not.
  }
  return { isEnd: end === "/", name: name.replace(/^core\//, ""), options, isAlone: alone === "/" };
}

/** Returns the siblings up to the end of a block that begins at a place. */
function contentOf(name: string, siblings: readonly Node[], at: number): Node[] {
  let depth = 1;
  for (let end = at + 1; end < siblings.length; end++) {
    const node = siblings[end]!;
    const block = tree.isCommentNode(node) ? blockOf(node.data.trim()) : null;
    if (block?.name !== name || block.isAlone) continue;
    depth += block.isEnd ? -1 : 1;
    if (depth === 0) return siblings.slice(at + 1, end);
  }
  return siblings.slice(at + 1);
}

/** Blocks that arrange others, which come along one below the other. */
const LAYOUTS: Readonly<Record<string, string>> = {
  columns: "the columns of a text become one below the other",
  gallery: "a gallery becomes single pictures, one below the other",
  "media-text": "a picture beside a text comes to stand above it",
  cover: "a text on a picture comes to stand below it",
};

function textOf(nodes: readonly Node[]): string {
  return nodes.map(textIn).join("").trim();
}

const htmlOf = (nodes: readonly Node[]): string =>
  nodes
    .map((node) =>
      tree.isElementNode(node) ? serializeOuter(node) : tree.isTextNode(node) ? node.value : "",
    )
    .join("")
    .trim();

/** Writes a text with line breaks, such as a verse: in rich text it is a paragraph. */
function addLines(nodes: readonly Node[], walk: HtmlWalk): void {
  const lines = textOf(nodes).split("\n");
  walk.builder.begin({ style: "normal" });
  for (const [at, line] of lines.entries()) walk.builder.text(at > 0 ? `\n${line}` : line);
  walk.builder.flush();
}

/** Adds the background of a cover that has no `img` of its own. */
function addBackground(nodes: readonly Node[], walk: HtmlWalk): void {
  const box = nodes.find((node): node is Element => tree.isElementNode(node));
  const address = /url\(["']?([^"')]+)["']?\)/.exec(box ? attribute(box, "style") : "")?.[1];
  if (!box || address === undefined) return;
  walk.image({ ...box, attrs: [{ name: "src", value: address }] });
}

/** Writes a block. @returns the number of siblings that belong to it and are written */
function addBlock({ name, options }: Block, content: readonly Node[], walk: HtmlWalk): number {
  const lost = LAYOUTS[name];
  if (lost !== undefined) walk.lose(lost);
  const written = content.length + 1;
  if (name === "embed" || name.startsWith("core-embed/")) {
    const url = options["url"] ?? /https?:\/\/\S+/.exec(textOf(content))?.[0] ?? "";
    walk.embed(typeof url === "string" ? url : "");
    const figure = content.find((node): node is Element => tree.isElementNode(node));
    for (const caption of figure ? elementsIn(figure, "figcaption") : []) walk.element(caption);
    return written;
  }
  if (name === "verse" || name === "preformatted") return (addLines(content, walk), written);
  if (name === "spacer") return written;
  if (name === "html") {
    const html = cleanText(htmlOf(content));
    if (html !== "") walk.component("html", { html });
    return written;
  }
  if (name === "more" || name === "nextpage") {
    walk.component("divider", { kind: name === "more" ? "more" : "page" });
    return written;
  }
  if (name === "cover") addBackground(content, walk);
  return 0;
}

function comment(text: string, siblings: readonly Node[], at: number, walk: HtmlWalk): number {
  const mark = /^(more|nextpage)\b/.exec(text)?.[1];
  if (mark !== undefined) walk.component("divider", { kind: mark === "more" ? "more" : "page" });
  const block = blockOf(text);
  if (!block || block.isEnd) return 0;
  if (!block.isAlone) return addBlock(block, contentOf(block.name, siblings, at), walk);
  walk.lose(`the block ${block.name} has no content of its own: WordPress makes it when it shows the page`);
  walk.component("html", { html: `<!-- ${cleanText(text)} -->` });
  return 0;
}

/** Returns the id of the attachment that a picture in a text says it is; null without one. */
const attachmentOf = (element: Element): string | null =>
  /(?:^|\s)wp-image-(\d+)(?:\s|$)/.exec(attribute(element, "class"))?.[1] ??
  /^\d+$/.exec(attribute(element, "data-id"))?.[0] ??
  null;

/** Replaces each address that has a line of its own by the page or player that WordPress shows there. */
const withEmbeds = (text: string): string =>
  text.replaceAll(/^[ \t]*(https?:\/\/[^\s<>"']+)[ \t]*$/gm, '<iframe src="$1"></iframe>');

/** Converts the content of a post. */
export function richTextOfPost(content: string, text: PostText): JsonObject[] {
  const { place, use, losses } = text;
  const isClassic = !content.includes("<!-- wp:");
  const lines = content.replaceAll("\r\n", "\n");
  const html = withoutShortcodes(isClassic ? withEmbeds(lines) : lines, {
    attachedPictures: () => text.attachedPictures(),
    lose: (reason) => losses.add(reason, place),
  });
  return richTextFromHtml(html, {
    ...{ place, use, losses, hasLineBreaks: isClassic, comment },
    picture: (src, element) => text.picture(src, attachmentOf(element)),
    record: (href) => text.record(href),
  });
}

/** Returns a short text, such as an excerpt, without its HTML. */
export const plainText = (html: string): string => cleanText(textOf(parseFragment(html).childNodes));
