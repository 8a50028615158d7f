/** Finds the blocks of a JPEG that may state rights: the segments APP1 and APP13 before the first scan. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { latin1, startsWith, u16be, u32be } from "../../bytes/numbers.ts";
import { METADATA } from "../../../limits.ts";
import { keptOf, type MetadataBlocks } from "../metadata/blocks.ts";
import { APP1, EOI, hasLength, nextMarker, SOS } from "./segments.ts";

const APP13 = 0xed;
const EXIF = "Exif\0\0";
const XMP = "http://ns.adobe.com/xap/1.0/\0";
const EXTENDED_XMP = "http://ns.adobe.com/xmp/extension/\0";
const PHOTOSHOP = "Photoshop 3.0\0";
const DIGEST_LETTERS = 32;
/** The digest, the length of the whole, and the offset of the part. */
const EXTENDED_HEAD_BYTES = DIGEST_LETTERS + 8;

export function* readJpegMetadata(feed: ByteFeed, found: MetadataBlocks): Parsing<void> {
  const photoshop = new Joined();
  yield* feed.skip(2, "JPEG");
  for (let segments = 0; segments < METADATA.walkedMax; segments++) {
    const marker = yield* nextMarker(feed);
    if (marker === SOS || marker === EOI || !hasLength(marker)) return;
    const size = u16be(yield* feed.take(2, "JPEG"), 0) - 2;
    if (marker === APP1 || marker === APP13) {
      const body = yield* keptOf(feed, Math.max(0, size));
      if (marker === APP13 && startsWith(body, PHOTOSHOP))
        found.photoshop = photoshop.add(body.subarray(PHOTOSHOP.length));
      if (marker === APP1) keepApp1(body, found);
    } else yield* feed.skip(size, "JPEG");
  }
}

function keepApp1(body: Uint8Array, found: MetadataBlocks): void {
  if (startsWith(body, EXIF)) found.exif ??= body;
  else if (startsWith(body, XMP)) found.xmp ??= body.subarray(XMP.length);
  else if (startsWith(body, EXTENDED_XMP)) keepExtended(body.subarray(EXTENDED_XMP.length), found);
}

/** Puts a part of the extended packet in its place. The packet is read up to METADATA.blockMaxBytes. */
function keepExtended(part: Uint8Array, found: MetadataBlocks): void {
  if (part.length < EXTENDED_HEAD_BYTES) return;
  const digest = latin1(part, 0, DIGEST_LETTERS);
  const length = Math.min(u32be(part, DIGEST_LETTERS), METADATA.blockMaxBytes);
  found.extendedXmp ??= { digest, packet: new Uint8Array(length).fill(0x20) };
  const { packet } = found.extendedXmp;
  const offset = u32be(part, DIGEST_LETTERS + 4);
  if (found.extendedXmp.digest !== digest || offset >= packet.length) return;
  packet.set(part.subarray(EXTENDED_HEAD_BYTES, EXTENDED_HEAD_BYTES + packet.length - offset), offset);
}

/** Bytes that continue from segment to segment, up to METADATA.blockMaxBytes. */
class Joined {
  #bytes: Uint8Array | null = null;
  #length = 0;

  add(part: Uint8Array): Uint8Array {
    this.#bytes ??= new Uint8Array(METADATA.blockMaxBytes);
    const more = part.subarray(0, this.#bytes.length - this.#length);
    this.#bytes.set(more, this.#length);
    this.#length += more.length;
    return this.#bytes.subarray(0, this.#length);
  }
}
