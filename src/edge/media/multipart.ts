/** The one `file` part of a multipart/form-data body as a stream, parsed as it arrives (RFC 7578). */
import * as Multipasta from "multipasta";
import { ApiError } from "../../errors.ts";
import { UPLOAD } from "../../limits.ts";

export interface FilePart {
  filename: string | null;
  body: AsyncIterable<Uint8Array>;
}

const invalid = (message: string): ApiError => new ApiError("INVALID_UPLOAD", message);

/**
 * Reads as far as the file part, and streams its bytes. Exactly one part named `file` is allowed; other fields are
 * ignored.
 * @throws ApiError INVALID_UPLOAD for a body that is not multipart or has no such part
 */
export async function filePart(body: AsyncIterable<Uint8Array>, contentType: string): Promise<FilePart> {
  const parser = new PartReader(body, contentType);
  const filename = await parser.untilFile();
  return { filename, body: parser.rest() };
}

class PartReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #parser: ReturnType<typeof Multipasta.make>;
  #queue: Uint8Array[] = [];
  #filename: string | null | undefined;
  #fileEnded = false;
  #sourceEnded = false;
  #error: ApiError | null = null;

  constructor(body: AsyncIterable<Uint8Array>, contentType: string) {
    this.#source = body[Symbol.asyncIterator]();
    this.#parser = Multipasta.make({
      headers: { "content-type": contentType },
      maxFieldSize: UPLOAD.formFieldMaxBytes,
      isFile: (part) => part.name === "file" || Multipasta.defaultIsFile(part),
      onField: () => {},
      onFile: (part) => this.#onFile(part),
      onError: (error) => this.#fail(`The multipart body is malformed (${error._tag}).`),
      onDone: () => {},
    });
  }

  #fail(message: string): void {
    this.#error ??= invalid(message);
  }

  #onFile(part: Multipasta.PartInfo): (chunk: Uint8Array | null) => void {
    if (part.name !== "file") {
      this.#fail(`The file must be in a part named "file", not "${part.name}".`);
    } else if (this.#filename !== undefined) {
      this.#fail('Send one part named "file" in a request.');
    }
    this.#filename = part.filename ?? null;
    return (chunk) => {
      if (chunk === null) this.#fileEnded = true;
      else if (chunk.byteLength > 0) this.#queue.push(chunk);
    };
  }

  async #advance(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) {
      this.#sourceEnded = true;
      this.#parser.end();
    } else {
      this.#parser.write(next.value);
    }
    if (this.#error) throw this.#error;
  }

  async untilFile(): Promise<string | null> {
    try {
      while (this.#filename === undefined) {
        if (this.#sourceEnded) throw invalid('The multipart body has no part named "file".');
        await this.#advance();
      }
    } catch (error) {
      await this.#source.return?.();
      throw error;
    }
    return this.#filename;
  }

  /** The file's bytes. The rest of the body is read too, so that a second file or a missing end is noticed. */
  async *rest(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const queued = this.#queue;
        this.#queue = [];
        yield* queued;
        if (this.#sourceEnded) break;
        await this.#advance();
      }
    } finally {
      await this.#source.return?.();
    }
    if (!this.#fileEnded) throw invalid("The multipart body ends inside the file.");
  }
}
