/** Converts HTML to Portable Text: one walk over the tree that a browser would build of it. */
import {
  defaultTreeAdapter as tree,
  parseFragment,
  serializeOuter,
  type DefaultTreeAdapterTypes,
} from "parse5";
import type { Losses } from "../losses.ts";
import type { JsonObject } from "../site.ts";
import { BOXES, DROPPED, EMBEDS, HEADINGS, KEPT, MARKS, PLAIN } from "./html-names.ts";
import type { TextComponent } from "./options.ts";
import {
  cleanText,
  hrefFrom,
  NORMAL,
  TextBuilder,
  type BlockStyle,
  type Link,
  type TextUse,
} from "./portable-text.ts";
import { tableOf } from "./table.ts";
import { attribute, elementsIn, isDeeperThan, textIn, type Element } from "./tree.ts";

/** Browsers nest no elements deeper. */
const DEPTH_MAX = 512;

type Node = DefaultTreeAdapterTypes.ChildNode;

/** The picture at an address: a media item, or the reason why it is none. */
export type FoundPicture = { media: string; alt?: string } | { missing: string };

/** The rest of a site, as far as its texts need it. */
export interface TextSource {
  /** The place of the text in the source. */
  place: string;
  use: TextUse;
  losses: Losses;
  /** Returns the picture of an `img`. */
  picture(src: string, element: Element): FoundPicture;
  /** Returns the record that an address leads to; null for any other address. */
  record(href: string): string | null;
  /** Whether line breaks in the source are meant: the classic texts of WordPress. */
  hasLineBreaks?: boolean;
  /** Handles a comment, such as the begin of a block; returns the number of further siblings that it has used up. */
  comment?: (text: string, siblings: readonly Node[], at: number, walk: HtmlWalk) => number;
}

interface State {
  style: BlockStyle;
  marks: readonly string[];
  link: Link | null;
  isPreformatted: boolean;
  listLevel: number;
}

const START: State = { style: NORMAL, marks: [], link: null, isPreformatted: false, listLevel: 0 };

/** Converts HTML to the blocks of a rich text. */
export function richTextFromHtml(html: string, source: TextSource): JsonObject[] {
  const builder = new TextBuilder(source.place, source.use);
  const walk = new HtmlWalk(source, builder);
  const { childNodes } = parseFragment(html);
  if (isDeeperThan(DEPTH_MAX, childNodes)) {
    walk.lose("the form of a text whose elements are nested too deep is left out");
    for (const node of childNodes) {
      builder.text(textIn(node).replaceAll(/\s+/g, " "));
      builder.begin(NORMAL);
    }
  } else walk.children(childNodes, START);
  builder.flush();
  return builder.blocks;
}

export class HtmlWalk {
  readonly source: TextSource;
  readonly builder: TextBuilder;

  constructor(source: TextSource, builder: TextBuilder) {
    this.source = source;
    this.builder = builder;
  }

  children(nodes: readonly Node[], state: State = START): void {
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at]!;
      if (tree.isTextNode(node)) this.#text(node.value, state);
      else if (tree.isCommentNode(node)) at += this.source.comment?.(node.data.trim(), nodes, at, this) ?? 0;
      else if (tree.isElementNode(node)) this.element(node, state);
    }
  }

  lose(reason: string): void {
    this.source.losses.add(reason, this.source.place);
  }

  /** Adds an object of a component, of which rich text has no form of its own. */
  component(name: TextComponent, content: JsonObject): void {
    this.builder.object(name, content);
  }

  element(element: Element, state: State = START): void {
    const name = element.tagName;
    if (attribute(element, "style") !== "" || attribute(element, "align") !== "") {
      this.lose("the alignment, size or colour of a text is left out");
    }
    if (DROPPED.has(name)) {
      if (name === "script" || name === "style") this.lose(`<${name}> is left out`);
    } else if (KEPT.has(name)) this.html(element);
    else if (EMBEDS.has(name)) this.#embed(element);
    else if (name === "img") this.image(element, state);
    else if (name === "br") this.builder.text("\n", state.marks, state.link);
    else if (name === "hr") this.component("divider", { kind: "line" });
    else if (name === "pre") this.#pre(element);
    else if (name === "table") this.#table(element);
    else if (name === "a") this.#anchor(element, state);
    else if (name === "q") this.#quoted(element, state);
    else if (HEADINGS.has(name)) this.#box(element, state, { style: name });
    else if (BOXES.has(name)) this.#boxNamed(name, element, state);
    else this.#inline(name, element, state);
  }

  /** Keeps an element as HTML. */
  html(element: Element): void {
    this.lose(`<${element.tagName}> is kept as HTML`);
    this.component("html", { html: cleanText(serializeOuter(element)) });
  }

  image(element: Element, state: State = START, caption = ""): void {
    const src = attribute(element, "src") || attribute(element, "data-src");
    if (src === "") return;
    this.#loseLink(state.link);
    const found = this.source.picture(src, element);
    const alt = cleanText(attribute(element, "alt")).trim();
    if ("media" in found) {
      this.builder.object("image", {
        media: found.media,
        ...((alt || found.alt) && { alt: (alt || found.alt!).slice(0, 2000) }),
        ...(caption && { caption: cleanText(caption).slice(0, 2000) }),
      });
      return;
    }
    const href = hrefFrom(src);
    const isInline = /^\s*data:/i.test(src);
    this.lose(
      isInline
        ? "a picture that is written into a text (data:) is left out"
        : `a picture in a text becomes a link to its address: ${found.missing}`,
    );
    this.builder.begin(NORMAL);
    this.builder.text(caption || alt || (isInline ? "" : src), [], href === null ? null : { href });
    this.builder.begin(state.style);
  }

  /** Lists the link of a picture, unless it leads to a picture: the whole of the same one, as a rule. */
  #loseLink(link: Link | null): void {
    const isPicture =
      link && "href" in link && /\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i.test(link.href);
    if (link && isPicture !== true) this.lose("the link of a picture is left out");
  }

  #inline(name: string, element: Element, state: State): void {
    const reason = PLAIN[name];
    if (reason !== undefined) this.lose(reason);
    const mark = MARKS[name];
    const marks = mark === undefined || state.marks.includes(mark) ? state.marks : [...state.marks, mark];
    this.children(element.childNodes, { ...state, marks });
  }

  #boxNamed(name: string, element: Element, state: State): void {
    if (PLAIN[name] !== undefined) this.lose(PLAIN[name]);
    if (name === "ul" || name === "ol") this.#list(name, element, state);
    else if (name === "li" || (name === "p" && state.listLevel > 0)) this.#item(element, state);
    else if (name === "blockquote") this.#box(element, state, { style: "blockquote" });
    else if (name === "figure") this.#figure(element, state);
    else if (name === "dt")
      this.#box(element, { ...state, marks: [...state.marks.filter((one) => one !== "strong"), "strong"] });
    else this.#box(element, state);
  }

  /** Writes an element that stands on lines of its own. The text behind it has the style of the text before it. */
  #box(element: Element, state: State, style = state.style): void {
    this.builder.begin(style);
    this.children(element.childNodes, { ...state, style });
    this.builder.begin(state.style);
  }

  #list(name: "ul" | "ol", element: Element, state: State): void {
    const level = state.listLevel + 1;
    const style: BlockStyle = { style: "normal", listItem: name === "ul" ? "bullet" : "number", level };
    this.builder.begin(style);
    this.children(element.childNodes, { ...state, style, listLevel: level });
    this.builder.begin(state.style);
  }

  /** Writes an item of a list. A further paragraph of it becomes a further line: a block would be an item of its own. */
  #item(element: Element, state: State): void {
    if (element.tagName === "li") this.builder.begin(state.style);
    else if (!this.builder.isEmpty) this.builder.text("\n", [], null);
    this.children(element.childNodes, state);
  }

  #anchor(element: Element, state: State): void {
    const address = attribute(element, "href");
    const record = address === "" ? null : this.source.record(address);
    const href = record === null ? hrefFrom(address) : null;
    if (record === null && href === null && address !== "") {
      this.lose("a link that no text may have becomes its text");
    }
    const link = record !== null ? { record } : href !== null ? { href } : state.link;
    this.children(element.childNodes, { ...state, link });
  }

  #quoted(element: Element, state: State): void {
    this.builder.text("“", state.marks, state.link);
    this.children(element.childNodes, state);
    this.builder.text("”", state.marks, state.link);
  }

  /** Writes a figure: its caption is the picture's, or else a paragraph. */
  #figure(element: Element, state: State): void {
    const images = elementsIn(element, "img");
    const captions = elementsIn(element, "figcaption");
    const isPlain = ["table", "iframe", "video", "figure", "blockquote"].every(
      (name) => elementsIn(element, name).length === 0,
    );
    if (images.length === 1 && isPlain) {
      const anchor = elementsIn(element, "a").find((one) => elementsIn(one, "img").length > 0);
      this.#loseLink(anchor ? { href: attribute(anchor, "href") } : null);
      const caption = captions.map(textIn).join(" ").replaceAll(/\s+/g, " ").trim();
      this.builder.flush();
      this.image(images[0]!, { ...state, link: null }, caption);
      return;
    }
    this.#box(element, state);
  }

  #pre(element: Element): void {
    const code = elementsIn(element, "code")[0] ?? element;
    const language = /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(
      `${attribute(code, "class")} ${attribute(element, "class")}`,
    );
    const text = cleanText(textIn(element)).replace(/^\n/, "").trimEnd();
    if (text === "") return;
    this.component("code", { code: text, ...(language?.[1] !== undefined && { language: language[1] }) });
  }

  /** Adds the object of a table, and behind it its caption and pictures, for which its cells have no room. */
  #table(element: Element): void {
    this.component("table", tableOf(element));
    const [caption] = elementsIn(element, "caption");
    if (caption) this.#box(caption, START);
    for (const image of elementsIn(element, "img")) this.image(image);
  }

  #embed(element: Element): void {
    const inner = [...elementsIn(element, "source"), ...elementsIn(element, "embed")];
    const addresses = [element, ...inner].map((one) => attribute(one, "src") || attribute(one, "data"));
    this.embed(addresses.find((one) => one !== "") ?? "", cleanText(serializeOuter(element)));
  }

  /** Adds an object that shows another address. */
  embed(address: string, html = ""): void {
    this.component("embed", {
      url: hrefFrom(address) ?? cleanText(address).slice(0, 2000),
      ...(html && { html }),
    });
  }

  #text(value: string, state: State): void {
    if (this.source.hasLineBreaks !== true || state.isPreformatted) {
      this.#words(value, state);
      return;
    }
    for (const [at, part] of value.split(/\n[ \t\r]*\n/).entries()) {
      if (at > 0) this.builder.begin(state.style);
      for (const [line, words] of part.split("\n").entries()) {
        if (line > 0 && !this.builder.isEmpty) this.builder.text("\n", state.marks, state.link);
        this.#words(words, state);
      }
    }
  }

  #words(value: string, { marks, link }: State): void {
    const words = value.replaceAll(/[ \t\r\n\f]+/g, " ");
    const last = this.builder.lastCharacter;
    this.builder.text(last === " " || last === "\n" ? words.replace(/^ /, "") : words, marks, link);
  }
}
