import { constants, crc32, deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextIdat } from "../../../../../src/builder/codecs/png/encoder.ts";
import { instantiatePng } from "../../../../../src/builder/codecs/png/module.ts";
import { newMemory } from "../../../../../scripts/harness/png-rows.ts";

interface Options {
  /** Bytes that are given at once. */
  piece?: number;
  idatBytes?: number;
  isQuick?: boolean;
}

/** Returns the IDAT chunks of `data`, as if they were filtered rows. */
function chunksOf(
  data: Uint8Array,
  { piece = 5_000, idatBytes = 4_096, isQuick = false }: Options = {},
): Buffer[] {
  const memory = newMemory();
  const wasm = instantiatePng(memory);
  const isReady = wasm.prepare(16) && wasm.configureEncoder(piece, 1, 1, idatBytes, 0, Number(isQuick));
  expect(isReady).toBeTruthy();
  const chunks: Buffer[] = [];
  const take = (): void => void chunks.push(Buffer.from(nextIdat(memory, wasm)));
  for (let at = 0; at < data.length || at === 0; at += piece) {
    const bytes = data.subarray(at, at + piece);
    new Uint8Array(memory.buffer).set(bytes, wasm.filteredAddress());
    wasm.addFiltered(bytes.length);
    while (wasm.deflateFiltered(Number(at + piece >= data.length))) take();
  }
  if (wasm.idatBytes() > 0) take();
  const beyond = Buffer.from(memory.buffer, wasm.used());
  expect(beyond.equals(Buffer.alloc(beyond.length))).toBeTruthy();
  return chunks;
}

const dataOf = (chunks: Buffer[]): Buffer =>
  Buffer.concat(chunks.map((chunk) => chunk.subarray(8, chunk.length - 4)));

/** Deflates, sees to it that zlib makes the same of it, and returns the zlib stream. */
function deflated(data: Uint8Array, options?: Options): Buffer {
  const stream = dataOf(chunksOf(data, options));
  expect(Buffer.compare(inflateSync(stream), data)).toBe(0);
  return stream;
}

function noise(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

/**
 * Returns noise in which each byte is half as likely as the one before, so that some codes would be longer than 15
 * bits.
 */
function lopsided(length: number): Uint8Array {
  const random = new DataView(noise(4 * length, 5).buffer);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = Math.clz32(random.getUint32(4 * i, true));
  return bytes;
}

/**
 * Returns bytes at whose places more matches are found than there is room for behind the last place that is looked at, if
 * room is not kept for a match of each length: a sequence of many bytes comes after its beginnings, the longest first, so
 * that it matches each of them by some more bytes than the next. Noise of few values between them fills the list of
 * matches, so that some sequences meet its end.
 */
function manyMatchesOfPlaces(seed: number): Uint8Array {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const length = 80 + below(140);
  const values = 2 + below(2);
  const gap = 200 + below(4_000);
  const zeros = below(2) * 40_000;
  const rounds = 8 + below(10);
  // From here on, the numbers begin anew.
  state = seed;
  const sequence = Array.from({ length }, () => 2 + below(250));
  const bytes: number[] = Array.from({ length: zeros }, () => 0);
  const fill = (count: number): void => {
    for (let i = 0; i < count; i++) bytes.push(below(values));
  };
  fill(8_000);
  for (let round = 0; round < rounds; round++) {
    for (let kept = length; kept >= 4; kept -= 1 + below(2)) bytes.push(...sequence.slice(0, kept), below(2));
    fill(gap);
    bytes.push(...sequence);
    fill(gap >> 1);
    for (let i = 0; i < length; i++) sequence[i] = 2 + below(250);
  }
  return Uint8Array.from(bytes);
}

/** Returns the kind of a stream's first block (RFC 1951, section 3.2.3). */
const kindOf = (stream: Buffer): number => (stream.readUInt8(2) >> 1) & 3;

describe("deflate", () => {
  it("preserves any bytes, however they arrive and leave", () => {
    const run = fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 9_000 }))
      .map(([unit, length]) => Uint8Array.from({ length }, (_, i) => unit[i % unit.length] ?? 0));
    const part = fc.oneof(
      run,
      fc.tuple(fc.nat(20_000), fc.integer()).map(([length, seed]) => noise(length, seed)),
      fc.nat(20_000).map((length) => lopsided(length)),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.array(fc.nat(7), { maxLength: 8 }),
        fc.integer({ min: 1, max: 70_000 }),
        fc.integer({ min: 1, max: 70_000 }),
        fc.boolean(),
        (parts, order, piece, idatBytes, isQuick) => {
          // Some of them again, so that there are far matches.
          const again = order.flatMap((i) => parts[i] ?? []);
          deflated(Buffer.concat([...parts, ...again]), { piece, idatBytes, isQuick });
        },
      ),
      { numRuns: 150 },
    );
  });

  it("keeps bytes that repeat nearly, over many windows", () => {
    // Few values in waves: long matches everywhere, many of them across the end of what is ready at once.
    const random = noise(900_000, 21);
    const data = Uint8Array.from(random, (byte, i) => {
      const wave = Math.floor(i / (i < 450_000 ? 3_000 : 709)) % 5;
      return byte < 3 ? byte : wave + ((i % 97) % 3);
    });
    const stream = deflated(data, { piece: 65_535 });
    expect(stream.length).toBeLessThan(deflateSync(data, { level: 9 }).length);
    deflated(data, { piece: 65_535, isQuick: true });
  });

  it.each([310, 417, 560, 643])("has room for every match of a place that has a hundred (%i)", (seed) => {
    const data = manyMatchesOfPlaces(seed);
    deflated(data, { piece: 65_535, idatBytes: 65_536 });
  });

  it("writes the stream in IDATs of the requested size, with their CRCs", () => {
    const chunks = chunksOf(noise(40_000), { idatBytes: 1_000 });
    expect(chunks.length).toBeGreaterThan(40);
    for (const [i, chunk] of chunks.entries()) {
      const length = chunk.readUInt32BE();
      expect(chunk).toHaveLength(length + 12);
      if (i < chunks.length - 1) expect(length).toBe(1_000);
      expect(chunk.toString("latin1", 4, 8)).toBe("IDAT");
      expect(chunk.readUInt32BE(length + 8)).toBe(crc32(chunk.subarray(4, length + 8)));
    }
  });

  it.each([0, 1, 2, 3, 4, 5, 261, 262, 263, 16_383, 16_384, 16_385, 65_273, 65_274, 65_536, 65_537])(
    "keeps %i bytes of noise and of nothing else but one byte",
    (length) => {
      for (const isQuick of [false, true]) {
        deflated(noise(length), { isQuick });
        deflated(new Uint8Array(length).fill(9), { piece: 65_537, isQuick });
      }
    },
  );

  it.each([3, 4, 5, 10, 11, 12, 18, 19, 34, 35, 66, 67, 130, 131, 257, 258, 259, 516])(
    "repeats %i bytes",
    (length) => {
      const [unit, between] = [noise(length), noise(400, 3)];
      const parts = Array.from({ length: 200 }, (_, i) => [unit, between.subarray(2 * i, 2 * i + 2)]).flat();
      // Two literals and a match, and the header of a block.
      if (length > 8) expect(deflated(Buffer.concat(parts)).length).toBeLessThan(length + 200 * 5 + 300);
      else deflated(Buffer.concat(parts));
    },
  );

  it.each([1, 2, 3, 4, 5, 8, 9, 32, 33, 1_024, 1_025, 24_577, 32_000, 32_767, 32_768, 32_769, 65_000])(
    "reaches back %i bytes, as far as the window goes",
    (distance) => {
      const unit = noise(distance, 11);
      const data = Buffer.concat(Array<Uint8Array>(3).fill(unit));
      for (const isQuick of [false, true]) {
        const stream = deflated(data, { piece: 30_000, isQuick });
        if (distance <= 32_767) expect(stream.length).toBeLessThan(distance * 1.02 + 600);
      }
    },
  );

  it("stores noise, uses fixed codes for few bytes and dynamic codes for many", () => {
    const stored = deflated(noise(200_000));
    expect(kindOf(stored)).toBe(0);
    expect(stored.length).toBeLessThan(200_000 * 1.001);
    expect(kindOf(deflated(Buffer.from("a filter")))).toBe(1);
    expect(kindOf(deflated(lopsided(5_000)))).toBe(2);
  });

  it("limits codes to 15 bits, and those of their lengths to 7", () => {
    // Fibonacci's numbers, the first of them that of the block's end, make the longest codes there are; the frequent
    // symbol stands for many bytes, lest there be matches.
    const counts = [1, 2];
    for (let i = 2; i < 11; i++) counts.push(Number(counts[i - 1]) + Number(counts[i - 2]));
    counts.push(...Array<number>(64).fill(250));
    const symbols = counts.flatMap((count, byte) => Array<number>(count).fill(byte * 3));
    const random = noise(4 * symbols.length, 17);
    const key = (i: number): number => Buffer.from(random.buffer, 4 * i, 4).readUInt32LE();
    const order = symbols.map((_, i) => i).sort((a, b) => key(a) - key(b));
    const stream = deflated(Uint8Array.from(order, (i) => symbols[i] ?? 0));
    expect(kindOf(stream)).toBe(2);
  });

  it("has the same output however the bytes arrive", () => {
    // A match that begins with 1 is known for 11 bytes, one from the next byte on for as many as a match may have.
    const unit = noise(300);
    const known = [Buffer.of(1), unit.subarray(0, 10), Buffer.of(2), unit];
    const data = Buffer.concat([noise(50, 77_777), ...known, Buffer.of(1), unit, noise(50, 99_999)]);
    for (const isQuick of [false, true]) {
      const whole = deflated(data, { isQuick });
      for (const piece of [1, 7, 261, 262]) expect(deflated(data, { piece, isQuick })).toEqual(whole);
    }
  });

  it("needs no more bytes than zlib without matches", () => {
    let [ours, theirs] = [0, 0];
    for (let length = 20; length < 500; length += 7) {
      for (const values of [60, 120, 250]) {
        const data = noise(length, 3_101 * length + values).map((byte) => Math.floor((byte * values) / 256));
        ours += deflated(data).length;
        theirs += deflateSync(data, { strategy: constants.Z_HUFFMAN_ONLY }).length;
      }
    }
    // Few of these bytes repeat: a match among them may cost a little more than was thought.
    expect(ours).toBeLessThanOrEqual(theirs * 1.001);
  });

  it("avoids matches that save little, as in filtered photographs", () => {
    const random = noise(240_000, 9);
    // Small differences either way, of a bell's shape.
    const data = Uint8Array.from({ length: 60_000 }, (_, i) => {
      const sum = random.subarray(4 * i, 4 * i + 4).reduce((total, byte) => total + byte, 0);
      return Math.trunc((sum - 510) / 50) & 255;
    });
    expect(deflated(data).length).toBeLessThan(deflateSync(data).length * 0.93);
  });

  it("looks far where most bytes lie within long matches, as in drawings", () => {
    // Two areas with a slanted, wavy edge between them.
    const row = (y: number): Buffer => {
      const edge = 900 + Math.round(400 * Math.sin(y / 40)) + ((y * y) % 5);
      return Buffer.concat([
        Buffer.alloc(edge, 255),
        Buffer.from([200, 90, y % 7]),
        Buffer.alloc(2_000 - edge, 30),
      ]);
    };
    const data = Buffer.concat(Array.from({ length: 500 }, (_, y) => row(y)));
    expect(deflated(data).length).toBeLessThan(deflateSync(data, { level: 9 }).length);
  });

  it("makes new codes for each block", () => {
    // A byte, and of zeros as many of the longest match as fill a block; then matches of many distances.
    const zeros = new Uint8Array(1 + 258 * 16_383);
    const units = noise(320, 3);
    const far = Array.from(noise(3_000, 9), (i) => units.subarray(8 * (i % 40), 8 * (i % 40) + 8));
    const data = Buffer.concat([zeros, ...far]);
    expect(deflated(data, { piece: 65_537 }).length).toBeLessThan(deflateSync(data).length * 1.01);
  });

  it("needs no more bytes than zlib for repetitions", () => {
    const words = Array.from(
      { length: 400 },
      (_, i) => `row ${(i * i) % 97} of ${"abcdefgh".slice(i % 8)}\n`,
    );
    const data = Buffer.from(words.join(""));
    expect(deflated(data).length).toBeLessThan(deflateSync(data).length * 1.03);
    const zeros = new Uint8Array(1_000_000);
    expect(deflated(zeros).length).toBeLessThan(1_200);
  });
});
