/**
 * The intermediate form of a site that comes from another system: models, pictures and records, with ids that follow from
 * the ids of the source. Each importer reads its own system's export into it, and one writer puts it into a space.
 */
import type { Losses } from "./losses.ts";

/** The systems whose exports are read. */
export const SYSTEMS = ["contentful", "sanity", "strapi", "wordpress"] as const;
export type System = (typeof SYSTEMS)[number];

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/** The definition of a field, in the form of a request to the service. */
export interface SiteField {
  name: string;
  type: string;
  [option: string]: Json;
}

export interface SiteModel {
  typeModel: "collections" | "pages" | "components";
  name: string;
  label?: string;
  description?: string;
  titleField?: string;
  drafts?: boolean;
  fields: SiteField[];
}

export interface SiteLocale {
  code: string;
  fallback?: string;
}

/** A file of the source: a picture, or a file that is none. */
export interface SiteAsset {
  /** The id of the media item that it becomes. */
  id: string;
  sourceId: string;
  filename: string;
  /** The address of the file, as records name it where it is no picture. */
  address: string;
  /** The file on this machine that was read from the archive; undefined for one that is fetched from its address. */
  path?: string;
  /** The alt text by locale; the key "" stands for a site without locales. */
  alt: Record<string, string>;
  focalPoint?: { x: number; y: number };
  createdAt: string;
  updatedAt: string;
  /** Whether the source says that it is a picture. The service looks at the file itself. */
  isPicture: boolean;
}

/** The publication of one locale; the key "" stands for a site without locales. */
export interface SiteEdition {
  publishedAt?: string;
  /** When the draft is to be published. */
  publishAt?: string;
}

export interface SiteRecord {
  typeModel: "collections" | "pages";
  model: string;
  /** The id of the record; of a page, the name of its model. */
  id: string;
  sourceId: string;
  createdAt: string;
  updatedAt: string;
  /** The values by field. A localized field of a site with locales is an object by the code of the locale. */
  draft: JsonObject;
  /** The published content where it is not the draft. */
  published?: JsonObject;
  /** The locales that it has content in, with their publication. */
  editions: Record<string, SiteEdition>;
}

/** The outcome of getting the files: the reason for each that is no media item of the space. */
export type MissingAssets = ReadonlyMap<string, string>;

export interface Site {
  system: System;
  locales: SiteLocale[];
  /** Returns the models, once the records were read: the options of rich text follow from what the texts hold. */
  models(): SiteModel[];
  assets: SiteAsset[];
  recordCount: number;
  /** Yields the records in an order that is always the same. A reference to a missing asset is left out. */
  records(missing: MissingAssets, losses: Losses): AsyncIterable<SiteRecord>;
  /** Lists the losses of the models that are known once the records were read. */
  settle?(losses: Losses): void;
  /** Closes the file beside the import in which records wait: Windows removes no file that is open. */
  close(): void;
}
