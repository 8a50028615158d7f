/** Portable Text, as fields of rich text hold it. */
import type { Picture } from "../pictures/picture.ts";

export interface Span {
  _type: "span";
  _key: string;
  text: string;
  marks: string[];
}

export interface LinkDef {
  _type: "link";
  _key: string;
  href: string;
}

/** A link to a record: its id, or the record itself where `populate` names it. */
export interface InternalLinkDef<Record = unknown> {
  _type: "internalLink";
  _key: string;
  record: Record;
}

export interface TextBlock {
  _type: "block";
  _key: string;
  style: string;
  listItem?: string;
  level?: number;
  children: Span[];
  markDefs: (LinkDef | InternalLinkDef)[];
}

/** A picture: the id of its media item, or the item itself where `populate` names it. */
export interface ImageBlock<Media = string | Picture | null> {
  _type: "image";
  _key: string;
  media: Media;
  alt?: string;
  caption?: string;
}

/** An object of a component among the blocks. */
export interface ComponentBlock {
  _type: string;
  _key: string;
}

export type RichText = readonly (TextBlock | ImageBlock | ComponentBlock)[];
