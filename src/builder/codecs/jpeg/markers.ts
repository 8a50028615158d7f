/** The marker segments of a baseline JPEG file (ITU T.81 annex B), as bytes. */
import type { HuffmanTable } from "./huffman-tables.ts";

/** A segment: marker, length of what follows, content (B.1.1.4). */
function segment(marker: number, content: readonly number[]): number[] {
  const length = content.length + 2;
  return [0xff, marker, length >> 8, length & 255, ...content];
}

/** JFIF 1.01, without units, square pixels, no thumbnail. */
const APP0 = segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);

/**
 * SOI, APP0, quantisation tables and the frame header (B.2.2).
 * @param picture `halved` for 4:2:0
 * @param steps luma's and chroma's table in zigzag order; luma's alone for one component
 */
export function frameHeader(
  picture: { width: number; height: number; components: 1 | 3; halved: boolean },
  steps: readonly Uint8Array[],
): Uint8Array {
  const { width, height, components, halved } = picture;
  const tables = steps.flatMap((table, id) => segment(0xdb, [id, ...table]));
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, components];
  for (let id = 1; id <= components; id++) frame.push(id, id === 1 && halved ? 0x22 : 0x11, id === 1 ? 0 : 1);
  return Uint8Array.from([0xff, 0xd8, ...APP0, ...tables, ...segment(0xc0, frame)]);
}

/**
 * Huffman tables and the header of the only scan (B.2.3).
 * @param tables DC and AC of luma, then of chroma if there are three components
 */
export function scanHeader(components: 1 | 3, tables: readonly HuffmanTable[]): Uint8Array {
  const huffman = tables.flatMap((table, i) => {
    // Class in the upper half (1 for AC), destination in the lower.
    const id = ((i & 1) << 4) | (i >> 1);
    return segment(0xc4, [id, ...table.lengths, ...table.symbols]);
  });
  const scan: number[] = [components];
  for (let id = 1; id <= components; id++) scan.push(id, id === 1 ? 0x00 : 0x11);
  scan.push(0, 63, 0);
  return Uint8Array.from([...huffman, ...segment(0xda, scan)]);
}
