/** Lossless WebP in rows: pixel for pixel what libwebp (sharp) decodes, in memory that was planned. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeVp8l } from "../../../../../src/builder/codecs/webp/lossless/decoder.ts";
import { openLossless } from "../../../../../src/builder/codecs/webp/lossless/still.ts";
import { losslessDecoderPeakBytes } from "../../../../../src/image/formats/webp/decoder-memory.ts";
import { planBuild } from "../../../../../src/image/plan/plan.ts";
import { OUTPUT_FORMATS } from "../../../../../src/image/formats/registry.ts";
import { TRANSFORM } from "../../../../../src/limits.ts";
import { runLosslessDamage, runLosslessPictures } from "../../../../../scripts/fuzz/webp-lossless/runs.ts";
import { specFor, streamOf } from "../../../../../scripts/harness/builds.ts";
import { collectRows, newMemory, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { webpFacts } from "../../../../../scripts/samples/facts.ts";
import { integersOf } from "../../../../../scripts/samples/random.ts";
import type { WebpRowSource } from "../../../../../src/builder/codecs/webp/decoder.ts";
import {
  FARTHEST_PIXELS,
  farMatches,
  manyGroups,
  smallestTiles,
} from "../../../../support/lossless-writer.ts";
import { ofRing, rounds } from "../../../../support/ring.ts";

async function open(
  file: Uint8Array,
  { memory = newMemory(), pieceBytes = 1000, yieldOnce }: OpenOptions = {},
): Promise<WebpRowSource> {
  const { codedWidth: width, codedHeight: height, hasAlpha } = probe(file);
  const picture = await openLossless(streamOf(file, pieceBytes), { width, height });
  return decodeVp8l(workspaceIn(memory, yieldOnce), picture, hasAlpha);
}

interface OpenOptions {
  memory?: WebAssembly.Memory;
  pieceBytes?: number;
  yieldOnce?: () => Promise<void>;
}

async function expectSharps(file: Uint8Array, label: string, options: OpenOptions = {}): Promise<void> {
  const wanted = await sharp(file).raw().toBuffer();
  const { data } = await collectRows(await open(file, options));
  expect(Buffer.compare(Buffer.from(data), wanted), label).toBe(0);
}

function noise(width: number, height: number, channels: 3 | 4 = 3): Buffer {
  const random = integersOf(width);
  return Buffer.from(Array.from({ length: width * height * channels }, () => random(256)));
}

describe("a lossless WebP gives libwebp's pixels", () => {
  it("of random pictures in every setting of the encoder (a short run of scripts/fuzz/webp-lossless/index.ts)", async () => {
    const counts = await runLosslessPictures(1, rounds(24, 80));
    expect(counts["lossless"]).toBeGreaterThan(rounds(8, 30));
    expect(counts["alpha"]).toBeGreaterThan(rounds(2, 10));
  });

  it("where matches reach as far back as they can", async () => {
    for (const distance of ofRing([FARTHEST_PIXELS, FARTHEST_PIXELS - 1, 900_000], 3)) {
      const file = farMatches(1013, 1100, distance);
      await expectSharps(file, `${distance} pixels`, { memory: newMemory(4096), pieceBytes: 100_000 });
    }
  });

  it("with data that arrive byte by byte", async () => {
    const file = await sharp(noise(40, 30, 4), { raw: { width: 40, height: 30, channels: 4 } })
      .webp({ lossless: true })
      .toBuffer();
    await expectSharps(file, "bytes", { pieceBytes: 1 });
  });

  it("of the greatest width, and of the greatest height", async () => {
    for (const [width, height] of [
      [16_383, 9],
      [9, 16_383],
    ] as const) {
      const file = await sharp(noise(width, height), { raw: { width, height, channels: 3 } })
        .webp({ lossless: true, effort: 2 })
        .toBuffer();
      await expectSharps(file, `${width} x ${height}`);
    }
  });

  it("with the smallest tiles, in every order of transforms", async () => {
    const orders = [
      ["predictor"],
      ["cross"],
      ["green", "predictor"],
      ["predictor", "green", "cross"],
      ["cross", "predictor"],
      ["cross", "green", "predictor"],
    ] as const;
    for (const [width, height] of [
      [1, 1],
      [37, 21],
      [200, 77],
    ] as const) {
      for (const order of orders)
        await expectSharps(smallestTiles(width, height, order), `${width} x ${height}, ${order.join()}`);
    }
  });

  it("with groups that no tile has", async () => {
    await expectSharps(
      manyGroups(60, 50, (tile) => 400 * (tile % 3)),
      "gaps between groups",
    );
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
      for (const channels of [3, 4] as const) {
        const raw = { width, height, channels };
        const file = await sharp(noise(width, height, channels), { raw })
          .webp({ lossless: true, effort: 0 })
          .toBuffer();
        const rows = await open(file, { memory: newMemory(4096) });
        await collectRows(rows);
        const planned = losslessDecoderPeakBytes(probe(file));
        expect(rows.peakBytes()).toBeLessThanOrEqual(planned);
        expect(planned - rows.peakBytes()).toBeLessThan(8192);
      }
    }
  });

  it("allows 80 megapixels in every format, and takes at most 48 MB for 48 megapixels", () => {
    for (const hasAlpha of [false, true]) {
      const facts = { ...webpFacts(10_320, 7740), lossless: true, hasAlpha };
      for (const format of OUTPUT_FORMATS) {
        const plan = planBuild(facts, TRANSFORM.sourceMaxBytes, specFor(facts, { width: 2560, format }));
        expect(plan, format).toMatchObject({ ok: true });
      }
      const photograph = { ...webpFacts(8000, 6000), lossless: true, hasAlpha };
      const spec = specFor(photograph, { width: 1600, format: "webp" });
      const plan = planBuild(photograph, TRANSFORM.sourceMaxBytes, spec);
      if (!plan.ok) throw new Error(plan.reason);
      expect(plan.memory.peak - plan.memory.resampler).toBeLessThan(48e6);
    }
  });

  it("allows 80 megapixels of a lossy picture with alpha in the largest file", () => {
    for (const [width, height] of [
      [10_320, 7740],
      [16_383, 4882],
    ] as const) {
      const facts = { ...webpFacts(width, height), hasAlpha: true };
      const spec = specFor(facts, { width: 2560, format: "webp" });
      expect(planBuild(facts, TRANSFORM.sourceMaxBytes, spec)).toMatchObject({ ok: true });
    }
  });

  it("that is missing is told", async () => {
    const file = await sharp(noise(400, 300), { raw: { width: 400, height: 300, channels: 3 } })
      .webp({ lossless: true, effort: 0 })
      .toBuffer();
    await expect(open(file, { memory: newMemory(2) })).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  });

  it("is never more than was planned, whatever a file states", async () => {
    const [width, height] = [512, 512];
    const file = manyGroups(width, height, (tile) => tile);
    const memory = newMemory(4096);
    await expect(open(file, { memory, pieceBytes: 50_000 })).rejects.toMatchObject({
      code: "OUT_OF_MEMORY",
      failure: "out-of-memory",
    });
    expect(memory.buffer.byteLength).toBeLessThanOrEqual(losslessDecoderPeakBytes(probe(file)) + 65_536);
  });
});

describe("a damaged picture", () => {
  it("is refused where libwebp refuses it, and else the same (a short run of scripts/fuzz/webp-lossless/index.ts)", async () => {
    const { refused, same } = await runLosslessDamage(1, rounds(50, 150));
    expect(refused).toBeGreaterThan(rounds(15, 60));
    expect(same).toBeGreaterThan(rounds(3, 15));
  });

  it("fails by name wherever it is cut off, without its last rows", async () => {
    const [width, height] = [90, 70];
    const raw = { width, height, channels: 3 } as const;
    const file = await sharp(noise(width, height), { raw }).webp({ lossless: true }).toBuffer();
    const stated = file.readUInt32LE(16);
    // The first bytes lack even the size, or are fewer than libwebp reads at once.
    for (let length = 9; length < stated - 2; length += 97) {
      const cut = Buffer.from(file.subarray(0, 20 + length));
      cut.writeUInt32LE(length, 16);
      const picture = await openLossless(streamOf(cut), { width, height });
      const rows = decodeVp8l(workspaceIn(), picture, false);
      await expect(rows.then(collectRows), String(length)).rejects.toMatchObject({ code: "TRUNCATED" });
    }
  });

  it("that is not of the probed size is refused", async () => {
    const raw = { width: 20, height: 10, channels: 3 } as const;
    const file = await sharp(noise(20, 10), { raw }).webp({ lossless: true }).toBuffer();
    const picture = await openLossless(streamOf(file), { width: 20, height: 11 });
    await expect(decodeVp8l(workspaceIn(), picture, false)).rejects.toMatchObject({ code: "CORRUPT" });
  });
});

describe("turns", () => {
  async function turnsFor(file: Uint8Array): Promise<number> {
    let turns = 0;
    const yieldOnce = (): Promise<void> => {
      turns++;
      return Promise.resolve();
    };
    await collectRows(await open(file, { yieldOnce, memory: newMemory(4096), pieceBytes: 50_000 }));
    return turns;
  }

  it("come often enough for the event loop, also before the first row", async () => {
    const raw = { width: 1600, height: 1200, channels: 3 } as const;
    const file = await sharp(noise(1600, 1200), { raw }).webp({ lossless: true, effort: 0 }).toBuffer();
    expect(await turnsFor(file)).toBeGreaterThanOrEqual(3);
    const tiles = smallestTiles(2000, 1500, ["predictor", "cross"]);
    expect(await turnsFor(tiles)).toBeGreaterThan(await turnsFor(smallestTiles(2000, 1500, [])));
  });
});
