/**
 * The parts of an upload. Each is one object in R2 and has no row: R2's list says which parts have been received. The
 * key of a part is recorded as a pending delete before its bytes are written, and no row ever claims it, so that the
 * bytes are removed a day after they were last written, whatever happens to the upload.
 */
import { PARTED_UPLOAD } from "../../../limits.ts";
import { openObject } from "./objects.ts";
import { recordPendingDelete } from "../sweep/pending-deletes.ts";
import type { UploadRow } from "./uploads.ts";
import { exactly } from "../pictures/variants.ts";

/** The properties of an upload that determine the keys and lengths of its parts. */
export type PartedUpload = Pick<UploadRow, "spaceId" | "id" | "sizeBytes">;

const PART_PREFIX = "u";

const prefixOf = ({ spaceId, id }: PartedUpload): string => `${PART_PREFIX}/${spaceId}/${id}/`;

const keyOf = (upload: PartedUpload, n: number): string => prefixOf(upload) + String(n);

export const partCount = ({ sizeBytes }: PartedUpload): number =>
  Math.ceil(sizeBytes / PARTED_UPLOAD.partBytes);

/** Returns the length of part `n` in bytes. Parts are numbered from 1. */
export function partLength(upload: PartedUpload, n: number): number {
  const { partBytes } = PARTED_UPLOAD;
  return Math.min(partBytes, upload.sizeBytes - (n - 1) * partBytes);
}

/** Returns the numbers of the received parts, in ascending order. */
export async function listParts(bucket: R2Bucket, upload: PartedUpload): Promise<number[]> {
  // One page has 1000 objects, and an upload has at most 20 parts.
  const { objects } = await bucket.list({ prefix: prefixOf(upload) });
  return objects.map(({ key }) => Number(key.slice(prefixOf(upload).length))).sort((a, b) => a - b);
}

/** Records the key of part `n`. Call it before the part is written. */
export const recordPart = (d1: D1Database, upload: PartedUpload, n: number, now: number): Promise<void> =>
  recordPendingDelete(d1, keyOf(upload, n), now);

/**
 * Stores part `n` and replaces an earlier one.
 * @throws when the body has another length or fails, or `signal` aborts: nothing is stored then, and an earlier part
 * stays
 */
export async function putPart(
  bucket: R2Bucket,
  upload: PartedUpload,
  n: number,
  { body, signal }: { body: ReadableStream<Uint8Array>; signal: AbortSignal },
): Promise<void> {
  await exactly(body, partLength(upload, n), signal, (exact) => bucket.put(keyOf(upload, n), exact));
}

/** Returns the bytes of part `n`; null when it does not exist. */
export const openPart = (
  bucket: R2Bucket,
  upload: PartedUpload,
  n: number,
): Promise<ReadableStream<Uint8Array> | null> => openObject(bucket, keyOf(upload, n));

/** Removes the bytes of all parts. Their pending deletes stay, because a part may still be arriving. */
export async function deleteParts(bucket: R2Bucket, upload: PartedUpload): Promise<void> {
  const parts = await listParts(bucket, upload);
  // R2 refuses an empty list.
  if (parts.length > 0) await bucket.delete(parts.map((n) => keyOf(upload, n)));
}
