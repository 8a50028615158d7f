/** Writes the marker segments of a JPEG file (ITU T.81 annex B). */
import type { HuffmanTable } from "./huffman-tables.ts";

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: 1 | 3;
  /** Whether chroma has half the width and height (4:2:0). */
  readonly halved: boolean;
  readonly progressive: boolean;
}

export interface Scan {
  /** Index of the first component; luma is 0. */
  readonly first: number;
  /** Number of components. */
  readonly components: number;
  /** First and last coefficient of the band, in zigzag order. */
  readonly from: number;
  readonly to: number;
}

/** A Huffman table, and the class and id under which the decoder keeps it. */
export interface PlacedTable {
  readonly kind: "dc" | "ac";
  readonly id: number;
  readonly table: HuffmanTable;
}

/** Returns a segment: marker, length of what follows, content (B.1.1.4). */
function segment(marker: number, content: readonly number[]): number[] {
  const length = content.length + 2;
  return [0xff, marker, length >> 8, length & 255, ...content];
}

/**
 * Returns SOI, quantisation tables and the frame header (B.2.2). There is no JFIF segment: decoders take three
 * components with the ids 1 to 3 for YCbCr without it, and one for grey.
 * @param steps the table of luma, and that of chroma, in zigzag order
 */
export function frameHeader(frame: Frame, steps: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const { width, height, components, halved, progressive } = frame;
  const tables = segment(
    0xdb,
    steps.flatMap((table, id) => [id, ...table]),
  );
  const content = [8, height >> 8, height & 255, width >> 8, width & 255, components];
  for (let i = 0; i < components; i++) content.push(i + 1, i === 0 && halved ? 0x22 : 0x11, Math.min(i, 1));
  return Uint8Array.from([0xff, 0xd8, ...tables, ...segment(progressive ? 0xc2 : 0xc0, content)]);
}

/** Returns the bytes of the header of a scan of so many components, without tables. */
export const scanBytes = (components: number): number => 8 + 2 * components;

/** Returns the bytes of a Huffman table in a segment of its own. */
export const tableBytes = ({ symbols }: HuffmanTable): number => 21 + symbols.length;

/**
 * Returns Huffman tables and the header of a scan (B.2.3). In a scan of luma and chroma, chroma uses the tables of id
 * 1. A scan of DC coefficients names no table of AC coefficients.
 */
export function scanHeader(
  { first, components, from, to }: Scan,
  tables: readonly PlacedTable[],
): Uint8Array<ArrayBuffer> {
  const huffman = tables.flatMap(({ kind, id, table }) => [
    (kind === "ac" ? 0x10 : 0) | id,
    ...table.lengths,
    ...table.symbols,
  ]);
  const second = to === 0 ? 0x10 : 0x11;
  const scan: number[] = [components];
  for (let i = first; i < first + components; i++) scan.push(i + 1, components > 1 && i > 0 ? second : 0x00);
  scan.push(from, to, 0);
  const defined = tables.length > 0 ? segment(0xc4, huffman) : [];
  return Uint8Array.from([...defined, ...segment(0xda, scan)]);
}
