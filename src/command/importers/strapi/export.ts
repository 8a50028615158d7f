/** The forms of `strapi export` (Strapi 5), as far as they are read. */
import type { Json, JsonObject } from "../site.ts";

export interface Attribute {
  type: string;
  /** A field of a plugin, such as an editor of HTML. */
  customField?: string;
  required?: boolean;
  unique?: boolean;
  minLength?: number;
  maxLength?: number;
  min?: number | string;
  max?: number | string;
  regex?: string;
  enum?: string[];
  multiple?: boolean;
  repeatable?: boolean;
  component?: string;
  components?: string[];
  relation?: string;
  target?: string;
  mappedBy?: string;
  /** The attribute of the type in `target` that has this relation to anything. */
  morphBy?: string;
  pluginOptions?: { i18n?: { localized?: boolean } };
}

export interface Schema {
  uid: string;
  modelType: "contentType" | "component";
  kind?: "collectionType" | "singleType";
  info?: { singularName?: string; pluralName?: string; displayName?: string; description?: string };
  options?: { draftAndPublish?: boolean };
  pluginOptions?: { i18n?: { localized?: boolean } };
  attributes: Record<string, Attribute>;
}

export interface Entity {
  type: string;
  id: number;
  data: JsonObject;
}

interface LinkEnd {
  type: string;
  ref: number | string;
  field?: string;
  pos?: number;
}

export interface Link {
  kind: string;
  relation: string;
  left: LinkEnd;
  right: LinkEnd;
}

export const FILE = "plugin::upload.file";
export const LOCALE = "plugin::i18n.locale";
export const DEFAULT_LOCALE_KEY = "plugin_i18n_default_locale";
/** Attributes that Strapi adds to every content type. */
export const SYSTEM_ATTRIBUTES: readonly string[] = [
  ...["createdAt", "updatedAt", "publishedAt", "createdBy", "updatedBy", "locale", "localizations"],
];

/** Returns a text member of an entity; empty for none. */
export function textOf(data: JsonObject, name: string): string {
  const value: Json | undefined = data[name];
  return typeof value === "string" ? value : "";
}

/** Returns whether an attribute differs by language. In a localized type, relations and UIDs always do. */
export const isLocalizedAttribute = (schema: Schema, { type, pluginOptions }: Attribute): boolean =>
  schema.pluginOptions?.i18n?.localized === true &&
  (pluginOptions?.i18n?.localized === true || type === "relation" || type === "uid");
