/** Writes a stream of unknown length to R2 in parts, and holds one part at a time. */
import { MULTIPART } from "../../../limits.ts";

/** The stores of a writer: R2, and the pending deletes. */
export interface WriterStore {
  bucket: R2Bucket;
  /** Records a key that is about to be written, and the multipart upload that writes it. */
  recordKey(key: string, uploadId: string | null): Promise<void>;
  /** Removes the record of a key whose bytes were removed. */
  forgetKey(key: string): Promise<void>;
}

export interface WriteTarget {
  key: string;
  contentType: string;
}

const PART_BYTES = MULTIPART.partBytes;
/** A part grows as it fills, so that a body that comes slowly does not hold all of it. */
const PART_START_BYTES = PART_BYTES / 16;

export class MasterWriter {
  readonly #store: WriterStore;
  readonly #metadata: { cacheControl: string };
  #part: Uint8Array | null = null;
  #filled = 0;
  #upload: R2MultipartUpload | null = null;
  #uploaded: R2UploadedPart[] = [];
  /** The recorded key, if any. Its record must be removed, or a row must claim the key. */
  #recorded: string | null = null;

  constructor(store: WriterStore, metadata: { cacheControl: string }) {
    this.#store = store;
    this.#metadata = metadata;
  }

  /** @param target called when the first part is full */
  async write(chunk: Uint8Array, target: () => WriteTarget): Promise<void> {
    for (let at = 0; at < chunk.byteLength;) {
      if (this.#part && this.#filled === PART_BYTES) await this.#flush(target());
      const part = this.#roomFor(chunk.byteLength - at);
      const count = Math.min(part.length - this.#filled, chunk.byteLength - at);
      part.set(chunk.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
    }
  }

  /** Returns the present part, with room for `bytes` more as far as a part has it. */
  #roomFor(bytes: number): Uint8Array {
    const part = this.#part;
    const wanted = Math.min(PART_BYTES, this.#filled + bytes);
    if (part && part.length >= wanted) return part;
    const grown = new Uint8Array(Math.min(PART_BYTES, Math.max(PART_START_BYTES, wanted, 2 * this.#filled)));
    if (part) grown.set(part.subarray(0, this.#filled));
    this.#part = grown;
    return grown;
  }

  /** Completes the object. Its key stays recorded until the row that claims it is written. */
  async finish(target: WriteTarget): Promise<void> {
    if (this.#upload) {
      await this.#flush(target);
      await this.#upload.complete(this.#uploaded);
      this.#upload = null;
      return;
    }
    await this.writeWhole((this.#part ?? new Uint8Array()).subarray(0, this.#filled), target);
    this.#part = null;
  }

  /** Writes the object from bytes that are all there, and makes no copy of them. It takes the place of all other calls. */
  async writeWhole(bytes: Uint8Array, target: WriteTarget): Promise<void> {
    await this.#record(target.key, null);
    await this.#store.bucket.put(target.key, bytes, { httpMetadata: this.#httpMetadata(target) });
  }

  /** Removes what was written. */
  async abort(): Promise<void> {
    this.#part = null;
    await this.#upload?.abort();
    if (this.#recorded === null) return;
    await this.#store.bucket.delete(this.#recorded);
    await this.#store.forgetKey(this.#recorded);
  }

  /** Uploads the present part, which is full or the last one. */
  async #flush(target: WriteTarget): Promise<void> {
    if (!this.#part || this.#filled === 0) return;
    if (!this.#upload) {
      this.#upload = await this.#store.bucket.createMultipartUpload(target.key, {
        httpMetadata: this.#httpMetadata(target),
      });
      await this.#record(target.key, this.#upload.uploadId);
    }
    const part = this.#part.subarray(0, this.#filled);
    this.#uploaded.push(await this.#upload.uploadPart(this.#uploaded.length + 1, part));
    // R2 may still be reading this part, so the next part gets a new buffer.
    this.#part = null;
    this.#filled = 0;
  }

  async #record(key: string, uploadId: string | null): Promise<void> {
    this.#recorded = key;
    await this.#store.recordKey(key, uploadId);
  }

  #httpMetadata({ contentType }: WriteTarget): R2HTTPMetadata {
    return { contentType, cacheControl: this.#metadata.cacheControl };
  }
}
