/** Writes a rich text as HTML. Everything that the text holds is escaped, so that it runs nothing. */
import { imgAttributes, type SourcesOptions } from "../pictures/attributes.ts";
import type { Picture } from "../pictures/picture.ts";
import { attributesOf, escapeHtml } from "./escape.ts";
import type { ComponentBlock, ImageBlock } from "./portable-text.ts";
import { isObject, listOf, spansHtml, type LinkAddress, type Members } from "./spans.ts";

export interface RichTextOptions {
  /**
   * The HTML of components among the blocks, by their names. What a function returns is not escaped. A component
   * without one is left out.
   */
  components?: Readonly<Record<string, (block: never) => string>> | undefined;
  /** The options of pictures, as for `imgAttributes`; or a function that returns the HTML of a picture. */
  pictures?: SourcesOptions | ((block: ImageBlock) => string) | undefined;
  /** Returns the address of a link to a record. Without it, such a link is its text alone. */
  links?: LinkAddress | undefined;
}

/** An open list. */
interface List {
  kind: string;
  level: number;
  close: string;
}

const TAGS = /^(?:h[1-6]|blockquote)$/;

/** Puts a text into the element of its style. A style of your own is a paragraph with its name as its class. */
function styled(style: unknown, inner: string, isItem: boolean): string {
  const name = typeof style === "string" ? style : "normal";
  if (TAGS.test(name)) return `<${name}>${inner}</${name}>`;
  if (name === "normal") return isItem ? inner : `<p>${inner}</p>`;
  return `<p${attributesOf({ class: name })}>${inner}</p>`;
}

const isPicture = (media: unknown): media is Picture =>
  isObject(media) &&
  typeof media["directUrl"] === "string" &&
  typeof media["width"] === "number" &&
  typeof media["height"] === "number";

/** Returns the attributes of a picture. A placeholder that cannot be one is left out. */
function imageAttributes(media: Picture, pictures: SourcesOptions | undefined): object {
  try {
    return imgAttributes(media, pictures);
  } catch {
    return imgAttributes({ ...media, placeholder: null }, pictures);
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function imageHtml(block: Members, { pictures }: RichTextOptions): string {
  if (typeof pictures === "function") return pictures(block as unknown as ImageBlock);
  const { media } = block;
  // Only the id is known if `populate` does not name the picture.
  if (!isPicture(media)) return "";
  const alt = textOf(block["alt"]) || textOf(media.alt);
  const image = `<img${attributesOf({ ...imageAttributes(media, pictures), alt })}>`;
  const caption = textOf(block["caption"]);
  return `<figure>${image}${caption && `<figcaption>${escapeHtml(caption)}</figcaption>`}</figure>`;
}

function componentHtml(block: Members, { components }: RichTextOptions): string {
  const name = textOf(block["_type"]);
  const write =
    components && Object.hasOwn(components, name)
      ? (components[name] as ((block: ComponentBlock) => string) | undefined)
      : undefined;
  return write?.(block as unknown as ComponentBlock) ?? "";
}

const levelOf = ({ level }: Members): number => (typeof level === "number" && level >= 1 ? level : 1);

/** Writes blocks one after the other, and opens and closes the lists that they stand in. */
class Writer {
  html = "";
  readonly #open: List[] = [];
  readonly #options: RichTextOptions;

  constructor(options: RichTextOptions) {
    this.#options = options;
  }

  add(block: Members): void {
    if (block["_type"] === "block") {
      const inner = spansHtml(block, this.#options.links);
      const kind = textOf(block["listItem"]);
      if (kind === "") this.#outside(styled(block["style"], inner, false));
      else this.#item(kind, levelOf(block), styled(block["style"], inner, true));
    } else {
      const isImage = block["_type"] === "image";
      this.#outside(isImage ? imageHtml(block, this.#options) : componentHtml(block, this.#options));
    }
  }

  #outside(html: string): void {
    this.end();
    this.html += html;
  }

  #item(kind: string, level: number, html: string): void {
    let last = this.#open.at(-1);
    while (last && (last.level > level || (last.level === level && last.kind !== kind))) {
      this.#close();
      last = this.#open.at(-1);
    }
    if (last?.level === level) this.html += "</li>";
    else {
      const tag = kind === "number" ? "ol" : "ul";
      const isOwn = kind !== "number" && kind !== "bullet";
      this.html += `<${tag}${isOwn ? attributesOf({ class: kind }) : ""}>`;
      this.#open.push({ kind, level, close: `</li></${tag}>` });
    }
    this.html += `<li>${html}`;
  }

  #close(): void {
    this.html += this.#open.pop()?.close ?? "";
  }

  end(): void {
    while (this.#open.length > 0) this.#close();
  }
}

/**
 * Returns a rich text as HTML: paragraphs, headings, quotes, lists, links and pictures. Pictures need
 * `populate=body.image`.
 * @param value the value of the field, in whatever form it comes: what is no block is left out
 */
export function richTextHtml(value: unknown, options: RichTextOptions = {}): string {
  const writer = new Writer(options);
  for (const block of listOf(value)) if (isObject(block)) writer.add(block);
  writer.end();
  return writer.html;
}
