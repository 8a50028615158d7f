/** Reads the lines of a body: as many bytes and lines as one import may have. */
import { ApiError } from "../../../errors.ts";
import { EXCHANGE, megabytes } from "../../../limits.ts";
import type { RawLine } from "./raw-line.ts";

const LF = 10;

/** @throws ApiError PAYLOAD_TOO_LARGE, REQUEST_TOO_SLOW */
export async function readLines(chunks: AsyncIterable<Uint8Array>): Promise<RawLine[]> {
  const whole = await collect(chunks);
  const lines: RawLine[] = [];
  let start = 0;
  for (let n = 1; start < whole.byteLength; n++) {
    const found = whole.indexOf(LF, start);
    const end = found === -1 ? whole.byteLength : found;
    // Megabytes of line ends cost next to nothing, and no answer lists millions of lines.
    if (end > start) lines.push({ n, bytes: whole.subarray(start, end) });
    if (lines.length > EXCHANGE.bodyMaxLines)
      throw new ApiError(
        "PAYLOAD_TOO_LARGE",
        `An import takes at most ${EXCHANGE.bodyMaxLines} lines at a time.`,
      );
    start = end + 1;
  }
  return lines;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > EXCHANGE.bodyMaxBytes) {
      const most = megabytes(EXCHANGE.bodyMaxBytes);
      throw new ApiError("PAYLOAD_TOO_LARGE", `An import takes lines of at most ${most} at a time.`);
    }
    parts.push(chunk);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
