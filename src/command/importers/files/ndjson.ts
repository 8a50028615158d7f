/** Reads NDJSON: one JSON value a line. */
import { Failure } from "../../base/failure.ts";

/** A longer line is no document of any of these systems. */
const LINE_MAX_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Yields the lines of a stream of bytes. The memory it takes is that of the longest line. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8");
      rest = rest.subarray(end + 1);
      parts = [];
      length = 0;
    }
    length += rest.length;
    if (length > LINE_MAX_BYTES) throw new Failure("A line of the export is longer than 64 MB.");
    if (rest.length > 0) parts.push(rest);
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString("utf8");
}

/** Yields the values of NDJSON. @param name of the file, for the words of a fault */
export async function* valuesOf(stream: AsyncIterable<Uint8Array>, name: string): AsyncIterable<unknown> {
  let number = 0;
  for await (const line of linesOf(stream)) {
    number += 1;
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (text.trim() === "") continue;
    try {
      yield JSON.parse(text) as unknown;
    } catch (cause) {
      const next = "Export it again: the file was cut off or changed.";
      throw new Failure(`Line ${number} of ${name} is no JSON.`, { next, cause });
    }
  }
}
