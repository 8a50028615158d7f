/** Lossy WebP in rows: pixel for pixel what libwebp (sharp) decodes, in memory that follows the width. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { Arena } from "../../../../../src/builder/memory/arena.ts";
import { libwebpOptions } from "../../../../../src/image/formats/webp/encoder-options.ts";
import { decodeVp8, type WebpRowSource } from "../../../../../src/builder/codecs/webp/decoder.ts";
import type { WebpFacts } from "../../../../../src/image/model/facts.ts";
import { vp8DecoderPeakBytes } from "../../../../../src/image/formats/webp/decoder-memory.ts";
import { planBuild } from "../../../../../src/image/plan/plan.ts";
import { OUTPUT_FORMATS } from "../../../../../src/image/formats/registry.ts";
import { KINDS, pictureOf } from "../../../../../scripts/samples/avif-pictures.ts";
import { specFor, streamOf } from "../../../../../scripts/harness/builds.ts";
import { image, photo, type Picture } from "../../../../../scripts/samples/pictures.ts";
import { collectRows, newMemory, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";

const chunkOf = (file: Uint8Array): { from: number; to: number } => {
  const at = Buffer.from(file).indexOf("VP8 ");
  return { from: at + 8, to: at + 8 + Buffer.from(file).readUInt32LE(at + 4) };
};

function open(file: Uint8Array, memory = newMemory(4096), facts?: WebpFacts): Promise<WebpRowSource> {
  const stated = facts ?? (probe(file) as WebpFacts);
  return decodeVp8(workspaceIn(memory), streamOf(file, 1000), file.length, stated, chunkOf);
}

async function expectSharps(file: Uint8Array, label: string): Promise<void> {
  const wanted = await sharp(file).raw().toBuffer();
  const { data } = await collectRows(await open(file));
  expect(Buffer.compare(Buffer.from(data), wanted), label).toBe(0);
}

const arena = new Arena();

/** Encodes by libwebp with every setting of its own; `picture` has 4 channels. */
function encoded({ data, width, height }: Picture, settings: Record<string, number>): Buffer {
  arena.reset();
  arena.bytes(arena.canvas(data.length)).set(data);
  const codec = arena.start("webp-encoder");
  const options = codec.options({ ...libwebpOptions(80), ...settings });
  return Buffer.from(codec.bytes(codec.call("encode", arena.canvasSpan, width, height, options)));
}

describe("a lossy WebP gives libwebp's pixels", () => {
  const sizes = [1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 49, 130];
  it.each(sizes)("%i pixels wide, at every height around a macroblock's", async (width) => {
    const ground = image(await photo(260, 260));
    for (const height of sizes) {
      const picture = ground.clone().extract({ left: width, top: height, width, height });
      for (const quality of [1, 60, 100]) {
        const file = await picture.clone().webp({ quality }).toBuffer();
        await expectSharps(file, `${width} x ${height}, q ${quality}`);
      }
    }
  });

  it.each(KINDS)("of %s, in every effort", async (kind) => {
    const picture = await pictureOf(kind, 333, 211);
    for (const effort of [0, 2, 4, 6]) {
      for (const quality of [5, 75, 95]) {
        await expectSharps(
          await image(picture).removeAlpha().webp({ quality, effort }).toBuffer(),
          `effort ${effort}, q ${quality}`,
        );
      }
    }
  });

  it("with both loop filters, at every strength and sharpness", async () => {
    const picture = await pictureOf("mixed", 210, 150);
    for (const filter_type of [0, 1]) {
      for (const filter_strength of [0, 5, 20, 60, 100]) {
        for (const filter_sharpness of [0, 1, 4, 5, 7]) {
          const settings = { filter_type, filter_strength, filter_sharpness, quality: 30 };
          await expectSharps(encoded(picture, settings), JSON.stringify(settings));
        }
      }
    }
  });

  it("with every number of partitions and segments", async () => {
    const picture = await pictureOf("photo", 170, 330);
    for (const segments of [1, 2, 3, 4]) {
      const lengths = new Set<number>();
      for (const partitions of [0, 1, 2, 3]) {
        // From method 3 on, libwebp makes one partition whatever is asked for.
        const settings = { partitions, segments, method: 2, sns_strength: 100, quality: 50 };
        const file = encoded(picture, settings);
        lengths.add(file.length);
        await expectSharps(file, JSON.stringify(settings));
      }
      expect(lengths.size).toBe(4);
    }
  });

  it("of the greatest width, and of the greatest height", async () => {
    for (const [width, height] of [
      [16_383, 21],
      [21, 16_383],
    ] as const) {
      await expectSharps(
        await image(await photo(width, height))
          .webp()
          .toBuffer(),
        `${width} x ${height}`,
      );
    }
  });
});

describe("memory of the decoder", () => {
  it("is what was planned", async () => {
    for (const [width, height] of [
      [1, 1],
      [100, 3000],
      [4001, 33],
      [16_383, 17],
    ] as const) {
      const file = await image(await photo(width, height))
        .webp()
        .toBuffer();
      const rows = await open(file);
      await collectRows(rows);
      const planned = vp8DecoderPeakBytes(probe(file), file.length);
      expect(rows.peakBytes()).toBeLessThanOrEqual(planned);
      expect(planned - rows.peakBytes()).toBeLessThan(8192);
    }
  });

  it("allows 80 megapixels in every format", async () => {
    const small = probe(
      await image(await photo(8, 8))
        .webp()
        .toBuffer(),
    ) as WebpFacts;
    const [width, height] = [10_320, 7740];
    const facts = { ...small, width, height, codedWidth: width, codedHeight: height };
    for (const format of OUTPUT_FORMATS) {
      expect(planBuild(facts, 40_000_000, specFor(facts, { width: 2560, format })), format).toMatchObject({
        ok: true,
      });
    }
  });

  it("that is missing is told", async () => {
    const file = await image(await photo(400, 300))
      .webp()
      .toBuffer();
    await expect(open(file, newMemory(1))).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  });
});

describe("a damaged picture", async () => {
  const file = await image(await photo(120, 90))
    .webp({ quality: 70 })
    .toBuffer();
  const facts = probe(file) as WebpFacts;
  const { from, to } = chunkOf(file);

  it("fails by name wherever its partitions are cut off", async () => {
    for (let length = 0; length < to - from - 2; length += 7) {
      const cut = Buffer.from(file);
      const rows = decodeVp8(workspaceIn(), streamOf(cut), cut.length, facts, () => ({
        from,
        to: from + length,
      }));
      await expect(rows.then(collectRows), String(length)).rejects.toMatchObject({ code: "TRUNCATED" });
    }
  });

  it("fails by name or gives a picture with any byte changed, never out of its memory", async () => {
    let given = 0;
    for (let at = from; at < to; at += 3) {
      const damaged = Buffer.from(file);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      const outcome = await open(damaged, newMemory(40), facts)
        .then(collectRows)
        .then(
          ({ data }) => data.length,
          (error: unknown) => error,
        );
      if (outcome === 120 * 90 * 3) given++;
      else expect(outcome, String(at)).toMatchObject({ name: "WebpDecodeError" });
    }
    expect(given).toBeGreaterThan(10);
  });

  it("is not one of another size than was probed", async () => {
    await expect(open(file, newMemory(), { ...facts, codedWidth: 121 })).rejects.toMatchObject({
      code: "CORRUPT",
    });
  });
});
