/** Reads the parts of a multipart body as it arrives (RFC 2046 section 5.1). No part is held. */
import { ApiError } from "../../errors.ts";
import { UPLOAD } from "../../limits.ts";

const [CR, LF, DASH] = [13, 10, 45];
const CRLF = Uint8Array.of(CR, LF);
const END_OF_HEADERS = Uint8Array.of(CR, LF, CR, LF);
/** The longest boundary (RFC 2046 section 5.1.1). */
const BOUNDARY_MAX_CHARACTERS = 70;

export const invalidForm = (message: string): ApiError => new ApiError("INVALID_UPLOAD", message);

export class MultipartReader {
  readonly #source: AsyncIterator<Uint8Array>;
  /** The line break and the boundary that end a part. */
  readonly #delimiter: Uint8Array;
  /** Bytes that have arrived and are not read yet. The first delimiter may stand at the very beginning of the body. */
  #buffer: Uint8Array = CRLF;
  #parts = 0;
  /** Whether a part, or what stands before the first, is not read to its end. */
  #isInside = true;

  /** @throws ApiError INVALID_UPLOAD for a boundary that cannot be one */
  constructor(source: AsyncIterator<Uint8Array>, boundary: string | undefined) {
    if (!boundary || boundary.length > BOUNDARY_MAX_CHARACTERS) {
      throw invalidForm("The Content-Type of a form must name its boundary, of 1 to 70 characters.");
    }
    this.#source = source;
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  }

  /**
   * Reads the header fields of the next part, by their names in lower case; null after the last. It passes over the
   * rest of the part before.
   * @throws ApiError INVALID_UPLOAD for a body that ends early or has too many parts
   */
  async next(): Promise<Map<string, string> | null> {
    if (this.#isInside) await this.#skipBody();
    if (await this.#isClosed()) return null;
    this.#parts += 1;
    if (this.#parts > UPLOAD.formPartsMax) {
      throw invalidForm(`A form may have at most ${UPLOAD.formPartsMax} parts.`);
    }
    // The text begins with the line break of the delimiter, so that a part without header fields ends in two as well.
    const end = await this.#endOfHeaders();
    const text = new TextDecoder().decode(this.#buffer.subarray(0, end));
    this.#buffer = this.#buffer.subarray(end + END_OF_HEADERS.length);
    this.#isInside = true;
    return headersOf(text);
  }

  /** Yields the bytes of the current part, up to its delimiter. */
  async *body(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const end = indexOf(this.#buffer, this.#delimiter);
      if (end !== -1) {
        const last = this.#buffer.subarray(0, end);
        this.#buffer = this.#buffer.subarray(end + this.#delimiter.length);
        this.#isInside = false;
        if (last.length > 0) yield last;
        return;
      }
      // The end of the buffer may be the beginning of the delimiter.
      const sure = Math.max(0, this.#buffer.length - this.#delimiter.length + 1);
      const piece = this.#buffer.subarray(0, sure);
      this.#buffer = this.#buffer.subarray(sure);
      if (piece.length > 0) yield piece;
      await this.#more();
    }
  }

  /** Ends the reading of the source. */
  async cancel(): Promise<void> {
    await this.#source.return?.();
  }

  /** Passes over what is behind the last part. @throws ApiError INVALID_UPLOAD if that is more than a field may have */
  async drain(): Promise<void> {
    let bytes = 0;
    for (let step = await this.#source.next(); !step.done; step = await this.#source.next()) {
      bytes += step.value.byteLength;
      if (bytes > UPLOAD.formFieldMaxBytes) throw invalidForm("The body goes on behind its last part.");
    }
  }

  /** Returns whether the delimiter that was just read closes the body. */
  async #isClosed(): Promise<boolean> {
    while (this.#buffer.length < 2) await this.#more();
    return this.#buffer[0] === DASH && this.#buffer[1] === DASH;
  }

  async #skipBody(): Promise<void> {
    const pieces = this.body();
    while (!(await pieces.next()).done);
  }

  /** Waits for the header fields of a part. @returns where they end */
  async #endOfHeaders(): Promise<number> {
    for (;;) {
      const at = indexOf(this.#buffer, END_OF_HEADERS);
      if (at === -1 ? this.#buffer.length > UPLOAD.formHeadersMaxBytes : at > UPLOAD.formHeadersMaxBytes) {
        throw invalidForm(`The headers of a part may have at most ${UPLOAD.formHeadersMaxBytes} bytes.`);
      }
      if (at !== -1) return at;
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw invalidForm("The multipart body ends before its closing boundary.");
    this.#buffer = joined(this.#buffer, next.value);
  }
}

/** Parses header fields (RFC 5322 section 2.2). A line that begins with white space continues the one before. */
function headersOf(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.replace(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const last = bytes.length - wanted.length;
  for (let at = bytes.indexOf(wanted[0]!); at !== -1 && at <= last; at = bytes.indexOf(wanted[0]!, at + 1)) {
    let same = 1;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same += 1;
    if (same === wanted.length) return at;
  }
  return -1;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
