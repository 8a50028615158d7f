/** Memories that earlier builds have grown, and the variant that is held in what of them lies idle. */
import { describe, expect, it } from "vitest";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import {
  type BuildBytes,
  fitsBeside,
  fitsIsolate,
  INITIAL_MEMORY,
  MEMORY,
} from "../../../../src/image/memory/isolate.ts";
import { ISOLATE, MEGABYTE_BYTES, MULTIPART } from "../../../../src/limits.ts";
import { random } from "../../../../scripts/samples/avif-pictures.ts";

const NONE: BuildBytes = { arena: 0, resampler: 0, rowCodec: 0, buffers: 0, colour: 0, output: 0 };
const ARENA_BYTES = 40 * MEGABYTE_BYTES;

/** Returns an isolate whose arena has grown, with `roomBytes` left outside of its memories. */
function grown(roomBytes: number): BuildMemory {
  const memory = new BuildMemory();
  memory.arena.canvas(ARENA_BYTES);
  memory.clear();
  memory.begin(NONE);
  memory.budgetBytes = ISOLATE.buildBytes;
  memory.budgetBytes -= memory.roomBytes - roomBytes;
  return memory;
}

const piece = (bytes: number, value: number): Uint8Array<ArrayBuffer> => new Uint8Array(bytes).fill(value);

describe("a piece of a variant", () => {
  it("is held outside of the memories while there is room for it, beside a part on its way out", () => {
    const memory = grown(MULTIPART.partBytes + 1000);
    const outside = memory.keep(piece(1000, 1));
    expect([memory.isInSpare(outside), memory.roomBytes]).toEqual([false, MULTIPART.partBytes]);
    expect(memory.isInSpare(memory.keep(piece(1, 2)))).toBe(true);
    expect(memory.roomBytes).toBe(MULTIPART.partBytes);
  });

  it("is held where memories lie idle when there is none, one below the other", () => {
    const memory = grown(MULTIPART.partBytes);
    const pieces = [1, 2, 3].map((value) => memory.keep(piece(MEGABYTE_BYTES, value)));
    expect(pieces.map((held) => memory.isInSpare(held))).toEqual([true, true, true]);
    expect(pieces.map((held) => [held[0], held.at(-1), held.length])).toEqual(
      [1, 2, 3].map((value) => [value, value, MEGABYTE_BYTES]),
    );
    expect(pieces[0]!.byteOffset - pieces[1]!.byteOffset).toBe(MEGABYTE_BYTES);
    memory.demandIntact();
  });

  it("is not wiped by a codec that starts, nor between the frames of an animation", () => {
    const memory = grown(MULTIPART.partBytes);
    const held = [
      memory.keep(piece(memory.memoryBytes.arena, 7)),
      memory.keepCopy(piece(memory.memoryBytes.rowCodec, 8)),
    ];
    memory.arena.lend();
    memory.rowCodec.wipe();
    expect(held.map((bytes) => bytes.every((value) => value === bytes[0]))).toEqual([true, true]);
    memory.clear();
    expect(held.map((bytes) => bytes.every((value) => value === 0))).toEqual([true, true]);
  });

  it("is refused when there is no room anywhere, to the byte", () => {
    const memory = grown(MULTIPART.partBytes);
    const { arena, rowCodec } = memory.memoryBytes;
    memory.keep(piece(arena, 1));
    memory.keep(piece(rowCodec, 1));
    memory.keep(piece(MULTIPART.partBytes, 1));
    expect(() => memory.keep(piece(1, 1))).toThrow("too large to be held");
  });

  it("is not sent when a codec has taken more than was planned, and may have written over it", () => {
    const memory = grown(MULTIPART.partBytes);
    const held = memory.keep(piece(MEGABYTE_BYTES, 1));
    memory.arena.lend();
    memory.arena.lent(held.byteOffset);
    memory.demandIntact();
    memory.arena.lent(held.byteOffset + 1);
    expect(() => memory.demandIntact()).toThrow("the memory that the variant was held in");
  });

  it("is held nowhere but outside when nobody has planned the build", () => {
    const memory = new BuildMemory();
    memory.budgetBytes -= memory.roomBytes - 1000;
    expect(memory.isInSpare(memory.keep(piece(1000, 1)))).toBe(false);
    expect(() => memory.keep(piece(1, 1))).toThrow("too large to be held");
  });
});

describe("the room for a codec", () => {
  it("is the budget without the other memories and what is held outside, to the byte", () => {
    const memory = new BuildMemory();
    const { resampler, rowCodec } = memory.memoryBytes;
    memory.meter.hold("buffers").set(1000);
    memory.budgetBytes = ARENA_BYTES + resampler + rowCodec + 1000 + 10;
    expect([10, 11].map((bytes) => memory.hasRoomFor(ARENA_BYTES, bytes))).toEqual([true, false]);
  });

  it("counts a grown arena whole", () => {
    const memory = grown(10);
    expect([10, 11].map((bytes) => memory.hasRoomFor(1, bytes))).toEqual([true, false]);
  });
});

describe("a build that fits an isolate", () => {
  it("fits it whatever was built there before", () => {
    const next = random(3);
    const upTo = (bytes: number): number => next(Math.floor(bytes / 1024) + 1) * 1024;
    const kinds = { fit: 0, full: 0 };
    for (let i = 0; i < 100_000; i++) {
      const planned: BuildBytes = {
        arena: upTo(MEMORY.arenaMaxBytes),
        resampler: upTo(MEMORY.resamplerMaxBytes),
        rowCodec: upTo(MEMORY.rowCodecMaxBytes),
        buffers: upTo(MEMORY.besideBytes / 2),
        colour: upTo(MEMORY.besideBytes / 4),
        output: upTo(40 * MEGABYTE_BYTES),
      };
      if (!fitsIsolate(planned)) continue;
      kinds.fit += 1;
      const before = {
        arena: Math.max(INITIAL_MEMORY.arena, upTo(MEMORY.arenaMaxBytes)),
        resampler: Math.max(INITIAL_MEMORY.resampler, upTo(MEMORY.resamplerMaxBytes)),
        rowCodec: Math.max(INITIAL_MEMORY.rowCodec, upTo(MEMORY.rowCodecMaxBytes)),
      };
      if (planned.output > MEMORY.besideBytes) kinds.full += 1;
      expect(fitsBeside(planned, before, ISOLATE.buildBytes), JSON.stringify({ planned, before })).toBe(true);
    }
    expect(kinds.full).toBeGreaterThan(1000);
    expect(kinds.fit).toBeGreaterThan(kinds.full);
  });
});
