/** Writes the blocks of a GIF89a file. */
import type { Rect } from "../../../image/geometry/size.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const TRANSPARENT = 1;
const DISPOSE_KEEP = 1;
const DISPOSE_CLEAR = 2;
const TABLE_FOLLOWS = 0x80;
/** The colour resolution of the master, 8 bits per channel, as all programs write it. */
const COLOUR_RESOLUTION = 0x70;
const DELAY_MAX = 65_535;
const REPETITIONS_MAX = 65_535;

export const TRAILER: Bytes = Uint8Array.of(0x3b);

const letters = (text: string): Bytes => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const u16 = (value: number): [number, number] => [value & 255, value >> 8];

/** Returns the bits of an index into a table of `entries`; at least 1 (section 18). */
export function tableBits(entries: number): number {
  return Math.max(1, Math.ceil(Math.log2(entries)));
}

/** Returns the bits of the LZW roots, at least 2 (appendix F). */
export const rootBitsOf = (entries: number): number => Math.max(2, tableBits(entries));

/** Returns a colour table (section 19), padded to a power of two. */
export function colourTable(colours: readonly number[], entries: number): Bytes {
  const table = new Uint8Array(3 << tableBits(entries));
  colours.forEach((colour, i) => {
    for (let c = 0; c < 3; c++) table[3 * i + c] = colour >>> (8 * c);
  });
  return table;
}

/** Returns the header and the logical screen descriptor (sections 17 and 18). The global colour table follows them. */
export function fileHead(size: { width: number; height: number }, entries: number): Bytes {
  const flags = TABLE_FOLLOWS | COLOUR_RESOLUTION | (tableBits(entries) - 1);
  return Uint8Array.of(...letters("GIF89a"), ...u16(size.width), ...u16(size.height), flags, 0, 0);
}

/** Returns the Netscape looping extension, which counts repetitions. Without it, browsers play a GIF once. */
export function looping(plays: number): Bytes {
  if (plays === 1) return new Uint8Array();
  const repetitions = plays === 0 ? 0 : Math.min(plays - 1, REPETITIONS_MAX);
  return Uint8Array.of(0x21, 0xff, 11, ...letters("NETSCAPE2.0"), 3, 1, ...u16(repetitions), 0);
}

export interface ImageHead extends Rect {
  delayMs: number;
  /** The transparent index; null if there is none. */
  transparent: number | null;
  clears: boolean;
  /** Entries of the local table that follows; 0 to use the global one. */
  localEntries: number;
}

/** Returns a graphic control extension and an image descriptor (sections 23 and 20). */
export function imageHead(image: ImageHead): Bytes {
  const disposal = image.clears ? DISPOSE_CLEAR : DISPOSE_KEEP;
  const control = (disposal << 2) | (image.transparent === null ? 0 : TRANSPARENT);
  const delay = Math.min(DELAY_MAX, Math.round(image.delayMs / 10));
  const table = image.localEntries === 0 ? 0 : TABLE_FOLLOWS | (tableBits(image.localEntries) - 1);
  const place = [image.left, image.top, image.width, image.height].flatMap(u16);
  return Uint8Array.of(
    0x21,
    0xf9,
    4,
    control,
    ...u16(delay),
    image.transparent ?? 0,
    0,
    0x2c,
    ...place,
    table,
  );
}
