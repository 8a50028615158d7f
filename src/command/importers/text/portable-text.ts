/** Builds Portable Text block by block, with keys that follow from the place in the text. */
import { hrefFault } from "../../../content/field-types/nested/href.ts";
import { keyOf } from "../ids.ts";
import type { JsonObject } from "../site.ts";

/** A link of a span: an address, or a record. */
export type Link = { href: string } | { record: string };

interface Span {
  text: string;
  marks: string[];
  link: Link | null;
}

export interface BlockStyle {
  style: string;
  listItem?: "bullet" | "number";
  level?: number;
}

export const NORMAL: BlockStyle = { style: "normal" };
const LEVEL_MAX = 10;

/** Returns a text as the service takes it: well-formed Unicode without NUL. */
export const cleanText = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** Returns an address that a link of rich text may have; null for one that it may not. */
export function hrefFrom(address: string): string | null {
  const trimmed = cleanText(address)
    .trim()
    .replaceAll(/[\0-\x1f\x7f]/g, "");
  const href = trimmed.startsWith("//") ? `https:${trimmed}` : trimmed;
  return hrefFault(href) === null ? href : null;
}

/** The parts that the texts of a field hold, of which the options of the field follow. */
export class TextUse {
  readonly styles = new Set<string>();
  readonly lists = new Set<string>();
  readonly decorators = new Set<string>();
  readonly components = new Set<string>();
  hasImage = false;
  hasLink = false;
  hasRecord = false;
}

export class TextBuilder {
  readonly blocks: JsonObject[] = [];
  readonly #place: string;
  readonly #use: TextUse;
  #style: BlockStyle = NORMAL;
  #spans: Span[] = [];

  /** @param place of the text in the source, from which the keys follow */
  constructor(place: string, use: TextUse) {
    this.#place = place;
    this.#use = use;
  }

  /** Whether the block that is being written has no text yet. */
  get isEmpty(): boolean {
    return this.#spans.every(({ text }) => text.trim() === "");
  }

  /** The last character that was written to the block; empty for none. */
  get lastCharacter(): string {
    return this.#spans[this.#spans.length - 1]?.text.slice(-1) ?? "";
  }

  /** Ends the block that is being written, and begins one of another style. */
  begin(style: BlockStyle): void {
    this.flush();
    this.#style = style;
  }

  text(text: string, marks: readonly string[] = [], link: Link | null = null): void {
    const clean = cleanText(text);
    if (clean === "") return;
    const last = this.#spans[this.#spans.length - 1];
    const isSame = last && last.link === link && last.marks.join() === marks.join();
    if (isSame) last.text += clean;
    else this.#spans.push({ text: clean, marks: [...marks], link });
  }

  /** Adds an object among the blocks: a picture, or one of a component. */
  object(type: string, content: JsonObject): void {
    this.flush();
    if (type === "image") this.#use.hasImage = true;
    else this.#use.components.add(type);
    this.blocks.push({ _type: type, _key: this.#key(), ...content });
  }

  /** Ends the block that is being written; one without text is left out. */
  flush(): void {
    const spans = trimmed(this.#spans);
    this.#spans = [];
    if (spans.length > 0) this.#add(spans);
  }

  #add(spans: Span[]): void {
    const key = this.#key();
    const defs = new Map<string, JsonObject>();
    const children = spans.map(({ text, marks, link }, at): JsonObject => {
      for (const mark of marks) this.#use.decorators.add(mark);
      return {
        ...{ _type: "span", _key: `${key}${at}`, text },
        marks: [...marks, ...(link ? [this.#markOf(link, key, defs)] : [])],
      };
    });
    const { style, listItem, level = 1 } = this.#style;
    this.#use.styles.add(style);
    if (listItem) this.#use.lists.add(listItem);
    this.blocks.push({
      ...{ _type: "block", _key: key, style },
      ...(listItem && { listItem, level: Math.min(level, LEVEL_MAX) }),
      ...{ children, markDefs: [...defs.values()] },
    });
  }

  #markOf(link: Link, key: string, defs: Map<string, JsonObject>): string {
    const target = JSON.stringify(link);
    const isHref = "href" in link;
    if (isHref) this.#use.hasLink = true;
    else this.#use.hasRecord = true;
    let def = defs.get(target);
    if (!def) {
      def = { _type: isHref ? "link" : "internalLink", _key: `${key}l${defs.size}`, ...link };
      defs.set(target, def);
    }
    return def["_key"] as string;
  }

  #key(): string {
    return keyOf(this.#place, this.blocks.length);
  }
}

/** Returns spans without spaces at both ends, and without those that are empty then. */
function trimmed(spans: Span[]): Span[] {
  const all = spans.map((span) => ({ ...span }));
  while (all.length > 0 && (all[0]!.text = all[0]!.text.trimStart()) === "") all.shift();
  while (all.length > 0 && (all[all.length - 1]!.text = all[all.length - 1]!.text.trimEnd()) === "")
    all.pop();
  return all.filter(({ text }) => text !== "");
}
