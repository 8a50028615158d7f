/** Writes PNG files of every kind the format allows, for what other encoders cannot be made to write. */
import { crc32, deflateSync } from "node:zlib";

export interface PngPlan {
  width: number;
  height: number;
  bitDepth: 1 | 2 | 4 | 8 | 16;
  colourType: 0 | 2 | 3 | 4 | 6;
  interlaced?: boolean;
  /** Samples in rows, at the bit depth: `width * height * samplesOf(colourType)` numbers. */
  samples: ArrayLike<number>;
  /** RGB triples for colour type 3. */
  palette?: Uint8Array;
  /** Data of the tRNS chunk. */
  transparency?: Uint8Array;
  /** Filter type of row `y` of a pass; cycles through all five when left out. */
  filter?: (y: number) => number;
  /** Bytes of each IDAT chunk; one chunk when left out. */
  idatBytes?: number;
  /** Appended to the filtered rows before compression. */
  padding?: Uint8Array;
  /** Chunks between IHDR and PLTE. */
  extra?: Uint8Array[];
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export function samplesOf(colourType: PngPlan["colourType"]): number {
  return { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colourType];
}

export function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}

export const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Packs the samples of some pixels into a row of bytes (PNG specification, clause 7.2). */
function packRow(plan: PngPlan, y: number, columns: number[]): Uint8Array {
  const perPixel = samplesOf(plan.colourType);
  const row = new Uint8Array(Math.ceil((columns.length * perPixel * plan.bitDepth) / 8));
  let bit = 0;
  for (const x of columns) {
    for (let c = 0; c < perPixel; c++) {
      const sample = plan.samples[(y * plan.width + x) * perPixel + c] ?? 0;
      const at = bit >> 3;
      if (plan.bitDepth === 16) {
        row[at] = sample >> 8;
        row[at + 1] = sample & 255;
      } else row[at] = (row[at] ?? 0) | (sample << (8 - plan.bitDepth - (bit & 7)));
      bit += plan.bitDepth;
    }
  }
  return row;
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

function filterRow(type: number, row: Uint8Array, prior: Uint8Array, distance: number): Uint8Array {
  const out = new Uint8Array(row.length + 1);
  out[0] = type;
  row.forEach((value, i) => {
    const a = row[i - distance] ?? 0;
    const b = prior[i] ?? 0;
    const c = i >= distance ? (prior[i - distance] ?? 0) : 0;
    const guess = [0, a, b, (a + b) >> 1, paeth(a, b, c)][type] ?? 0;
    out[i + 1] = value - guess;
  });
  return out;
}

function range(from: number, end: number, step: number): number[] {
  const numbers: number[] = [];
  for (let i = from; i < end; i += step) numbers.push(i);
  return numbers;
}

/** Returns the filtered rows of all passes, as they go into the zlib stream. */
export function filteredRows(plan: PngPlan): Uint8Array {
  const distance = Math.max(1, (samplesOf(plan.colourType) * plan.bitDepth) >> 3);
  const passes = plan.interlaced ? ADAM7 : ([[0, 0, 1, 1]] as const);
  const parts: Uint8Array[] = [];
  for (const [x0, y0, dx, dy] of passes) {
    const columns = range(x0, plan.width, dx);
    if (columns.length === 0) continue;
    let prior: Uint8Array = new Uint8Array();
    range(y0, plan.height, dy).forEach((y, i) => {
      const row = packRow(plan, y, columns);
      parts.push(filterRow(plan.filter?.(i) ?? i % 5, row, prior, distance));
      prior = row;
    });
  }
  return Buffer.concat(parts);
}

export function headerChunk(plan: PngPlan): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(plan.width, 0);
  header.writeUInt32BE(plan.height, 4);
  header.set([plan.bitDepth, plan.colourType, 0, 0, plan.interlaced ? 1 : 0], 8);
  return pngChunk("IHDR", header);
}

/** Returns IDAT chunks of `bytes` each. */
export function dataChunks(compressed: Uint8Array, bytes = compressed.length): Uint8Array[] {
  return range(0, compressed.length, bytes).map((at) =>
    pngChunk("IDAT", compressed.subarray(at, at + bytes)),
  );
}

export function writePng(plan: PngPlan): Uint8Array {
  const rows = Buffer.concat([filteredRows(plan), plan.padding ?? new Uint8Array()]);
  return Buffer.concat([
    SIGNATURE,
    headerChunk(plan),
    ...(plan.extra ?? []),
    ...(plan.palette ? [pngChunk("PLTE", plan.palette)] : []),
    ...(plan.transparency ? [pngChunk("tRNS", plan.transparency)] : []),
    ...dataChunks(deflateSync(rows), plan.idatBytes),
    pngChunk("IEND", new Uint8Array()),
  ]);
}
