/** The forms of `contentful space export`, as far as they are read. */
import type { Json, JsonObject } from "../site.ts";

interface Sys {
  id: string;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
  publishedAt?: string;
  publishedVersion?: number;
  archivedAt?: string;
  archivedVersion?: number;
  contentType?: { sys: { id: string } };
  space?: { sys: { id: string } };
  /** The publication of each locale, in spaces that publish by locale. */
  fieldStatus?: Record<string, Record<string, string>>;
}

export interface Validation {
  unique?: boolean;
  in?: Json[];
  linkContentType?: string | string[];
  size?: { min?: number | null; max?: number | null };
  range?: { min?: number | null; max?: number | null };
  regexp?: { pattern: string; flags?: string | null };
  [other: string]: unknown;
}

export interface ContentfulField {
  id: string;
  name?: string;
  type: string;
  linkType?: string;
  localized?: boolean;
  required?: boolean;
  validations?: Validation[];
  items?: { type: string; linkType?: string; validations?: Validation[] };
}

export interface ContentType {
  sys: Sys;
  name?: string;
  description?: string;
  displayField?: string | null;
  fields: ContentfulField[];
}

/** The value of each locale by its code. */
export type Localized = Record<string, Json>;

export interface Entry {
  sys: Sys;
  fields?: Record<string, Localized>;
  metadata?: { tags?: Json[]; concepts?: Json[] };
}

export interface Asset {
  sys: Sys;
  fields?: {
    title?: Record<string, string>;
    description?: Record<string, string>;
    file?: Record<string, { url?: string; upload?: string; fileName?: string; contentType?: string }>;
  };
}

export interface ContentfulLocale {
  code: string;
  default?: boolean;
  fallbackCode?: string | null;
}

/** Returns the id that a link names; null for anything but a link of that type. */
export function linkedId(value: Json | undefined, linkType: "Entry" | "Asset"): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const sys = value["sys"] as JsonObject | undefined;
  return sys?.["linkType"] === linkType && typeof sys["id"] === "string" ? sys["id"] : null;
}
