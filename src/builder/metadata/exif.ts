/** Writes creator and copyright notice as a TIFF block (EXIF 2.32, section 4.6). */
import type { Copyright } from "../../image/model/copyright.ts";

const ARTIST = 0x013b;
const COPYRIGHT = 0x8298;
const ASCII = 2;
const HEAD_BYTES = 8;
const ENTRY_BYTES = 12;
/** A value of at most so many bytes stands in its entry. */
const INLINE_BYTES = 4;

/** Returns the block; null if there is nothing to say. Text is UTF-8, which all readers take where it is no ASCII. */
export function exifOf({
  creator,
  notice,
}: Pick<Copyright, "creator" | "notice">): Uint8Array<ArrayBuffer> | null {
  const values = (
    [
      [ARTIST, creator],
      [COPYRIGHT, notice],
    ] as const
  ).flatMap(([tag, text]) => (text === null ? [] : [{ tag, bytes: new TextEncoder().encode(`${text}\0`) }]));
  if (values.length === 0) return null;
  let end = HEAD_BYTES + 2 + ENTRY_BYTES * values.length + 4;
  const placed = values.map(({ tag, bytes }) => {
    const at = end;
    if (bytes.length > INLINE_BYTES) end += bytes.length + (bytes.length & 1);
    return { tag, bytes, at };
  });
  const block = new Uint8Array(end);
  const view = new DataView(block.buffer);
  block.set([0x4d, 0x4d, 0, 42]);
  view.setUint32(4, HEAD_BYTES);
  view.setUint16(HEAD_BYTES, placed.length);
  placed.forEach(({ tag, bytes, at }, i) => {
    const entry = HEAD_BYTES + 2 + ENTRY_BYTES * i;
    view.setUint16(entry, tag);
    view.setUint16(entry + 2, ASCII);
    view.setUint32(entry + 4, bytes.length);
    if (bytes.length > INLINE_BYTES) view.setUint32(entry + 8, at);
    block.set(bytes, bytes.length > INLINE_BYTES ? at : entry + 8);
  });
  return block;
}
