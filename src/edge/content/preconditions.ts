/** ETags of records and models, and the request headers that name them (RFC 9110 §13.1). */
import { ApiError } from "../../errors.ts";
import type { Model } from "../content-model/model.ts";

/** An ETag names the record's version first, so that it can come back in If-Match, then the model's, then the rest. */
export const etagOf = (record: { version: number }, model: Model, ...rest: string[]): string =>
  `"${[record.version, model.version, ...rest.filter((text) => text !== "")].join("-")}"`;

export const modelEtagOf = (model: { version: number }): string => `"${model.version}"`;

const ENTITY_TAG = /^(?:W\/)?"(\d{1,15})(?:-[^"]*)?"$/;

/**
 * The versions that an If-Match header takes; null for any. A weak tag counts as its strong one: proxies that
 * compress weaken tags on the way. What is no tag of ours matches nothing.
 */
export function versionsOfIfMatch(header: string | undefined): ReadonlySet<number> | null {
  if (header === undefined || header.trim() === "*") return null;
  const versions = header.split(",").map((tag) => ENTITY_TAG.exec(tag.trim())?.[1]);
  return new Set(versions.filter((version) => version !== undefined).map(Number));
}

/** True when an If-None-Match header does not name this tag, so that the whole answer is due (weak comparison). */
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
