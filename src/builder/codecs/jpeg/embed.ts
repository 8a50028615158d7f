/** Puts metadata into a JPEG: the segments APP1 of EXIF and XMP, and APP2 of the profile, before all others. */
import type { Embedded } from "../../metadata/embedded.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const SOI_BYTES = 2;
const APP1 = 0xe1;
const APP2 = 0xe2;
/** With the number of the only part, and of all parts. */
const ICC = "ICC_PROFILE\0\x01\x01";
const EXIF = "Exif\0\0";
const XMP = "http://ns.adobe.com/xap/1.0/\0";

/** Returns a segment: marker, length, identifier and content. */
function segment(marker: number, identifier: string, content: Bytes | null): Bytes {
  if (!content) return new Uint8Array(0);
  const length = 2 + identifier.length + content.length;
  const bytes = new Uint8Array(2 + length);
  bytes.set([0xff, marker, length >> 8, length & 255]);
  for (let i = 0; i < identifier.length; i++) bytes[4 + i] = identifier.charCodeAt(i);
  bytes.set(content, 4 + identifier.length);
  return bytes;
}

/** Yields the file with the metadata after its SOI marker, which begins the first of the chunks. */
export async function* embedInJpeg(
  chunks: AsyncIterable<Bytes>,
  { exif, xmp, profile }: Embedded,
): AsyncGenerator<Bytes, void, undefined> {
  const segments = [segment(APP1, EXIF, exif), segment(APP1, XMP, xmp), segment(APP2, ICC, profile)];
  const added = segments.filter(({ length }) => length > 0);
  let isFirst = added.length > 0;
  for await (const chunk of chunks) {
    if (isFirst) {
      yield chunk.slice(0, SOI_BYTES);
      yield* added;
    }
    yield isFirst ? chunk.slice(SOI_BYTES) : chunk;
    isFirst = false;
  }
}
