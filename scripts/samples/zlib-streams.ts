/** zlib streams of every kind and damaged ones, and their contents as png.wasm inflates them. */
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { INPUT_BYTES, instantiatePng } from "../../src/builder/codecs/png/module.ts";

/** The bytes that are asked of `inflate` at once. */
const WANTED_BYTES = 5_000;

/**
 * Inflates in png.wasm, with input in pieces of the lengths that `cut` gives.
 * @returns null when the stream is refused
 */
export function inflateInWasm(stream: Uint8Array, cut: () => number): Uint8Array | null {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 8 });
  const wasm = instantiatePng(memory);
  if (!wasm.prepare(1) || !wasm.configureDecoder(WANTED_BYTES - 1, 8, 0, 1, 0, 1, 0, 1))
    throw new RangeError();
  const parts: Uint8Array[] = [];
  for (let at = 0; ;) {
    const have = wasm.inflate(WANTED_BYTES);
    if (have < 0) return null;
    if (have >= WANTED_BYTES || wasm.isInflated()) {
      if (have === 0) return Buffer.concat(parts);
      parts.push(new Uint8Array(memory.buffer, wasm.inflatedAddress(), have).slice());
      wasm.readInflated(have);
      continue;
    }
    const piece = stream.subarray(at, at + Math.min(cut(), INPUT_BYTES));
    at += piece.length;
    new Uint8Array(memory.buffer, wasm.inputAddress(), piece.length).set(piece);
    if (piece.length > 0) wasm.addInput(piece.length);
    else wasm.endInput();
  }
}

const STRATEGIES = [
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_FILTERED,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_RLE,
  constants.Z_FIXED,
];

/** Returns bytes of one of several characters: noise of any range, ramps, repetitions near and far, rare symbols. */
export function someBytes(random: (limit: number) => number, mostBytes = Infinity): Uint8Array {
  const bytes = new Uint8Array(Math.min(random(4) ? random(400) : random(150_000), mostBytes));
  const kind = random(5);
  const range = 1 + random(256);
  const reach = 1 + random(random(2) ? 40 : 33_000);
  for (let i = 0; i < bytes.length; i++) {
    if (kind === 0) bytes[i] = random(range);
    else if (kind === 1) bytes[i] = (i * range) >> 5;
    else if (kind === 2) bytes[i] = i >= reach && random(30) ? bytes[i - reach]! : random(256);
    // So uneven that codes grow to 15 bits.
    else if (kind === 3) bytes[i] = Math.clz32(random(0x7fff_ffff) + 1) * 7 + random(1 + (i & 3));
    else bytes[i] = 0;
  }
  return bytes;
}

/** Returns bytes compressed in one of the ways that zlib offers. */
export function someDeflated(bytes: Uint8Array, random: (limit: number) => number): Buffer {
  return deflateRawSync(bytes, {
    level: random(10),
    strategy: STRATEGIES[random(STRATEGIES.length)] ?? 0,
    memLevel: 1 + random(9),
    windowBits: 9 + random(7),
  });
}

/** Changes bits and bytes of a stream, most of them where the first codes are described. */
export function damage(stream: Uint8Array, random: (limit: number) => number): Uint8Array {
  let damaged = Uint8Array.from(stream);
  for (let left = 1 + random(3); left > 0 && damaged.length > 0; left--) {
    const at = random(random(2) ? Math.min(damaged.length, 80) : damaged.length);
    const kind = random(6);
    if (kind < 3) damaged[at] = (damaged[at] ?? 0) ^ (1 << random(8));
    else if (kind < 5) damaged[at] = random(256);
    else damaged = damaged.slice(0, at);
  }
  return damaged;
}

/**
 * Inflates a raw deflate stream by zlib. Returns the bytes, and where in the stream it ended; null when zlib refuses
 * it.
 */
export function inflateRaw(raw: Uint8Array): { bytes: Buffer; end: number } | null {
  try {
    const { buffer, engine } = inflateRawSync(raw, { info: true, maxOutputLength: 2 ** 26 }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { bytes: buffer, end: engine.bytesWritten };
  } catch {
    return null;
  }
}

/** Returns Adler-32 as RFC 1950 states it. */
export function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}

/** Returns a raw stream with the header and the checksum of zlib. */
export function zlibStream(raw: Uint8Array, checksum: number): Uint8Array {
  const stream = new Uint8Array(raw.length + 6);
  stream.set([0x78, 0x9c]);
  stream.set(raw, 2);
  new DataView(stream.buffer).setUint32(raw.length + 2, checksum);
  return stream;
}

/**
 * Returns the head of a zlib stream and `blocks` (a multiple of 8) that hold nothing but a header with codes, and no
 * end.
 */
export function emptyBlocks(blocks: number): Uint8Array {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let i = 0; i < count; i++) bits.push((value >> i) & 1);
  };
  for (let i = 0; i < 8; i++) {
    put(4, 3);
    // 257 lengths, 1 distance, and a precode of 18 lengths: a bit each for a run of zeros and for 1.
    put(14 << 10, 14);
    for (let k = 0; k < 18; k++) put(k === 2 || k === 17 ? 1 : 0, 3);
    // 138 zeros and 118, the end of block, a distance; and the end of the block.
    put(1 | (127 << 1), 8);
    put(1 | (107 << 1), 8);
    put(0, 3);
  }
  const eight = new Uint8Array(bits.length / 8);
  bits.forEach((bit, i) => (eight[i >> 3]! |= bit << (i & 7)));
  const stream = new Uint8Array(2 + (eight.length * blocks) / 8);
  stream.set([0x78, 0x9c]);
  for (let at = 2; at < stream.length; at += eight.length) stream.set(eight, at);
  return stream;
}
