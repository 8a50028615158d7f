/**
 * Text from elsewhere, cleaned: only what the field allows stays of it. Word describes lists by styles and comments,
 * Google Docs wraps everything in a `<b>` that is not bold. Both become the editor's own elements, which its schema reads.
 */
import { DOMParser, type ParseOptions, type Slice } from "prosemirror-model";
import {
  INTERNAL_LINK,
  isLinkable,
  LEVELS_MAX,
  LINK,
  newKey,
  NORMAL,
  type Allowed,
  type MarkDef,
} from "../portable-text.ts";
import { declarationsOf, decoratorsOf, isHidden, isMarker, wordItem } from "./pasted-styles.ts";
import { schema } from "../schema.ts";

const BLOCKS = new Set(
  (
    "ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DIV DL DT FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 " +
    "HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TBODY TD TFOOT TH THEAD TR UL"
  ).split(" "),
);
const DROPPED = new Set(
  "SCRIPT STYLE HEAD META LINK TITLE TEMPLATE NOSCRIPT OBJECT IFRAME SVG XML IMG VIDEO AUDIO BUTTON INPUT SELECT TEXTAREA".split(
    " ",
  ),
);
/** The form of the text at a place: what the elements around it say. */
interface Form {
  style: string;
  listItem: string | null;
  level: number;
  decorators: readonly string[];
  annotations: readonly MarkDef[];
  /** Whether line feeds are part of the text. */
  isPreserved: boolean;
}

class Cleaner {
  readonly #allowed: Allowed;
  readonly #out: HTMLElement;
  readonly #document: Document;
  /** The block that is being filled. */
  #block: HTMLElement | null = null;

  constructor(allowed: Allowed, document: Document) {
    this.#allowed = allowed;
    this.#document = document;
    this.#out = document.createElement("div");
  }

  clean(from: Node, isPreserved: boolean): HTMLElement {
    const form: Form = {
      style: NORMAL,
      listItem: null,
      level: 0,
      decorators: [],
      annotations: [],
      isPreserved,
    };
    this.#children(from, form);
    return this.#out;
  }

  #children(parent: Node, form: Form): void {
    for (const child of parent.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) this.#text(child.textContent ?? "", form);
      else if (child.nodeType === Node.ELEMENT_NODE) this.#element(child as HTMLElement, form);
    }
  }

  #element(element: HTMLElement, around: Form): void {
    const { tagName } = element;
    if (tagName === "BR") this.#break(element, around);
    else if (element.dataset["card"] !== undefined) this.#card(element);
    else if (
      DROPPED.has(tagName.toUpperCase()) ||
      tagName.includes(":") ||
      isMarker(element) ||
      isHidden(element)
    )
      return;
    else if (BLOCKS.has(tagName)) this.#blockElement(element, around);
    else this.#children(element, this.#inlineForm(element, around));
  }

  #blockElement(element: HTMLElement, around: Form): void {
    this.#block = null;
    this.#children(element, this.#blockForm(element, around));
    this.#block = null;
  }

  #style(name: string): string {
    const { styles } = this.#allowed;
    if (styles.includes(name)) return name;
    // A heading that is not allowed becomes the next smaller one that is.
    const [, size] = /^h([1-6])$/.exec(name) ?? [];
    const smaller =
      size === undefined ? undefined : styles.filter((one) => /^h[1-6]$/.test(one) && one > name).sort()[0];
    return smaller ?? NORMAL;
  }

  #blockForm(element: HTMLElement, around: Form): Form {
    const { tagName, dataset } = element;
    const form: Form = {
      ...around,
      decorators: /^(?:LI|UL|OL)$/.test(tagName)
        ? around.decorators
        : decoratorsOf(element, around.decorators),
      // Spaces of the editor's own blocks are text.
      isPreserved: around.isPreserved || tagName === "PRE" || dataset["block"] !== undefined,
    };
    if (dataset["block"] !== undefined) {
      form.style = this.#style(dataset["block"]);
      if (dataset["list"] !== undefined) this.#item(form, dataset["list"], Number(dataset["level"] ?? 1));
      return form;
    }
    if (/^H[1-6]$/.test(tagName))
      return { ...form, style: this.#style(tagName.toLowerCase()), decorators: [] };
    if (tagName === "BLOCKQUOTE") form.style = this.#style("blockquote");
    if (tagName === "P" && /MsoTitle/.test(element.className)) form.style = this.#style("h1");
    if ((tagName === "UL" || tagName === "OL") && !element.dataset["block"]) {
      this.#item(form, tagName === "OL" ? "number" : "bullet", around.level + 1);
      return form;
    }
    const word = wordItem(element);
    if (word) this.#item(form, word.listItem, word.level);
    return form;
  }

  #item(form: Form, kind: string, level: number): void {
    const { lists } = this.#allowed;
    const [first] = lists;
    if (first === undefined) return;
    form.listItem = lists.includes(kind) ? kind : first;
    form.level = Math.min(LEVELS_MAX, Math.max(1, level));
  }

  #inlineForm(element: HTMLElement, around: Form): Form {
    const isPreserved =
      around.isPreserved || (declarationsOf(element).get("white-space") ?? "").startsWith("pre");
    const form = { ...around, decorators: decoratorsOf(element, around.decorators), isPreserved };
    const definition = this.#definition(element);
    return definition ? { ...form, annotations: [...around.annotations, definition] } : form;
  }

  #definition(element: HTMLElement): MarkDef | null {
    const { link, internalLink } = this.#allowed;
    const own = element.dataset["annotation"];
    if (own !== undefined) {
      const definition = JSON.parse(own) as MarkDef;
      const isAllowed =
        definition._type === LINK ? link : definition._type === INTERNAL_LINK && internalLink !== null;
      return isAllowed ? definition : null;
    }
    const href = element.tagName === "A" ? (element.getAttribute("href") ?? "") : "";
    // An address of a place in the other document leads nowhere here.
    return link && isLinkable(href) && !href.startsWith("#") ? { _type: LINK, _key: newKey(), href } : null;
  }

  #card(element: HTMLElement): void {
    const { _type } = JSON.parse(element.dataset["card"] ?? "{}") as { _type?: string };
    const isAllowed =
      _type === "image" ? this.#allowed.image : this.#allowed.components.includes(_type ?? "");
    if (!isAllowed) return;
    this.#block = null;
    const card = this.#document.createElement("div");
    card.dataset["card"] = element.dataset["card"] ?? "";
    this.#out.append(card);
  }

  /** Returns the block for a text, which begins with its first text: an empty paragraph of Word is none. */
  #open({ style, listItem, level }: Form): HTMLElement {
    if (this.#block) return this.#block;
    const block = this.#document.createElement("p");
    block.dataset["block"] = style;
    if (listItem !== null) {
      block.dataset["list"] = listItem;
      block.dataset["level"] = String(level);
    }
    this.#out.append(block);
    return (this.#block = block);
  }

  #break(element: Element, form: Form): void {
    // Between two blocks, a break is the space between them.
    if (this.#block && element.nextSibling) this.#open(form).append(this.#document.createElement("br"));
  }

  #text(raw: string, form: Form): void {
    const text = form.isPreserved ? raw : raw.replace(/[\t\n\r ]+/g, " ");
    if (text === "" || (!this.#block && text.trim() === "")) return;
    const lines = form.isPreserved ? text.split(/\r?\n/) : [text];
    const block = this.#open(form);
    lines.forEach((line, at) => {
      if (at > 0) block.append(this.#document.createElement("br"));
      if (line !== "") block.append(this.#marked(line, form));
    });
  }

  #marked(text: string, { decorators, annotations }: Form): Node {
    let node: Node = this.#document.createTextNode(text);
    const wrap = (name: "decorator" | "annotation", value: string): void => {
      const element = this.#document.createElement("span");
      element.dataset[name] = value;
      element.append(node);
      node = element;
    };
    for (const name of decorators) if (this.#allowed.decorators.includes(name)) wrap("decorator", name);
    for (const definition of annotations) wrap("annotation", JSON.stringify(definition));
    return node;
  }
}

/** Returns the clipboard's parser for a field. */
export function clipboardParser(allowed: Allowed): DOMParser {
  const parser = DOMParser.fromSchema(schema);
  const parseSlice = (dom: Node, options?: ParseOptions): Slice => {
    const cleaner = new Cleaner(allowed, document.implementation.createHTMLDocument(""));
    const cleaned = cleaner.clean(dom, options?.preserveWhitespace === true);
    return parser.parseSlice(cleaned, { ...options, preserveWhitespace: true });
  };
  return Object.assign(Object.create(parser) as DOMParser, { parseSlice });
}
