/** Variants that are held: beside the memories, in what an earlier build left of the arena, or not at all. */
import { beforeAll, describe, expect, it } from "vitest";
import { bodyOf } from "../../../src/builder/body.ts";
import { buildVariant, type Built } from "../../../src/builder/build.ts";
import { openSource } from "../../../src/builder/source.ts";
import { Workshop } from "../../../src/builder/workshop.ts";
import {
  type BuildBytes,
  fitsBeside,
  fitsIsolate,
  MEMORY,
  peakOf,
} from "../../../src/image/memory/isolate.ts";
import { ISOLATE } from "../../../src/limits.ts";
import { specFor, streamOf, type Ask } from "../../support/builds.ts";
import { image, photo } from "../../support/pictures.ts";
import { probe } from "../../support/probe-run.ts";

const PAGE_BYTES = 65_536;
/** What a WebP begins with is put before its pictures last, and counts for nothing. */
const HEADERS_BYTES = 64;

let master: Buffer;
beforeAll(async () => {
  master = await image(await photo(900, 700))
    .jpeg()
    .toBuffer();
});

function buildIn(shop: Workshop, ask: Ask, budgetBytes: number = ISOLATE.buildBytes): Promise<Built> {
  const facts = probe(master);
  shop.budgetBytes = budgetBytes;
  const order = { spec: specFor(facts, ask), facts, sourceBytes: master.length, peakBytes: 1 };
  return buildVariant(shop, order, openSource(streamOf(master), master.length));
}

/** What the isolate pays for a workshop that is empty. */
const paidBytes = (shop: Workshop): number => ISOLATE.buildBytes - shop.roomBytes;
const isZero = (memory: WebAssembly.Memory): boolean =>
  new Uint32Array(memory.buffer).every((word) => word === 0);

describe("a variant that comes in rows", () => {
  for (const ask of [{ format: "png" }, { format: "jpeg", quality: 100 }] as const) {
    it(`is the same from the arena of an earlier build as from beside it: ${ask.format}`, async () => {
      const fresh = await buildIn(new Workshop(), ask);
      expect(fresh.isInArena).toBe(false);
      const shop = new Workshop();
      // As it would be after a build of the largest kind.
      shop.arena.memory.grow((MEMORY.arenaMaxBytes - shop.arena.byteLength) / PAGE_BYTES);
      const beside = 700_000;
      const built = await buildIn(shop, ask, paidBytes(shop) + beside);
      expect(built.isInArena).toBe(true);
      expect(Buffer.concat(built.pieces).equals(Buffer.concat(fresh.pieces))).toBe(true);
      expect(built.peakBytes).toBe(fresh.peakBytes);
      shop.clear();
      expect(isZero(shop.arena.memory)).toBe(true);
    });
  }
});

describe("a variant that comes as a whole", () => {
  it("ends in a failure where the isolate has no room for it, and the next one is right", async () => {
    const ask = { format: "webp", quality: 100 } as const;
    const shop = new Workshop();
    const fresh = await buildIn(shop, ask);
    const paid = paidBytes(shop);
    const room = paid + fresh.byteLength;
    expect((await buildIn(shop, ask, room)).byteLength).toBe(fresh.byteLength);
    await expect(buildIn(shop, ask, room - HEADERS_BYTES - 1)).rejects.toThrow("too large to be held");
    expect(isZero(shop.arena.memory)).toBe(true);
    const next = await buildIn(shop, { format: "png" });
    const right = await buildIn(new Workshop(), { format: "png" });
    expect(Buffer.concat(next.pieces).equals(Buffer.concat(right.pieces))).toBe(true);
  });
});

describe("the arena behind what is laid out", () => {
  it("takes what fits to the last byte, and not one more", () => {
    const shop = new Workshop();
    const { arena } = shop;
    arena.lend();
    arena.lent(arena.byteLength - 4096);
    const stowed = arena.stow(new Uint8Array(4000).fill(7));
    expect(() => arena.stow(new Uint8Array(97))).toThrow("too large to be held");
    arena.stow(new Uint8Array(96));
    expect(stowed.every((byte) => byte === 7)).toBe(true);
    expect(() => arena.start("webp-decoder")).toThrow("a variant lies");
    shop.clear();
    expect(arena.isStowed).toBe(false);
    expect(isZero(arena.memory)).toBe(true);
  });
});

describe("a build beside memories that have grown", () => {
  const grown = {
    arena: MEMORY.arenaMaxBytes,
    resampler: MEMORY.resamplerMaxBytes,
    rowEncoder: MEMORY.rowEncoderMaxBytes,
  };
  const small: BuildBytes = {
    arena: 1e6,
    resampler: 0,
    rowEncoder: 0,
    buffers: 0,
    colour: 0,
    output: 0,
    isStowable: false,
  };

  it("has what no memory can take, to the byte", () => {
    const output = MEMORY.besideBytes;
    expect(fitsBeside({ ...small, output }, grown, ISOLATE.buildBytes)).toBe(true);
    expect(fitsBeside({ ...small, output: output + 1 }, grown, ISOLATE.buildBytes)).toBe(false);
    expect(fitsBeside({ ...small, buffers: output + 1 }, grown, ISOLATE.buildBytes)).toBe(false);
    expect(fitsBeside({ ...small, output }, grown, ISOLATE.buildBytes - 1)).toBe(false);
  });

  it("has the arena's own for an output that may lie there, up to what an isolate holds", () => {
    const output = ISOLATE.buildBytes - small.arena;
    expect(fitsBeside({ ...small, output, isStowable: true }, grown, ISOLATE.buildBytes)).toBe(true);
    expect(fitsBeside({ ...small, output: output + 1, isStowable: true }, grown, ISOLATE.buildBytes)).toBe(
      false,
    );
  });

  it("is what a fresh isolate allows, where nothing has grown", () => {
    const none = { arena: 0, resampler: 0, rowEncoder: 0 };
    for (const over of [0, 1]) {
      const arena = { ...small, arena: MEMORY.arenaMaxBytes + over };
      expect(fitsIsolate(arena)).toBe(over === 0);
      const output = { ...small, output: ISOLATE.buildBytes - small.arena + over };
      expect([fitsIsolate(output), fitsBeside(output, none, ISOLATE.buildBytes)]).toEqual([
        over === 0,
        over === 0,
      ]);
      expect(peakOf(output)).toBe(ISOLATE.buildBytes + over);
    }
  });
});

describe("the body of an answer", () => {
  const pieces = [Uint8Array.of(1, 2), Uint8Array.of(3)];
  const opened = (abandonedMs?: number) => {
    const count = { ended: 0 };
    const ended = (): void => {
      count.ended++;
    };
    const body = bodyOf(pieces, 3, {
      ended,
      areLent: true,
      ...(abandonedMs === undefined ? {} : { abandonedMs }),
    });
    return { count, body };
  };

  it("ends when the last piece was taken", async () => {
    const { count, body } = opened();
    expect([...new Uint8Array(await new Response(body).arrayBuffer())]).toEqual([1, 2, 3]);
    expect(count.ended).toBe(1);
  });

  it("ends once when it is cancelled", async () => {
    const { count, body } = opened();
    const reader = body.getReader();
    await reader.read();
    expect(count.ended).toBe(0);
    await reader.cancel();
    expect(count.ended).toBe(1);
  });

  it("ends when nobody takes it", async () => {
    const { count, body } = opened(5);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(count.ended).toBe(1);
    await expect(body.getReader().read()).rejects.toThrow("nobody took the variant");
  });
});
