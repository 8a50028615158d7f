/** Writes animations with every placing, disposal and blending the formats have, which encoders avoid. */
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { bytes, le } from "../probe/bytes.ts";
import { FLAGS, riffChunk, vp8x, webpOf } from "../probe/webp.ts";
import { pngChunk, SIGNATURE } from "../png-writer.ts";

export interface Placed {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface GifFramePlan extends Placed {
  /** `width * height` indices, in the order of the rows as seen. */
  indices: ArrayLike<number>;
  /** Hundredths of a second; no graphic control without one. */
  delay?: number;
  disposal?: number;
  transparent?: number;
  interlaced?: boolean;
  /** RGB of a local table, a power of two of colours. */
  palette?: number[];
}

export interface GifPlan {
  width: number;
  height: number;
  /** RGB of the global table, a power of two of colours; none when left out. */
  palette?: number[];
  /** As the Netscape extension counts; without one when left out. */
  loop?: number;
  frames: GifFramePlan[];
}

const tableFlags = (palette: number[] | undefined): number =>
  palette ? 0x80 | (Math.log2(palette.length / 3) - 1) : 0;

export function subBlocks(data: Uint8Array): Uint8Array {
  const blocks = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(block.length, block);
  }
  return bytes(blocks, 0);
}

/** Encodes by an LZW that never learns: the table is cleared before codes would grow (GIF89a appendix F). */
export function plainLzw(indices: ArrayLike<number>, rootBits = 8): Uint8Array {
  const out: number[] = [];
  let [bits, count] = [0, 0];
  const put = (code: number): void => {
    bits |= code << count;
    for (count += rootBits + 1; count >= 8; count -= 8) {
      out.push(bits & 255);
      bits >>>= 8;
    }
  };
  for (let i = 0; i < indices.length; i++) {
    if (i % ((1 << rootBits) - 2) === 0) put(1 << rootBits);
    put(indices[i] ?? 0);
  }
  put((1 << rootBits) + 1);
  out.push(bits & 255);
  return Uint8Array.from(out);
}

/** Returns rows in the order in which an interlaced image has them (GIF89a appendix E). */
function interlaced({ width, height, indices }: GifFramePlan): number[] {
  const starts: [from: number, step: number][] = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ];
  const rows = starts.flatMap(([from, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - from) / step)) }, (_, i) => from + i * step),
  );
  return rows.flatMap((y) => Array.from(indices).slice(y * width, (y + 1) * width));
}

export function writeGif({ width, height, palette, loop, frames }: GifPlan): Uint8Array {
  const looping = loop === undefined ? [] : bytes(0x21, 0xff, 11, "NETSCAPE2.0", 3, 1, le(2, loop), 0);
  const body = frames.map((frame) => {
    const { transparent, disposal = 0, delay = 0 } = frame;
    const control = (disposal << 2) | (transparent === undefined ? 0 : 1);
    const place = [frame.left, frame.top, frame.width, frame.height].map((n) => le(2, n));
    return bytes(
      [0x21, 0xf9, 4, control, le(2, delay), transparent ?? 0, 0],
      [0x2c, place, tableFlags(frame.palette) | (frame.interlaced ? 0x40 : 0)],
      Uint8Array.from(frame.palette ?? []),
      [8, subBlocks(plainLzw(frame.interlaced ? interlaced(frame) : frame.indices))],
    );
  });
  const head = ["GIF89a", le(2, width), le(2, height), tableFlags(palette), 0, 0];
  return bytes(head, Uint8Array.from(palette ?? []), looping, body, 0x3b);
}

export interface RgbaFramePlan extends Placed {
  /** `width * height * 4` bytes. */
  rgba: Uint8Array;
  delayMs?: number;
  /** 0 keep, 1 clear, 2 restore (APNG alone). */
  dispose?: number;
  blends?: boolean;
}

export interface RgbaPlan {
  width: number;
  height: number;
  plays?: number;
  frames: RgbaFramePlan[];
  /** How hard sharp packs the frames of a WebP. */
  effort?: number;
}

export async function writeWebpAnimation({
  width,
  height,
  plays = 0,
  frames,
  effort = 4,
}: RgbaPlan): Promise<Uint8Array> {
  const parts = await Promise.all(
    frames.map(async (frame) => {
      const raw = { width: frame.width, height: frame.height, channels: 4 as const };
      const still = await sharp(frame.rgba, { raw }).webp({ lossless: true, exact: true, effort }).toBuffer();
      const place = [frame.left / 2, frame.top / 2, frame.width - 1, frame.height - 1, frame.delayMs ?? 0];
      const flags = (frame.blends ? 0 : 2) | (frame.dispose ?? 0);
      return riffChunk(
        "ANMF",
        [place.map((n) => le(3, n)), flags],
        still.subarray(12),
        riffChunk("junk", 1, 2, 3),
      );
    }),
  );
  const anim = riffChunk("ANIM", le(4, 0), le(2, plays));
  return webpOf(vp8x(FLAGS.animated | FLAGS.alpha, width, height), riffChunk("what", 7), anim, parts);
}

/** @param poster RGBA of a default image that is no frame; the first frame is it when left out */
export function writeApng(plan: RgbaPlan & { poster?: Uint8Array; idatBytes?: number }): Uint8Array {
  const { width, height, plays = 0, frames, poster, idatBytes = 1000 } = plan;
  let sequence = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const u32 = (...values: number[]): Buffer => {
    const buffer = Buffer.alloc(4 * values.length);
    values.forEach((value, i) => buffer.writeUInt32BE(value, 4 * i));
    return buffer;
  };
  const dataOf = (rgba: Uint8Array, across: number): Uint8Array[] => {
    const rows = [];
    for (let at = 0; at < rgba.length; at += across * 4) rows.push(0, rgba.subarray(at, at + across * 4));
    const data = deflateSync(bytes(rows));
    return Array.from({ length: Math.ceil(data.length / idatBytes) }, (_, i) =>
      data.subarray(i * idatBytes, (i + 1) * idatBytes),
    );
  };
  const body = frames.map((frame, n) => {
    const control = bytes(
      [u32(sequence++, frame.width, frame.height, frame.left, frame.top)],
      [0, 0, 0, 0, frame.dispose ?? 0, frame.blends ? 1 : 0],
    );
    control.set([(frame.delayMs ?? 0) >> 8, (frame.delayMs ?? 0) & 255, 1000 >> 8, 1000 & 255], 20);
    const isDefault = n === 0 && !poster;
    const data = dataOf(frame.rgba, frame.width).map((piece) =>
      isDefault ? pngChunk("IDAT", piece) : pngChunk("fdAT", bytes(u32(sequence++), piece)),
    );
    return [pngChunk("fcTL", control), data];
  });
  const still = poster ? dataOf(poster, width).map((piece) => pngChunk("IDAT", piece)) : [];
  const begin = [pngChunk("IHDR", header), pngChunk("acTL", u32(frames.length, plays))];
  return bytes(SIGNATURE, begin, still, body, pngChunk("IEND", new Uint8Array()));
}
