/** Finds out whether a file is a picture that the service stores, by its first bytes. */
import { constants, gunzipSync } from "node:zlib";

/** More than 4 KB in gzip can become. */
const UNZIPPED_MAX_BYTES = 8 * 1024 * 1024;

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString("latin1");

/** The bytes of a file that are looked at: an SVG may begin with a long comment. */
export const HEAD_BYTES = 4096;

/** Returns the type of a picture; null for any other file. */
export function pictureType(head: Uint8Array): string | null {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "image/jpeg";
  if (ascii(head, 1, 4) === "PNG") return "image/png";
  if (/^GIF8[79]a/.test(ascii(head, 0, 6))) return "image/gif";
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "WEBP") return "image/webp";
  if (ascii(head, 4, 8) === "ftyp" && /avi[fs]/.test(ascii(head, 8, 64))) return "image/avif";
  return /<svg[\s>]/i.test(Buffer.from(unzipped(head)).toString("utf8")) ? "image/svg+xml" : null;
}

/** Returns the first bytes of a file in gzip, as they were before; those of any other file as they are. */
function unzipped(head: Uint8Array): Uint8Array {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head;
  try {
    // The end of the file is not there.
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: UNZIPPED_MAX_BYTES });
  } catch {
    return head;
  }
}
