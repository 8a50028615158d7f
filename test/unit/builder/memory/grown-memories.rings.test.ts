/** Builds in an isolate whose memories earlier builds have grown as far as they go: the same files as in a new one. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { buildVariant } from "../../../../src/builder/build.ts";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import { GIF_PIECE_BYTES } from "../../../../src/image/formats/gif/memory.ts";
import { MEMORY } from "../../../../src/image/memory/isolate.ts";
import type { VariantSpec } from "../../../../src/image/model/variant.ts";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import { ISOLATE, MULTIPART, TRANSFORM } from "../../../../src/limits.ts";
import { contextOf, specFor, wholeOf } from "../../../../scripts/harness/builds.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { writeGif } from "../../../../scripts/samples/animation/writers.ts";
import { gifFacts } from "../../../../scripts/samples/facts.ts";
import { cutout, image, photo } from "../../../../scripts/samples/pictures.ts";
import { integersOf } from "../../../../scripts/samples/random.ts";
import { isZero } from "../../../support/is-zero.ts";
import { ofRing } from "../../../support/ring.ts";

/**
 * Returns the bytes left outside of the memories for the variant, beside the part that is sent: next to nothing, or
 * one piece.
 */
const leftBytes = ({ format }: VariantSpec): number => (format === "gif" ? GIF_PIECE_BYTES : 1000);

/** Returns frames of noise in 256 colours, written as they are: choosing colours for noise would take seconds. */
function noisyGif(width: number, height: number, frames: number): Buffer {
  const next = integersOf(1);
  const noise = (): Uint8Array => {
    const indices = new Uint8Array(width * height);
    for (let i = 0; i < indices.length; i++) indices[i] = next(256);
    return indices;
  };
  return Buffer.from(
    writeGif({
      ...{ width, height },
      palette: Array.from({ length: 3 * 256 }, () => next(256)),
      frames: Array.from({ length: frames }, () => ({ left: 0, top: 0, width, height, indices: noise() })),
    }),
  );
}

function noisyWebp(width: number, height: number, frames: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  return sharp({
    create: { width, height: height * frames, channels: 3, background: "#000", noise, pageHeight: height },
  })
    .webp({ quality: 90, effort: 0 })
    .toBuffer();
}

function grownMemory(): BuildMemory {
  const memory = new BuildMemory();
  memory.arena.canvas(MEMORY.arenaMaxBytes - 8_000_000);
  memory.clear();
  memory.rowCodec.growTo(MEMORY.rowCodecMaxBytes);
  memory.resampler.growTo(MEMORY.resamplerMaxBytes);
  return memory;
}

/** Builds `spec` with so little room outside of the memories that the variant must be held in them. */
async function inGrown(file: Buffer, spec: VariantSpec) {
  const memory = grownMemory();
  const context = contextOf(file, { spec, memory });
  const { buffers, colour } = context.plan.memory;
  memory.budgetBytes -=
    memory.roomBytes - Math.ceil(buffers + colour) - MULTIPART.partBytes - leftBytes(spec);
  const paid = memory.memoryBytes;
  const built = await wholeOf(buildVariant(context));
  return { ...built, memory, hasGrown: JSON.stringify(memory.memoryBytes) !== JSON.stringify(paid) };
}

const isWiped = ({ arena, rowCodec, resampler }: BuildMemory): boolean =>
  [arena, rowCodec, resampler].every(({ memory }) => isZero(memory));

const masters: Record<string, Buffer> = {};
beforeAll(async () => {
  masters["gif"] = noisyGif(700, 500, 4);
  masters["long gif"] = noisyGif(700, 500, 14);
  masters["small gif"] = noisyGif(300, 200, 5);
  masters["webp"] = await noisyWebp(400, 300, 6);
  masters["photo"] = await image(await photo(1000, 750))
    .jpeg({ quality: 95 })
    .toBuffer();
  masters["cutout"] = await image(await cutout(700, 500))
    .png({ compressionLevel: 1 })
    .toBuffer();
});

const animated = (width: number, height: number, format: "gif" | "webp"): VariantSpec => ({
  ...{ width, height, format, animated: true },
  quality: format === "gif" ? null : 90,
});

describe("a build in memories that have grown as far as they go", () => {
  const animations: [string, string, VariantSpec][] = [
    ["GIF to GIF of its size", "gif", animated(700, 500, "gif")],
    ["GIF to GIF, resized", "small gif", animated(236, 157, "gif")],
    ["GIF to animated WebP", "small gif", animated(236, 157, "webp")],
    ["animated WebP", "webp", animated(400, 300, "webp")],
  ];
  it.each(ofRing(animations, 3))("gives the same file: %s", async (_name, master, spec) => {
    const file = masters[master] as Buffer;
    const { pieces } = await wholeOf(buildVariant(contextOf(file, { spec })));
    const grown = await inGrown(file, spec);
    expect(Buffer.concat(grown.pieces).equals(Buffer.concat(pieces))).toBe(true);
    expect(grown.hasGrown).toBe(false);
    expect(isWiped(grown.memory)).toBe(true);
  });

  const stills = [
    ["a photograph to WebP, in rows", "photo", "webp"],
    ["a photograph to AVIF, in rows", "photo", "avif"],
    ["a cut-out to WebP", "cutout", "webp"],
    ["a cut-out to AVIF, in rows", "cutout", "avif"],
    ["a photograph to JPEG", "photo", "jpeg"],
    ["a photograph to PNG", "photo", "png"],
  ] as const;
  it.each(ofRing(stills, 4))("gives the same file: %s", async (_name, master, format) => {
    const file = masters[master] as Buffer;
    const spec = specFor(probe(file), { format, quality: 100 });
    const { pieces } = await wholeOf(buildVariant(contextOf(file, { spec })));
    const grown = await inGrown(file, spec);
    expect(Buffer.concat(grown.pieces).equals(Buffer.concat(pieces))).toBe(true);
    expect(isWiped(grown.memory)).toBe(true);
  });

  it("sends what it held in parts of one size, each a copy", async () => {
    const file = masters["long gif"] as Buffer;
    const memory = grownMemory();
    memory.budgetBytes = ISOLATE.buildBytes;
    const spec = { ...animated(700, 500, "webp"), quality: 100 as const };
    const context = contextOf(file, { spec, memory });
    memory.budgetBytes -=
      memory.roomBytes - Math.ceil(context.plan.memory.buffers) - MULTIPART.partBytes - leftBytes(spec);
    const parts = buildVariant(context);
    const lengths: number[] = [];
    for (;;) {
      const { done, value } = await parts.next();
      lengths.push(value.byteLength);
      for (const piece of value.pieces) {
        expect(piece.byteLength).toBe(piece.buffer.byteLength);
        expect(piece.buffer).not.toBe(memory.arena.memory.buffer);
      }
      if (done) break;
    }
    expect(lengths.length).toBeGreaterThan(1);
    expect(lengths.slice(0, -1).every((length) => length === MULTIPART.partBytes)).toBe(true);
  });
});

describe("what an earlier build has left", () => {
  it.each([
    [700, 500],
    [1826, 1370],
    [2100, 1575],
  ])("keeps no GIF of 40 MB and %i x %i pixels from being planned, at any width", (width, height) => {
    const facts = gifFacts(width, height, 20);
    for (const out of [236, 500, 1000, 1600, width].filter((step) => step <= width)) {
      const spec = animated(out, Math.round((out * height) / width), "gif");
      expect(planBuild(facts, TRANSFORM.sourceMaxBytes, spec), `${out}`).toMatchObject({ ok: true });
    }
  });
});
