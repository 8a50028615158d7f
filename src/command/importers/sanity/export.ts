/** The forms of `sanity dataset export`, as far as they are read. */
import type { Json, JsonObject } from "../site.ts";

export type SanityDocument = JsonObject & { _id: string; _type: string };

/** The members of `assets.json` and of documents of assets that are read. */
export interface AssetFacts {
  originalFilename?: string;
  altText?: string;
  title?: string;
  description?: string;
  url?: string;
  _createdAt?: string;
  _updatedAt?: string;
}

/** A file that a value names. */
export interface NamedAsset {
  /** `image-` or `file-`, and the SHA-1 of the file: its id in Sanity. */
  key: string;
  isImage: boolean;
  /** The path in the archive, or the address. */
  location: string;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const typeOf = (value: JsonObject): string =>
  typeof value["_type"] === "string" ? value["_type"] : "";

const EXPORTED = /^(image|file)@((?:file:\/\/(?:\.\/)?)?(.*))$/;
const REFERENCE = /^(image|file)-([0-9a-f]+)-/;

/** Returns the file that an object of an image or file names; null for any other object. */
export function assetIn(value: JsonObject): NamedAsset | null {
  const exported = value["_sanityAsset"];
  if (typeof exported === "string") {
    const [, kind, location = "", path = ""] = EXPORTED.exec(exported) ?? [];
    if (kind === undefined) return null;
    const hash = /([0-9a-f]{20,})/.exec(path)?.[1] ?? path;
    return {
      key: `${kind}-${hash}`,
      isImage: kind === "image",
      location: location.startsWith("file://") ? path : location,
    };
  }
  const asset = value["asset"];
  const ref = isObject(asset) ? asset["_ref"] : undefined;
  const [, kind, hash] = typeof ref === "string" ? (REFERENCE.exec(ref) ?? []) : [];
  return kind === undefined
    ? null
    : { key: `${kind}-${hash ?? ""}`, isImage: kind === "image", location: "" };
}

/** Returns the id that a reference names; null for any other object, and for a reference to another dataset. */
export const referenceIn = (value: JsonObject): string | null =>
  typeof value["_ref"] === "string" && value["_dataset"] === undefined
    ? value["_ref"].replace(/^drafts\./, "")
    : null;

export const isBlock = (value: Json): value is JsonObject =>
  isObject(value) && value["_type"] === "block" && Array.isArray(value["children"]);

const CODE = /^[a-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$/;
export const isCode = (text: string): boolean => CODE.test(text);
/** Returns a code of a language as BCP 47 has it: `de_AT` is `de-AT`. */
export const codeFrom = (text: string): string => text.replaceAll("_", "-");

/**
 * Returns a value by language; null for one that is not localized. There are two conventions: an object whose type begins
 * with "locale" and that has a member per language, and the lists of the plugin "internationalized-array".
 */
export function localizedIn(value: Json): Map<string, Json> | null {
  if (Array.isArray(value)) {
    const items = value.filter(isObject);
    const isOne = items.length > 0 && items.length === value.length;
    if (!isOne || !items.every((item) => typeOf(item).startsWith("internationalizedArray"))) return null;
    return new Map(
      items.map((item) => [codeFrom((item["language"] ?? item["_key"]) as string), item["value"] ?? null]),
    );
  }
  if (!isObject(value) || !/^(?:locale|localized|intl)/i.test(typeOf(value))) return null;
  const members = Object.entries(value).filter(([name]) => !name.startsWith("_"));
  if (members.length === 0 || !members.every(([name]) => isCode(name))) return null;
  return new Map(members.map(([name, one]) => [codeFrom(name), one]));
}
