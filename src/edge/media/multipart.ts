/** The one `file` part of a multipart/form-data body as a stream, parsed as it arrives (RFC 7578). */
import { UPLOAD } from "../../limits.ts";
import { filenameOf, parseField, unescaped } from "./disposition.ts";
import { invalidForm, MultipartReader } from "./multipart-reader.ts";

export interface FilePart {
  filename: string | null;
  body: AsyncIterable<Uint8Array>;
}

/** The facts in the header fields of a part. */
interface PartHead {
  name: string;
  filename: string | null;
  /** Whether it is a file, by its name or its type; other parts are fields. */
  isFile: boolean;
}

/**
 * Reads as far as the file part, and streams its bytes. Exactly one part named `file` is allowed; other fields are
 * ignored.
 * @throws ApiError INVALID_UPLOAD for a body that is not multipart or has no such part
 */
export async function filePart(body: AsyncIterable<Uint8Array>, contentType: string): Promise<FilePart> {
  const source = body[Symbol.asyncIterator]();
  try {
    const reader = new MultipartReader(source, parseField(contentType).parameters.get("boundary"));
    const head = await nextFile(reader);
    if (head === null) throw invalidForm('The multipart body has no part named "file".');
    return { filename: head.filename, body: rest(reader) };
  } catch (error) {
    await source.return?.();
    throw error;
  }
}

/** Yields the file's bytes. It reads the rest of the body too, so that a second file or a missing end is noticed. */
async function* rest(reader: MultipartReader): AsyncGenerator<Uint8Array> {
  try {
    yield* reader.body();
    if ((await nextFile(reader)) !== null) throw invalidForm('Send one part named "file" in a request.');
    await reader.drain();
  } finally {
    await reader.cancel();
  }
}

/** Passes over fields up to a file; null when there is none. @throws ApiError INVALID_UPLOAD for a file of another name */
async function nextFile(reader: MultipartReader): Promise<PartHead | null> {
  for (let headers = await reader.next(); headers; headers = await reader.next()) {
    const head = headOf(headers);
    if (head.isFile) {
      if (head.name === "file") return head;
      throw invalidForm(`The file must be in a part named "file", not "${head.name}".`);
    }
    let bytes = 0;
    for await (const piece of reader.body()) {
      bytes += piece.length;
      if (bytes > UPLOAD.formFieldMaxBytes) {
        throw invalidForm(`The field "${head.name}" of the form is over ${UPLOAD.formFieldMaxBytes} bytes.`);
      }
    }
  }
  return null;
}

function headOf(headers: Map<string, string>): PartHead {
  const disposition = parseField(headers.get("content-disposition") ?? "");
  const filename = filenameOf(disposition);
  const name = unescaped(disposition.parameters.get("name") ?? "");
  const type = parseField(headers.get("content-type") ?? "").value;
  const isFile = name === "file" || filename !== null || type === "application/octet-stream";
  return { name, filename, isFile };
}
