/** Portable Text as the service stores it, and what a field allows of it. Pure, and without the editor's library. */
export interface Span {
  _type: "span";
  _key: string;
  text: string;
  /** Names of decorators, and keys of definitions in the block's `markDefs`. */
  marks: string[];
}

export interface MarkDef {
  _type: string;
  _key: string;
  [member: string]: unknown;
}

export interface TextBlock {
  _type: "block";
  _key: string;
  style: string;
  listItem?: string;
  level?: number;
  children: Span[];
  markDefs: MarkDef[];
}

/** A picture, or a component among the blocks. */
export interface ObjectBlock {
  _type: string;
  _key: string;
  [member: string]: unknown;
}

export type Block = TextBlock | ObjectBlock;

export const IMAGE = "image";
export const LINK = "link";
export const INTERNAL_LINK = "internalLink";
export const NORMAL = "normal";
export const LEVELS_MAX = 10;

export const isTextBlock = (block: Block): block is TextBlock => block._type === "block";

export const blocksOf = (value: unknown): Block[] => (Array.isArray(value) ? (value as Block[]) : []);

/** The options of a field of rich text. What is left out has a default. */
interface RichTextOptions {
  styles?: readonly string[] | undefined;
  lists?: readonly string[] | undefined;
  decorators?: readonly string[] | undefined;
  annotations?: readonly (string | { name: string; to: string })[] | undefined;
  components?: readonly string[] | undefined;
  image?: boolean | undefined;
}

/** The parts that a field allows in its texts. */
export interface Allowed {
  styles: readonly string[];
  lists: readonly string[];
  decorators: readonly string[];
  link: boolean;
  /** The collection that internal links lead to; null if there are none. */
  internalLink: string | null;
  components: readonly string[];
  image: boolean;
}

export const STYLES_DEFAULT = ["normal", "h1", "h2", "h3", "h4", "blockquote"] as const;
export const LISTS_DEFAULT = ["bullet", "number"] as const;
export const DECORATORS_DEFAULT = ["strong", "em", "underline", "strike-through", "code"] as const;
export const ANNOTATIONS_DEFAULT = [LINK] as const;

export function allowedIn(field: RichTextOptions): Allowed {
  const annotations = field.annotations ?? ANNOTATIONS_DEFAULT;
  const internal = annotations.find((one) => typeof one === "object");
  return {
    styles: field.styles ?? STYLES_DEFAULT,
    lists: field.lists ?? LISTS_DEFAULT,
    decorators: field.decorators ?? DECORATORS_DEFAULT,
    link: annotations.includes(LINK),
    internalLink: internal?.to ?? null,
    components: field.components ?? [],
    image: field.image === true,
  };
}

const textOf = ({ children }: TextBlock): string => children.map(({ text }) => text).join("");

/** Returns the texts of the blocks without any form, for an excerpt. */
export const plainText = (value: unknown): string =>
  blocksOf(value)
    .flatMap((block) => (isTextBlock(block) ? [textOf(block)] : []))
    .join(" ")
    .trim();

const SIGNS: Record<string, string> = { h1: "# ", h2: "## ", h3: "### ", h4: "#### ", blockquote: "> " };

function lineOf(block: Block): string {
  if (!isTextBlock(block)) {
    const members = Object.entries(block).filter(([name]) => name !== "_type" && name !== "_key");
    return `[${block._type}: ${JSON.stringify(Object.fromEntries(members))}]`;
  }
  const { style, listItem, level = 1 } = block;
  const indent = "  ".repeat(level - 1);
  const marker = listItem === undefined ? "" : `${indent}${listItem === "number" ? "1." : "-"} `;
  return `${marker}${SIGNS[style] ?? ""}${textOf(block)}`;
}

/** Returns the blocks as lines of text, by which versions of a value are compared. */
export const outline = (value: unknown): string => blocksOf(value).map(lineOf).join("\n");

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const SCHEMES = ["http", "https", "mailto", "tel"];

/** Returns whether a link may lead to an address: the service takes these schemes, and relative addresses. */
export function isLinkable(address: string): boolean {
  if (address.trim() === "") return false;
  const [, scheme] = SCHEME.exec(address) ?? [];
  if (scheme !== undefined) return SCHEMES.includes(scheme.toLowerCase());
  return !/^[/\\]{2}/.test(address);
}

/** A name of a site without its scheme, as people write it. */
const BARE_SITE = /^(?:[\w-]+\.)+[a-z]{2,}(?:[/?#:]|$)/i;
const MAIL = /^[^\s@/]+@[^\s@/]+\.[a-z]{2,}$/i;

/** Completes an address as it was typed: `example.org` to `https://example.org`. */
export function completed(typed: string): string {
  const address = typed.trim();
  if (MAIL.test(address)) return `mailto:${address}`;
  return BARE_SITE.test(address) && !SCHEME.test(address) ? `https://${address}` : address;
}

const KEY_BYTES = 6;

/** Returns a new key for an object in a list. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
