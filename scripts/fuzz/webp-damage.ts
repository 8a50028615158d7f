/** Lossy WebP files of every kind, damaged, the same for the same seed; and what libwebp and the own decoder make of them. */
import sharp from "sharp";
import { Arena } from "../../src/builder/memory/arena.ts";
import { libwebpOptions } from "../../src/image/formats/webp/encoder-options.ts";
import { decodeVp8, WebpDecodeError } from "../../src/builder/codecs/webp/decoder.ts";
import { u24le } from "../../src/image/bytes/numbers.ts";
import { KINDS, pictureOf } from "../samples/avif-pictures.ts";
import { streamOf } from "../harness/builds.ts";
import { collectRows, newMemory, workspaceIn } from "../harness/png-rows.ts";
import { randomFrom } from "../samples/zlib-streams.ts";
import { CodecError } from "../../src/builder/emscripten/errors.ts";

type Random = (limit: number) => number;

export interface WebpSpecimen {
  width: number;
  height: number;
  /** A VP8 chunk's content. */
  frame: Uint8Array;
  /** Partitions of coefficients. */
  partitions: number;
}

const TAG_BYTES = 10;
const CHUNK_AT = 12;

/** The file around a frame, as long as it is. */
export function fileOf(frame: Uint8Array): Buffer {
  const file = Buffer.alloc(CHUNK_AT + 8 + frame.length + (frame.length & 1));
  file.write("RIFF");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WEBPVP8 ", 8);
  file.writeUInt32LE(frame.length, CHUNK_AT + 4);
  file.set(frame, CHUNK_AT + 8);
  return file;
}

/** Small pictures with every number of partitions, both filters and several segments. */
export async function webpSpecimens(): Promise<WebpSpecimen[]> {
  const arena = new Arena();
  const random = randomFrom(1);
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
      // From method 3 on, libwebp makes one partition whatever is asked for.
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

/** Where the lengths of the partitions of coefficients stand, behind the partition of modes. */
export function lengthsAt(frame: Uint8Array): number {
  return TAG_BYTES + (u24le(frame, 0) >> 5);
}

/** Changes some bytes of a frame, or cuts it off; never its stated size. */
export function damagedFrame({ frame }: WebpSpecimen, random: Random): Uint8Array {
  let damaged = Uint8Array.from(frame);
  for (let left = 1 + random(4); left > 0; left--) {
    const kind = random(10);
    // The first bits of a frame, the lengths of its partitions, or anywhere behind.
    const [from, length] =
      kind < 3
        ? [TAG_BYTES, 16]
        : kind < 5
          ? [lengthsAt(frame), 21]
          : [TAG_BYTES, damaged.length - TAG_BYTES];
    const at = Math.min(damaged.length - 1, from + random(Math.max(1, length)));
    // Of even length: libwebp also reads the byte that pads an odd one.
    if (kind === 9 && random(2)) damaged = damaged.slice(0, at & ~1);
    else if (kind === 8) damaged.fill(255 * random(2), at, at + 1 + random(30));
    else if (kind === 7 && damaged.length > TAG_BYTES) damaged[random(3)]! ^= 1 << random(8);
    else if (kind === 6) damaged[random(2) ? 7 : 9]! ^= 64 << random(2);
    else if (random(2)) damaged[at]! ^= 1 << random(8);
    else damaged[at] = random(256);
  }
  return damaged;
}

/** RGB by sharp's libwebp, or null for what it refuses. */
async function bySharp(frame: Uint8Array): Promise<Buffer | null> {
  try {
    return await sharp(fileOf(frame)).removeAlpha().raw().toBuffer();
  } catch {
    return null;
  }
}

/** RGB by jSquash's libwebp, or null for what it refuses. */
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

/** Where a frame lies in its file. */
export const frameIn = ({ length }: Uint8Array): { from: number; to: number } => ({
  from: CHUNK_AT + 8,
  to: CHUNK_AT + 8 + length,
});

/** RGB by the own decoder, or null for what it refuses by name. */
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
 * Decodes damaged frames: the own decoder refuses those that libwebp does, and agrees on every pixel of the others.
 * Where coefficients leave 16 bits, or a partition begins with what no encoder writes, builds of libwebp differ among
 * themselves: pixels are compared where two of them, with vectors of 16 bits and without, agree.
 * @returns how many were refused, compared, and not comparable
 * @throws Error for one that they do not agree on, and for a trap, with its seed
 */
export async function runWebpDamage(firstSeed: number, count: number): Promise<Record<string, number>> {
  const specimens = await webpSpecimens();
  const [arena, memory] = [new Arena(), newMemory(64)];
  const outcomes = { refused: 0, compared: 0, undefined: 0 };
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const random = randomFrom(seed);
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
