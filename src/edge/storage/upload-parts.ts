/**
 * The parts of an upload: one object in R2 each, and no row. What R2 lists is what has been received. A part's key is
 * recorded as a pending delete before its bytes are written and never claimed, so that whatever happens to the upload
 * they go a day after the part's last writing.
 */
import { PARTED_UPLOAD } from "../../limits.ts";
import { openObject } from "./objects.ts";
import { recordPendingDelete } from "./pending-deletes.ts";
import type { UploadRow } from "./uploads.ts";
import { exactly } from "./variants.ts";

/** What names an upload's parts, and how many bytes they have together. */
export type PartedUpload = Pick<UploadRow, "spaceId" | "id" | "sizeBytes">;

const PART_PREFIX = "u";

const prefixOf = ({ spaceId, id }: PartedUpload): string => `${PART_PREFIX}/${spaceId}/${id}/`;

const keyOf = (upload: PartedUpload, n: number): string => prefixOf(upload) + String(n);

export const partCount = ({ sizeBytes }: PartedUpload): number =>
  Math.ceil(sizeBytes / PARTED_UPLOAD.partBytes);

/** Bytes of part `n`, from 1. */
export function partLength(upload: PartedUpload, n: number): number {
  const { partBytes } = PARTED_UPLOAD;
  return Math.min(partBytes, upload.sizeBytes - (n - 1) * partBytes);
}

/** Numbers of the parts that are there, in their order. */
export async function listParts(bucket: R2Bucket, upload: PartedUpload): Promise<number[]> {
  // One page has 1000 objects, and an upload has at most 20 parts.
  const { objects } = await bucket.list({ prefix: prefixOf(upload) });
  return objects.map(({ key }) => Number(key.slice(prefixOf(upload).length))).sort((a, b) => a - b);
}

/** To be called before part `n` is written. */
export const recordPart = (d1: D1Database, upload: PartedUpload, n: number, now: number): Promise<void> =>
  recordPendingDelete(d1, keyOf(upload, n), now);

/**
 * Stores part `n`, in place of what was there.
 * @throws when the body ends short or long, or breaks off: nothing is stored then, and an earlier part stays
 */
export async function putPart(
  bucket: R2Bucket,
  upload: PartedUpload,
  n: number,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  const neverOver = new AbortController().signal;
  await exactly(body, partLength(upload, n), neverOver, (exact) => bucket.put(keyOf(upload, n), exact));
}

/** The bytes of part `n`; null when it is not there. */
export const openPart = (
  bucket: R2Bucket,
  upload: PartedUpload,
  n: number,
): Promise<ReadableStream<Uint8Array> | null> => openObject(bucket, keyOf(upload, n));

/** Removes the bytes. Their pending deletes stay: a part may be on its way, and a delete of nothing harms nothing. */
export async function deleteParts(bucket: R2Bucket, upload: PartedUpload): Promise<void> {
  const parts = await listParts(bucket, upload);
  // R2 refuses an empty list.
  if (parts.length > 0) await bucket.delete(parts.map((n) => keyOf(upload, n)));
}
