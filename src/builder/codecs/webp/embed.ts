/** Puts metadata into a WebP in the extended format: ICCP before the picture, EXIF and XMP after it (RFC 9649, 2.7). */
import { latin1, u32le } from "../../../image/bytes/numbers.ts";
import type { Size } from "../../../image/geometry/size.ts";
import type { Embedded } from "../../metadata/embedded.ts";
import { chunk, extendedHead, riffHead } from "./chunks.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const HAS_PROFILE = 0x20;
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;
const CHUNK_HEAD_BYTES = 8;
/** Where a chunk VP8L has the flag that says that alpha is used, in bytes and bits of its content (3.4). */
const ALPHA_BYTE = 4;
const ALPHA_BIT = 0x10;

/** Returns the flags of VP8X for what is embedded. */
const flagsOf = ({ exif, xmp, profile }: Embedded): number =>
  (profile ? HAS_PROFILE : 0) | (exif ? HAS_EXIF : 0) | (xmp ? HAS_XMP : 0);

const lengthOf = (parts: readonly Bytes[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** Returns the chunks that stand after the picture. */
export const trailing = ({ exif, xmp }: Embedded): Bytes[] => [
  ...(exif ? [chunk("EXIF", exif)] : []),
  ...(xmp ? [chunk("XMP ", xmp)] : []),
];

/** Sets the flags of a chunk VP8X. */
export function withFlags(head: Bytes, embedded: Embedded): Bytes {
  const flagged = head.slice();
  flagged[CHUNK_HEAD_BYTES] = (head[CHUNK_HEAD_BYTES] ?? 0) | flagsOf(embedded);
  return flagged;
}

/**
 * Returns the file of a still with the metadata.
 * @param pieces the file: the head of RIFF, `WEBP`, and chunks, the heads and contents of which are pieces of their own
 */
export function embedInWebp(pieces: readonly Bytes[], size: Size, embedded: Embedded): Bytes[] {
  if (flagsOf(embedded) === 0) return [...pieces];
  const body = pieces.slice(2);
  const [head, content] = body as [Bytes, Bytes];
  const type = latin1(head, 0, 4);
  const isExtended = type === "VP8X";
  const hasAlpha = type === "VP8L" && ((content[ALPHA_BYTE] ?? 0) & ALPHA_BIT) !== 0;
  const extended = isExtended
    ? joined(head, content)
    : extendedHead(size, { animation: false, alpha: hasAlpha });
  const { profile } = embedded;
  const chunks = [
    withFlags(extended, embedded),
    ...(profile ? [chunk("ICCP", profile)] : []),
    ...(isExtended ? body.slice(2) : body),
    ...trailing(embedded),
  ];
  return [riffHead(lengthOf(chunks)), ...chunks];
}

function joined(head: Bytes, content: Bytes): Bytes {
  const bytes = new Uint8Array(CHUNK_HEAD_BYTES + u32le(head, 4));
  bytes.set(head);
  bytes.set(content, CHUNK_HEAD_BYTES);
  return bytes;
}
