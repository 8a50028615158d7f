/**
 * A variant on its way to R2 in parts, for one whose length is not known before its end. The key is recorded as
 * a pending delete, with the upload, before any byte is there, so that the sweep aborts what a crash left of it.
 *
 * What was stored under the key before is replaced at once when the upload is completed, by bytes as good: readers
 * see the one or the other, whole.
 */
import type { VariantFormat } from "../../image/model/variant.ts";
import { PENDING_DELETE } from "../../limits.ts";
import { pendingDeleteStatement } from "./pending-deletes.ts";
import { exactly, variantMetadata } from "./variants.ts";

export class VariantUpload {
  readonly #upload: R2MultipartUpload;
  readonly #parts: R2UploadedPart[] = [];
  #sizeBytes = 0;

  private constructor(upload: R2MultipartUpload) {
    this.#upload = upload;
  }

  static async begin(
    { BUCKET, DB }: { BUCKET: R2Bucket; DB: D1Database },
    key: string,
    format: VariantFormat,
    now: number,
  ): Promise<VariantUpload> {
    const upload = await BUCKET.createMultipartUpload(key, { httpMetadata: variantMetadata(format) });
    try {
      const [known] = await DB.batch<{ uploadId: string | null }>([
        DB.prepare("SELECT upload_id AS uploadId FROM doomed_objects WHERE key = ?1").bind(key),
        pendingDeleteStatement(DB, key, now + PENDING_DELETE.bytesOnTheWayMs, upload.uploadId),
      ]);
      const lost = known?.results[0]?.uploadId;
      // Of an earlier try: nobody remembers it from here on.
      if (lost) await abort(BUCKET.resumeMultipartUpload(key, lost));
    } catch (error) {
      await abort(upload);
      throw error;
    }
    return new VariantUpload(upload);
  }

  /** @throws when the body ends short or long, errors, or `signal` aborts */
  async add(body: ReadableStream<Uint8Array>, byteLength: number, signal: AbortSignal): Promise<void> {
    const part = await exactly(body, byteLength, signal, (exact) =>
      this.#upload.uploadPart(this.#parts.length + 1, exact),
    );
    this.#parts.push(part);
    this.#sizeBytes += byteLength;
  }

  /** @returns the size of what is stored */
  async complete(): Promise<number> {
    await this.#upload.complete(this.#parts);
    return this.#sizeBytes;
  }

  abort(): Promise<void> {
    return abort(this.#upload);
  }
}

/** What is not there any more, or cannot be aborted now, is the sweep's. */
const abort = (upload: R2MultipartUpload): Promise<void> => upload.abort().catch(() => undefined);
