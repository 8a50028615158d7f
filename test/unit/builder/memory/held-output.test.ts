/** Variants, or parts of them, while they are held: beside memories that have grown, or not at all. */
import { beforeAll, describe, expect, it } from "vitest";
import { bodyOf } from "../../../../src/builder/streams/portable-output.ts";
import { buildVariant, type Built } from "../../../../src/builder/build.ts";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import {
  type BuildBytes,
  fitsBeside,
  fitsIsolate,
  MEMORY,
  type MemoryBytes,
  peakOf,
} from "../../../../src/image/memory/isolate.ts";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import { ISOLATE, MULTIPART } from "../../../../src/limits.ts";
import { specFor, wholeOf, type Ask, contextOf } from "../../../../scripts/harness/builds.ts";
import { jpegFacts } from "../../../../scripts/samples/facts.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { isZero } from "../../../support/is-zero.ts";

/** The encoder puts the first bytes of a WebP before its pictures last, and they count for nothing. */
const HEADERS_BYTES = 64;

let master: Buffer;
beforeAll(async () => {
  master = await image(await photo(900, 700))
    .jpeg()
    .toBuffer();
});

function buildIn(shop: BuildMemory, ask: Ask, budgetBytes: number = ISOLATE.buildBytes): Promise<Built> {
  const facts = probe(master);
  shop.budgetBytes = budgetBytes;
  const spec = specFor(facts, ask);
  return wholeOf(buildVariant(contextOf(master, { facts, spec, memory: shop })));
}

/** Returns the bytes that the isolate pays for a workshop that is empty. */
const paidBytes = (shop: BuildMemory): number => ISOLATE.buildBytes - shop.roomBytes;

describe("a variant that comes as a whole", () => {
  it("ends in a failure where the isolate has no room for it, and the next one is right", async () => {
    const ask = { format: "webp", quality: 100 } as const;
    const shop = new BuildMemory();
    const fresh = await buildIn(shop, ask);
    const paid = paidBytes(shop);
    const room = paid + fresh.byteLength;
    expect((await buildIn(shop, ask, room)).byteLength).toBe(fresh.byteLength);
    await expect(buildIn(shop, ask, room - HEADERS_BYTES - 1)).rejects.toThrow("too large to be held");
    expect(isZero(shop.arena.memory)).toBe(true);
    const next = await buildIn(shop, { format: "png" });
    const right = await buildIn(new BuildMemory(), { format: "png" });
    expect(Buffer.concat(next.pieces).equals(Buffer.concat(right.pieces))).toBe(true);
  });
});

describe("a build beside memories that have grown", () => {
  const grown: MemoryBytes = {
    arena: MEMORY.arenaMaxBytes,
    resampler: MEMORY.resamplerMaxBytes,
    rowCodec: MEMORY.rowCodecMaxBytes,
  };
  const small: BuildBytes = {
    arena: 1e6,
    resampler: 0,
    rowCodec: 0,
    buffers: 0,
    colour: 0,
    output: 0,
  };

  it("has what no memory can take, to the byte", () => {
    const buffers = MEMORY.besideBytes;
    expect(fitsBeside({ ...small, buffers }, grown, ISOLATE.buildBytes)).toBe(true);
    expect(fitsBeside({ ...small, buffers: buffers + 1 }, grown, ISOLATE.buildBytes)).toBe(false);
    expect(fitsBeside({ ...small, buffers }, grown, ISOLATE.buildBytes - 1)).toBe(false);
  });

  it("has for its variant what it does not use of the memories too, beside a part that is sent", () => {
    const spare = grown.arena - small.arena + grown.rowCodec;
    const output = spare + MEMORY.besideBytes - MULTIPART.partBytes;
    expect(fitsIsolate({ ...small, output })).toBe(true);
    expect(fitsIsolate({ ...small, output: output + 1 })).toBe(false);
    expect(fitsIsolate({ ...small, output: output - 1, buffers: 1 })).toBe(true);
    expect(fitsIsolate({ ...small, output, buffers: 1 })).toBe(false);
    const buffers = MEMORY.besideBytes - MULTIPART.partBytes;
    expect(fitsIsolate({ ...small, output: spare, buffers })).toBe(true);
    expect(fitsIsolate({ ...small, output: spare, buffers: buffers + 1 })).toBe(false);
  });

  it("has room for a part, beside the tables of any profile", () => {
    const facts = { ...jpegFacts(8000, 6000), colour: "cmyk", profile: "icc" } as const;
    for (const format of ["jpeg", "png"] as const) {
      const plan = planBuild(facts, 20e6, specFor(facts, { width: 6400, format, quality: 100 }));
      if (!plan.ok) throw new Error(plan.reason);
      expect(plan.memory.output).toBeGreaterThanOrEqual(MULTIPART.partBytes);
      expect(fitsBeside(plan.memory, grown, ISOLATE.buildBytes)).toBe(true);
    }
  });

  it("may use each memory to its end", () => {
    for (const over of [0, 1]) {
      const arena = { ...small, arena: MEMORY.arenaMaxBytes + over };
      expect(fitsIsolate(arena)).toBe(over === 0);
      expect(fitsIsolate({ ...small, rowCodec: MEMORY.rowCodecMaxBytes + over })).toBe(over === 0);
      expect(fitsIsolate({ ...small, resampler: MEMORY.resamplerMaxBytes + over })).toBe(over === 0);
    }
    expect(peakOf({ ...small, output: ISOLATE.buildBytes - small.arena })).toBe(ISOLATE.buildBytes);
  });
});

describe("the body of an answer", () => {
  const opened = (abandonedMs?: number) => {
    const count = { ended: 0 };
    const ended = (): void => {
      count.ended++;
    };
    const body = bodyOf([Uint8Array.of(1, 2), Uint8Array.of(3)], 3, {
      ended,
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
