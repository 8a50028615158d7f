/**
 * Writes a variant of unknown length to R2 as a multipart upload. The key and the upload are recorded as a pending
 * delete before any byte is written, so that the sweep aborts the upload after a crash.
 *
 * If there is an object under the key already, completing the upload replaces it atomically by equivalent bytes, so
 * readers see either the old or the new object.
 */
import type { VariantFormat } from "../../../image/formats/registry.ts";
import type { BuiltPart } from "../../../image/protocol/build.ts";
import { PENDING_DELETE } from "../../../limits.ts";
import { pendingDeleteStatement } from "../sweep/pending-deletes.ts";
import { exactly, variantMetadata } from "./variants.ts";

export class VariantUpload {
  readonly #upload: R2MultipartUpload;
  readonly #parts: R2UploadedPart[] = [];
  #sizeBytes = 0;

  private constructor(upload: R2MultipartUpload) {
    this.#upload = upload;
  }

  static async begin(
    { bucket, d1 }: { bucket: R2Bucket; d1: D1Database },
    key: string,
    format: VariantFormat,
    now: number,
  ): Promise<VariantUpload> {
    const upload = await bucket.createMultipartUpload(key, { httpMetadata: variantMetadata(format) });
    try {
      const [known] = await d1.batch<{ uploadId: string | null }>([
        d1.prepare("SELECT upload_id AS uploadId FROM doomed_objects WHERE key = ?1").bind(key),
        pendingDeleteStatement(d1, key, now + PENDING_DELETE.bytesOnTheWayMs, upload.uploadId),
      ]);
      const lost = known?.results[0]?.uploadId;
      // The upload of an earlier try. The new record replaces it, so it is aborted here.
      if (lost) await abort(bucket.resumeMultipartUpload(key, lost));
    } catch (error) {
      await abort(upload);
      throw error;
    }
    return new VariantUpload(upload);
  }

  /** Writes a part. @throws when the body has another length or fails, or `signal` aborts */
  async add(body: BuiltPart["body"], byteLength: number, signal: AbortSignal): Promise<void> {
    const part = await exactly(body, byteLength, signal, (exact) =>
      this.#upload.uploadPart(this.#parts.length + 1, exact),
    );
    this.#parts.push(part);
    this.#sizeBytes += byteLength;
  }

  /** Completes the upload. @returns the size of the object */
  async complete(): Promise<number> {
    await this.#upload.complete(this.#parts);
    return this.#sizeBytes;
  }

  abort(): Promise<void> {
    return abort(this.#upload);
  }
}

/** Aborts an upload. If that fails, the sweep tries again. */
const abort = (upload: R2MultipartUpload): Promise<void> => upload.abort().catch(() => undefined);
