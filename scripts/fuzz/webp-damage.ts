/** Makes damaged lossy WebP files of every kind from a seed, and decodes them by libwebp and by our own decoder. */
import sharp from "sharp";
import { Arena } from "../../src/builder/memory/arena.ts";
import { libwebpOptions } from "../../src/image/formats/webp/encoder-options.ts";
import { decodeVp8, WebpDecodeError } from "../../src/builder/codecs/webp/decoder.ts";
import { u24le } from "../../src/image/bytes/numbers.ts";
import { KINDS, pictureOf } from "../samples/avif-pictures.ts";
import { streamOf } from "../harness/builds.ts";
import { collectRows, newMemory, workspaceIn } from "../harness/png-rows.ts";
import { integersOf } from "../samples/random.ts";
import { CodecError } from "../../src/builder/emscripten/errors.ts";

type Random = (limit: number) => number;

export interface WebpSpecimen {
  width: number;
  height: number;
  /** The content of a VP8 chunk. */
  frame: Uint8Array;
  /** Number of partitions of coefficients. */
  partitions: number;
}

const TAG_BYTES = 10;
const CHUNK_AT = 12;

/** Makes a file with this frame. */
export function fileOf(frame: Uint8Array): Buffer {
  const file = Buffer.alloc(CHUNK_AT + 8 + frame.length + (frame.length & 1));
  file.write("RIFF");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WEBPVP8 ", 8);
  file.writeUInt32LE(frame.length, CHUNK_AT + 4);
  file.set(frame, CHUNK_AT + 8);
  return file;
}

/** Makes small pictures with all numbers of partitions, both filters and several segments. */
export async function webpSpecimens(): Promise<WebpSpecimen[]> {
  const arena = new Arena();
  const random = integersOf(1);
  const specimens: WebpSpecimen[] = [];
  for (let i = 0; i < 24; i++) {
    const picture = await pictureOf(KINDS[i % KINDS.length] ?? "photo", 1 + random(90), 1 + random(150));
    const { width, height, data } = picture;
    arena.reset();
    arena.bytes(arena.canvas(data.length)).set(data);
    const codec = arena.start("webp-encoder");
    const options = codec.options({
      ...libwebpOptions(80),
      quality: [20, 60, 95][random(3)] ?? 60,
      // From method 3 on, libwebp makes only one partition.
      method: random(i & 3 ? 3 : 7),
      partitions: i & 3,
      segments: 1 + random(4),
      filter_type: random(2),
      filter_strength: random(101),
      filter_sharpness: random(8),
    });
    const file = codec.bytes(codec.call("encode", arena.canvasSpan, width, height, options));
    specimens.push({ width, height, frame: file.slice(CHUNK_AT + 8), partitions: 1 << (i & 3) });
  }
  return specimens;
}

/** Returns the offset of the lengths of the coefficient partitions, after the partition of modes. */
export function lengthsAt(frame: Uint8Array): number {
  return TAG_BYTES + (u24le(frame, 0) >> 5);
}

/** Changes some bytes of a frame, but not its stated size, or truncates it. */
export function damagedFrame({ frame }: WebpSpecimen, random: Random): Uint8Array {
  let damaged = Uint8Array.from(frame);
  for (let left = 1 + random(4); left > 0; left--) {
    const kind = random(10);
    // The first bits of the frame, the lengths of its partitions, or anything after them.
    const [from, length] =
      kind < 3
        ? [TAG_BYTES, 16]
        : kind < 5
          ? [lengthsAt(frame), 21]
          : [TAG_BYTES, damaged.length - TAG_BYTES];
    const at = Math.min(damaged.length - 1, from + random(Math.max(1, length)));
    // The length is even, because libwebp also reads the padding byte of an odd length.
    if (kind === 9 && random(2)) damaged = damaged.slice(0, at & ~1);
    else if (kind === 8) damaged.fill(255 * random(2), at, at + 1 + random(30));
    else if (kind === 7 && damaged.length > TAG_BYTES) damaged[random(3)]! ^= 1 << random(8);
    else if (kind === 6) damaged[random(2) ? 7 : 9]! ^= 64 << random(2);
    else if (random(2)) damaged[at]! ^= 1 << random(8);
    else damaged[at] = random(256);
  }
  return damaged;
}

/** Decodes to RGB by sharp's libwebp; null if it refuses the file. */
async function bySharp(frame: Uint8Array): Promise<Buffer | null> {
  try {
    return await sharp(fileOf(frame)).removeAlpha().raw().toBuffer();
  } catch {
    return null;
  }
}

/** Decodes to RGB by jSquash's libwebp; null if it refuses the file. */
function byCodec(arena: Arena, frame: Uint8Array): Buffer | null {
  const file = fileOf(frame);
  const codec = arena.start("webp-decoder");
  const input = codec.malloc(file.length);
  codec.bytes(input).set(file);
  try {
    const rgba = codec.bytes(codec.call("decode", input));
    const rgb = Buffer.alloc((rgba.length / 4) * 3);
    for (let i = 0; i < rgba.length / 4; i++) rgb.set(rgba.subarray(4 * i, 4 * i + 3), 3 * i);
    return rgb;
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}

/** Returns the range of a frame in its file. */
export const frameIn = ({ length }: Uint8Array): { from: number; to: number } => ({
  from: CHUNK_AT + 8,
  to: CHUNK_AT + 8 + length,
});

/** Decodes to RGB by our own decoder; null if it refuses the file with a named error. */
async function byRows(
  memory: WebAssembly.Memory,
  frame: Uint8Array,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array | null> {
  const facts = { codedWidth: width, codedHeight: height };
  const file = fileOf(frame);
  new Uint8Array(memory.buffer).fill(0);
  try {
    const rows = await decodeVp8(workspaceIn(memory), streamOf(file), file.length, facts, () =>
      frameIn(frame),
    );
    return (await collectRows(rows)).data;
  } catch (error) {
    if (error instanceof WebpDecodeError) return null;
    throw error;
  }
}

/**
 * Decodes damaged frames. Our own decoder must refuse those that libwebp refuses, and give the same pixels for others.
 * Builds of libwebp differ if coefficients exceed 16 bits, or a partition begins with bytes that no encoder writes.
 * Pixels are therefore compared only if two builds, with and without 16-bit vectors, agree.
 * @returns how many were refused, compared, and not comparable
 * @throws Error with the seed of a frame for which the decoders differ, or one traps
 */
export async function runWebpDamage(firstSeed: number, count: number): Promise<Record<string, number>> {
  const specimens = await webpSpecimens();
  const [arena, memory] = [new Arena(), newMemory(64)];
  const outcomes = { refused: 0, compared: 0, undefined: 0 };
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const random = integersOf(seed);
    const specimen = specimens[random(specimens.length)]!;
    const frame = damagedFrame(specimen, random);
    const mine = await byRows(memory, frame, specimen).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    const right = await bySharp(frame);
    if (!right !== !mine) throw new Error(`seed ${seed}: only ${right ? "libwebp" : "the own"} decodes it`);
    const other = byCodec(arena, frame);
    const isDefined = right && other && Buffer.compare(right, other) === 0;
    if (isDefined && mine && Buffer.compare(right, mine) !== 0) throw new Error(`seed ${seed}: other pixels`);
    outcomes[isDefined ? "compared" : right ? "undefined" : "refused"]++;
  }
  return outcomes;
}
