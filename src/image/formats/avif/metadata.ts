/** Finds the items of an AVIF that may state rights: Exif and XMP (ISO/IEC 23008-12, annex A). */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { u32be } from "../../bytes/numbers.ts";
import { METADATA } from "../../../limits.ts";
import { keptOf, type MetadataBlocks } from "../metadata/blocks.ts";
import { contentOf, nextBox } from "./box-walk.ts";
import { type ItemTable, readItems } from "./items.ts";

const EXIF = "Exif";
const MIME = "mime";
const XMP_TYPE = "application/rdf+xml";
/** The head of the block: the offset of the TIFF header in what follows. */
const EXIF_HEAD_BYTES = 4;

type Kind = "exif" | "xmp";
type Keep = (kind: Kind, bytes: Uint8Array) => void;

/** Finds the items behind the table that names them: writers put the table first. */
export function* readAvifMetadata(feed: ByteFeed, found: MetadataBlocks): Parsing<void> {
  const keep: Keep = (kind, bytes) => {
    if (kind === "xmp") found.xmp ??= bytes;
    else found.exif ??= bytes.subarray(EXIF_HEAD_BYTES + Math.min(bytes.length, u32be(bytes, 0)));
  };
  for (let boxes = 0; boxes < METADATA.walkedMax; boxes++) {
    const box = yield* nextBox(feed);
    if (box.type === "meta") return yield* readBlocks(feed, readItems(yield* contentOf(feed, box)), keep);
    if (box.size === null) return;
    yield* feed.skip(box.size, "AVIF");
  }
}

interface Place {
  kind: Kind;
  offset: number;
  length: number;
}

function* readBlocks(
  feed: ByteFeed,
  { types, contentTypes, extents, idat }: ItemTable,
  keep: Keep,
): Parsing<void> {
  const places: Place[] = [];
  for (const [id, type] of types) {
    const isXmp = type === MIME && contentTypes.get(id) === XMP_TYPE;
    if (!isXmp && type !== EXIF) continue;
    const kind = isXmp ? "xmp" : "exif";
    const [extent] = extents.get(id) ?? [];
    const length = extent?.length ?? 0;
    if (!extent || length < EXIF_HEAD_BYTES) continue;
    const { offset } = extent;
    if (extent.in === "idat")
      keep(kind, idat.slice(offset, offset + Math.min(length, METADATA.blockMaxBytes)));
    else places.push({ kind, offset, length });
  }
  for (const { kind, offset, length } of places.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < feed.position) continue;
    yield* feed.skip(offset - feed.position, "AVIF");
    const bytes = yield* keptOf(feed, length);
    if (bytes.length >= EXIF_HEAD_BYTES) keep(kind, bytes);
  }
}
