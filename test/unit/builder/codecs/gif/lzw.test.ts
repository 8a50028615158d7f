/** LZW both ways: our writer read by our reader and by the plain rules, and codes that cannot be. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LzwDecoder } from "../../../../../src/builder/codecs/gif/lzw-decoder.ts";
import { FREE, LzwEncoder, NOISY } from "../../../../../src/builder/codecs/gif/lzw-encoder.ts";
import { plainLzw } from "../../../../../scripts/samples/animation/writers.ts";

/** Returns the data of image data blocks, and the root bits before them. */
function unpacked(pieces: Iterable<Uint8Array>): { rootBits: number; data: Uint8Array } {
  const [head, ...rest] = [...pieces];
  const blocks = Buffer.concat(rest);
  const data: number[] = [];
  let at = 0;
  for (let size = blocks[at++] ?? 0; size > 0; size = blocks[at++] ?? 0) {
    data.push(...blocks.subarray(at, at + size));
    at += size;
  }
  expect(at).toBe(blocks.length);
  return { rootBits: head?.[0] ?? 0, data: Uint8Array.from(data) };
}

/** @param step bytes that are decoded at a time */
function decoded(rootBits: number, data: Uint8Array, pixels: number, step: number): number[] {
  const decoder = new LzwDecoder();
  const indices: number[] = [];
  decoder.start(rootBits, pixels);
  for (let at = 0; at < data.length; at += step) {
    decoder.decode(data.subarray(at, at + step), (piece) => indices.push(...piece));
  }
  return indices;
}

const pictures = fc.tuple(
  fc.integer({ min: 2, max: 8 }),
  fc.integer({ min: 1, max: 9000 }),
  fc.integer(),
  fc.integer({ min: 1, max: 40 }),
);

/** Returns indices with runs of all lengths. */
function indicesOf(rootBits: number, count: number, seed: number, run: number): number[] {
  let state = seed;
  let value = 0;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    if ((state >>> 8) % run === 0) value = (state >>> 20) & ((1 << rootBits) - 1);
    return value;
  });
}

it("what is written is read", () => {
  const encoder = new LzwEncoder();
  fc.assert(
    fc.property(pictures, fc.integer({ min: 1, max: 300 }), ([bits, count, seed, run], step) => {
      const indices = indicesOf(bits, count, seed, run);
      const { rootBits, data } = unpacked(encoder.encode(Uint16Array.from(indices), bits, 0));
      expect(decoded(rootBits, data, count, step)).toEqual(indices);
    }),
    { numRuns: 150 },
  );
});

it("an index that is free is written as it is or as transparent, and the writer says which", () => {
  const encoder = new LzwEncoder();
  fc.assert(
    fc.property(pictures, ([bits, count, seed, run]) => {
      const transparent = (1 << bits) - 1;
      const plain = indicesOf(bits, count, seed, run);
      const entries = Uint16Array.from(
        plain,
        (index, i) => index | (i % 3 ? FREE : 0) | (i % 5 ? 0 : NOISY | FREE),
      );
      const asked = Uint16Array.from(entries);
      const { rootBits, data } = unpacked(encoder.encode(entries, bits, transparent));
      const read = decoded(rootBits, data, count, 100);
      expect(read).toEqual([...entries]);
      const isWrong = (index: number, i: number): boolean => {
        const isFree = ((asked[i] ?? 0) & FREE) !== 0;
        return index !== plain[i] && !(isFree && index === transparent);
      };
      expect(read.findIndex(isWrong)).toBe(-1);
    }),
    { numRuns: 100 },
  );
});

it("reads what never learns, stops at the last pixel, and refuses what cannot be", () => {
  const indices = indicesOf(8, 3000, 5, 3);
  expect(decoded(8, plainLzw(indices), 3000, 7)).toEqual(indices);
  expect(decoded(8, plainLzw(indices), 1234, 7)).toEqual(indices.slice(0, 1234));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 11 }), (data, bits) => {
      try {
        expect(decoded(bits, data, 100_000, 64).length).toBeLessThanOrEqual(100_000);
      } catch (error) {
        expect(error).toMatchObject({ name: "AnimationError" });
      }
    }),
    { numRuns: 300 },
  );
});
