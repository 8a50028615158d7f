/**
 * Uploads in parts (RULES 4.7). Each part is stored when it arrives. `complete` streams the parts through the checks of
 * a direct upload. The batch that writes the media item also marks the upload as completed: calls that are repeated, or
 * run at the same time, make one item, and a call that is cut off leaves the upload as it was.
 */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../errors.ts";
import { storedFocalPoint, type FocalPoint } from "../../image/geometry/focal-point.ts";
import { megabytes, PARTED_UPLOAD, UPLOAD } from "../../limits.ts";
import { slowestSeconds, tooSlow } from "../http/requests/body-pace.ts";
import type { Space } from "../spaces/authorize.ts";
import { readMedia, type MediaWithMaster } from "../storage/media/media.ts";
import {
  deleteParts,
  listParts,
  openPart,
  partCount,
  partLength,
  putPart,
  recordPart,
} from "../storage/media/upload-parts.ts";
import {
  claimUpload,
  deleteOpenUpload,
  deleteUpload,
  insertUpload,
  readUpload,
  type UploadRow,
} from "../storage/media/uploads.ts";
import { replaceFile, uploadMedia, type UploadTools } from "./upload.ts";

export interface NewPartedUpload {
  filename: string;
  sizeBytes: number;
  alt: string | null;
  focalPoint: FocalPoint | null;
  /** The item whose file is replaced; null makes a new one. */
  mediaId: string | null;
}

export interface PartedTools extends UploadTools {
  waitUntil(work: Promise<unknown>): void;
}

/** @throws ApiError PAYLOAD_TOO_LARGE; NOT_FOUND when the item to be replaced is not there */
export async function beginUpload(
  space: Space,
  { filename, sizeBytes, alt, focalPoint, mediaId }: NewPartedUpload,
  { db, now, origin }: UploadTools,
): Promise<UploadRow> {
  if (sizeBytes > UPLOAD.maxBytes) {
    throw new ApiError("PAYLOAD_TOO_LARGE", `A file may have at most ${megabytes(UPLOAD.maxBytes)}.`);
  }
  const createdAt = now();
  const row: UploadRow = {
    id: ulid(createdAt),
    spaceId: space.id,
    filename,
    alt,
    focalX: focalPoint?.x ?? null,
    focalY: focalPoint?.y ?? null,
    sizeBytes,
    mediaId,
    createdAt,
    expiresAt: createdAt + PARTED_UPLOAD.lifetimeMs,
    completedAt: null,
  };
  if (await insertUpload(db, row, origin)) return row;
  throw notFound(mediaId === null ? "The space" : "The media item");
}

/** @throws ApiError NOT_FOUND when it does not exist, was given up, or is more than 24 hours old */
export async function findUpload(space: Space, id: string, { db, now }: UploadTools): Promise<UploadRow> {
  const upload = await readUpload(db, space.id, id, now());
  if (!upload) throw notFound("The upload");
  return upload;
}

/** Returns the numbers of the parts that were received: all of them once the upload is completed. */
export async function receivedParts(upload: UploadRow, { bucket }: UploadTools): Promise<number[]> {
  if (upload.completedAt === null) return listParts(bucket, upload);
  return Array.from({ length: partCount(upload) }, (_, index) => index + 1);
}

export interface PartBody {
  body: ReadableStream<Uint8Array>;
  /** Content-Length; null when the request has none. */
  lengthBytes: number | null;
}

/**
 * Stores one part, in place of an earlier one with its number.
 *
 * @returns how many bytes it has
 *
 * @param n from 1
 * @throws ApiError NOT_FOUND, CONFLICT when the upload is completed, INVALID_UPLOAD or PAYLOAD_TOO_LARGE for a part of
 * another length, REQUEST_TOO_SLOW, UNAVAILABLE when R2 does not take it
 */
export async function receivePart(
  space: Space,
  id: string,
  n: number,
  { body, lengthBytes }: PartBody,
  tools: UploadTools,
): Promise<number> {
  const upload = await findUpload(space, id, tools);
  if (upload.completedAt !== null) throw new ApiError("CONFLICT", "The upload is completed already.");
  const parts = partCount(upload);
  if (n > parts)
    throw new ApiError("NOT_FOUND", `The upload has parts 1 to ${parts}; there is no part ${n}.`);
  const expected = partLength(upload, n);
  if (lengthBytes !== null && lengthBytes !== expected) throw wrongLength(n, expected, lengthBytes);
  await recordPart(tools.db.$client, upload, n, tools.now());
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), slowestSeconds(expected) * 1000);
  try {
    await putPart(tools.bucket, upload, n, { body, signal: late.signal });
  } catch (cause) {
    if (late.signal.aborted) throw tooSlow();
    if (lengthBytes === null) throw wrongLength(n, expected, null, cause);
    const message = `Part ${n} did not arrive whole, or could not be stored. Send it again.`;
    throw new ApiError("UNAVAILABLE", message, { cause, headers: { "Retry-After": "1" } });
  } finally {
    clearTimeout(timer);
  }
  // The upload was given up or completed meanwhile: nothing else would remove the part for a day.
  const now = await readUpload(tools.db, space.id, id, tools.now());
  if (now?.completedAt !== null) await deleteParts(tools.bucket, upload);
  if (!now) throw notFound("The upload");
  return expected;
}

function wrongLength(n: number, expected: number, actual: number | null, cause?: unknown): ApiError {
  const isOverLimit = actual !== null && actual > PARTED_UPLOAD.partBytes;
  const got = actual === null ? "it had another length, or broke off" : `it has ${actual}`;
  const message = `Part ${n} must have exactly ${expected} bytes; ${got}. Send it again.`;
  return new ApiError(isOverLimit ? "PAYLOAD_TOO_LARGE" : "INVALID_UPLOAD", message, { cause });
}

/**
 * Makes the media item, or the new version, from the parts. A repeated call gives the same answer.
 * @throws ApiError NOT_FOUND; UPLOAD_INCOMPLETE while parts are missing; else as the direct upload, whose 4xx end the
 * upload
 */
export async function completeUpload(space: Space, id: string, tools: PartedTools): Promise<MediaWithMaster> {
  const upload = await findUpload(space, id, tools);
  if (upload.completedAt === null) {
    try {
      await makeMedia(space, upload, tools);
    } catch (error) {
      // Another call may have been first, or the answer of D1 was lost. Then the item that was made is the answer.
      const { completedAt } = await findUpload(space, id, tools);
      if (completedAt === null) {
        if (isFinal(error)) await endUpload(upload, tools);
        throw error;
      }
    }
    tools.waitUntil(deleteParts(tools.bucket, upload).catch(() => undefined));
  }
  const { mediaId } = await findUpload(space, id, tools);
  const media = mediaId === null ? null : await readMedia(tools.db, space.id, mediaId);
  if (!media) throw notFound("The media item");
  return media;
}

async function makeMedia(space: Space, upload: UploadRow, tools: PartedTools): Promise<void> {
  const received = new Set(await listParts(tools.bucket, upload));
  const missing = numbersOf(upload).filter((n) => !received.has(n));
  if (missing.length > 0) throw incomplete(missing);
  const { filename, alt, mediaId } = upload;
  const file = {
    filename,
    alt,
    focalPoint: storedFocalPoint(upload.focalX, upload.focalY),
    body: bytesOf(upload, tools.bucket),
    announcedBytes: upload.sizeBytes,
    claim: claimUpload(upload.id, tools.now),
  };
  if (mediaId === null) await uploadMedia(space, file, tools);
  else await replaceFile(space, mediaId, file, tools);
}

const numbersOf = (upload: UploadRow): number[] =>
  Array.from({ length: partCount(upload) }, (_, index) => index + 1);

const incomplete = (missing: number[]): ApiError =>
  new ApiError(
    "UPLOAD_INCOMPLETE",
    `Parts are missing: ${missing.join(", ")}. Send them, then complete again.`,
    {
      details: missing.map((n) => ({ path: `parts.${n}`, message: "has not been received" })),
    },
  );

/** Yields the file, part after part. */
async function* bytesOf(upload: UploadRow, bucket: R2Bucket): AsyncGenerator<Uint8Array> {
  for (const n of numbersOf(upload)) {
    try {
      const part = await openPart(bucket, upload, n);
      if (!part) throw incomplete([n]);
      yield* part;
    } catch (cause) {
      if (cause instanceof ApiError) throw cause;
      const message = "A part could not be read. Complete the upload again.";
      throw new ApiError("UNAVAILABLE", message, { cause, headers: { "Retry-After": "1" } });
    }
  }
}

/** Returns whether a new try with the same parts would fail in the same way. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.code !== "UPLOAD_INCOMPLETE";

/** Removes the row first. Pending deletes record the parts that a crash may leave. */
async function endUpload(upload: UploadRow, tools: PartedTools): Promise<void> {
  await deleteOpenUpload(tools.db, upload, { origin: tools.origin, now: tools.now() });
  tools.waitUntil(deleteParts(tools.bucket, upload).catch(() => undefined));
}

/** Gives an upload up. The item that a completed one has made stays. @throws ApiError NOT_FOUND */
export async function abandonUpload(space: Space, id: string, tools: PartedTools): Promise<void> {
  const upload = await findUpload(space, id, tools);
  if (!(await deleteUpload(tools.db, space.id, id, { origin: tools.origin, now: tools.now() })))
    throw notFound("The upload");
  tools.waitUntil(deleteParts(tools.bucket, upload).catch(() => undefined));
}
