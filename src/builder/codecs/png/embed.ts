/** Puts metadata into a PNG: iCCP and cICP in the place of sRGB, then eXIf and iTXt, before the pixels. */
import { crc32 } from "../../../image/bytes/crc32.ts";
import type { Embedded } from "../../metadata/embedded.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Display P3's primaries and sRGB's curve, RGB, full range (PNG 3rd edition, clause 11.3.2.6). */
const CICP = Uint8Array.of(12, 13, 0, 1);
const PROFILE_NAME = "Display P3";
/** Keyword, no compression, no language, no translated keyword (clause 11.3.3.4). */
const XMP_HEAD = "XML:com.adobe.xmp\0\0\0\0\0";

/** The place of the colour type in the chunk IHDR, and its bit for colours (clause 11.2.1). */
const COLOUR_TYPE_AT = 17;
const HAS_COLOURS = 2;

const latin1 = (text: string): Bytes => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

function joined(...parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function u32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function chunk(type: string, content: Uint8Array): Bytes {
  const body = joined(latin1(type), content);
  return joined(u32(content.length), body, u32(crc32(body)));
}

/** Returns a zlib stream of one stored block (RFC 1950, RFC 1951 section 3.2.4). */
function stored(data: Uint8Array): Bytes {
  let [a, b] = [1, 0];
  for (const byte of data) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  const { length } = data;
  const head = Uint8Array.of(0x78, 0x01, 1, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255);
  return joined(head, data, u32(((b << 16) | a) >>> 0));
}

const typeOf = (one: Bytes): string => String.fromCharCode(...one.subarray(4, 8));

/** Yields the file with the metadata in the place of its chunk sRGB, or after it. Each of the chunks is one of the file. */
export async function* embedInPng(
  chunks: AsyncIterable<Bytes>,
  { exif, xmp, profile }: Embedded,
): AsyncGenerator<Bytes, void, undefined> {
  let hasColours = true;
  for await (const one of chunks) {
    if (typeOf(one) === "IHDR") hasColours = ((one[COLOUR_TYPE_AT] ?? 0) & HAS_COLOURS) !== 0;
    if (typeOf(one) !== "sRGB") {
      yield one;
      continue;
    }
    // A picture that turned out to be gray has no place for a profile of colours, and needs none: greys are the same.
    if (!profile || !hasColours) yield one;
    else {
      yield chunk("cICP", CICP);
      yield chunk("iCCP", joined(latin1(`${PROFILE_NAME}\0\0`), stored(profile)));
    }
    if (exif) yield chunk("eXIf", exif);
    if (xmp) yield chunk("iTXt", joined(latin1(XMP_HEAD), xmp));
  }
}
