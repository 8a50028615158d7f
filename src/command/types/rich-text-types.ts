/** The types of rich text that `silverprint types` writes. They need no import, so that the file stands by itself. */
import { allowedBy, type TextOptions } from "../../content/field-types/nested/portable-text.ts";

const literals = (names: readonly string[]): string =>
  names.length > 0 ? names.map((name) => JSON.stringify(name)).join(" | ") : "never";

/** Returns the type of a block of a field: text, or a picture where the field allows it. */
export function richTextType(field: TextOptions, kind: "values" | "input"): string {
  const { styles, lists, hasLink, linkTo, hasImage } = allowedBy(field);
  const input = kind === "input" ? "Input" : "";
  const defs = [
    ...(hasLink ? [`Link${input}`] : []),
    ...(linkTo === null ? [] : [`InternalLink${input}`]),
  ].join(" | ");
  const text = `TextBlock${input}<${literals(styles)}, ${literals(lists)}, ${defs || "never"}>`;
  return hasImage ? `${text} | ImageBlock${input}` : text;
}

export const RICH_TEXT_TYPES = `export interface Span {
  _type: "span";
  _key: string;
  text: string;
  marks: string[];
}
export interface Link {
  _type: "link";
  _key: string;
  href: string;
}
export interface InternalLink {
  _type: "internalLink";
  _key: string;
  record: string;
}
export interface TextBlock<Style extends string, List extends string, Def> {
  _type: "block";
  _key: string;
  style: Style;
  listItem?: List;
  level?: number;
  children: Span[];
  markDefs: Def[];
}
export interface ImageBlock {
  _type: "image";
  _key: string;
  media: string;
  alt?: string;
  caption?: string;
}
export type SpanInput = Pick<Span, "_type" | "text"> & Partial<Span>;
export type LinkInput = Link;
export type InternalLinkInput = InternalLink;
export type TextBlockInput<Style extends string, List extends string, Def> = { _type: "block"; children?: SpanInput[] } & Partial<Omit<TextBlock<Style, List, Def>, "_type" | "children">>;
export type ImageBlockInput = Omit<ImageBlock, "_key"> & { _key?: string };
`;
