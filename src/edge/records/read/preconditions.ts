/** ETags of records and models, and the request headers that name them (RFC 9110 §13.1). */
import { ApiError } from "../../../errors.ts";
import type { Model } from "../../../content/model/model.ts";
import { recordView, type StoredRecord } from "./record-object.ts";

/**
 * Returns what a record says of its publication, which changes without its version: nothing in a model without drafts.
 */
const publicationTag = (model: Model, record: StoredRecord): string[] =>
  model.drafts
    ? [[record.publishedVersion, record.publishedAt, record.publishAt, record.unpublishAt].join(".")]
    : [];

/**
 * Writes the ETag of a record: its version first, so that it can come back in If-Match; then the model's number, which
 * no model made again under the same name has, and its version; then the rest that an answer shows.
 * @param digest of what was expanded, which changes without the record
 */
export const etagOf = (model: Model, record: StoredRecord, digest?: string): string =>
  `"${[record.version, `${model.id}.${model.version}`, ...publicationTag(model, record), ...localeTag(model, record), ...(digest ? [digest] : [])].join("-")}"`;

/**
 * Returns what an answer says in the locale of the model's scope, which changes with other locales and with the setting
 * of the space: nothing in a space without locales.
 */
const localeTag = (model: Model, record: StoredRecord): string[] =>
  model.scope ? [hashOf(JSON.stringify(recordView({ ...model, showsActors: false }, record)))] : [];

/** Returns a text of 64 bits that differs for different texts (FNV-1a, in two halves). */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0xcbf29ce4];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b) + a;
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

export const modelEtagOf = (model: { id: number; version: number }): string =>
  `"${model.version}-${model.id}.model"`;

/** A tag of this service: a version, and the model's number where the tag names it. Earlier tags did not. */
const ENTITY_TAG = /^(?:W\/)?"(\d{1,15})(?:-(?:(\d{1,15})\.)?[^"]*)?"$/;

/**
 * Returns the versions that an If-Match header takes; null for any. A weak tag counts as its strong one: proxies that
 * compress weaken tags on the way. A tag that is not of this service, or of a removed model, matches nothing.
 */
export function versionsOfIfMatch(
  header: string | undefined,
  model: { id: number },
): ReadonlySet<number> | null {
  if (header === undefined || header.trim() === "*") return null;
  const tags = header.split(",").map((tag) => ENTITY_TAG.exec(tag.trim()));
  const own = tags.filter((tag) => tag && (tag[2] === undefined || Number(tag[2]) === model.id));
  return new Set(own.map((tag) => Number(tag?.[1])));
}

/** Returns whether the whole answer is needed, because If-None-Match does not name this tag (weak comparison). */
export function isModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return true;
  if (header.trim() === "*") return false;
  return !header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** @throws ApiError PRECONDITION_FAILED when `versions` do not take the present one; null takes any */
export function checkVersion(
  { version }: { version: number },
  versions: ReadonlySet<number> | null,
  what = "record",
): void {
  if (versions === null || versions.has(version)) return;
  throw new ApiError(
    "PRECONDITION_FAILED",
    `The ${what} is at version ${version} now. Read it again, then send that version or its ETag.`,
  );
}
