/** Masters of which parts are read a second time, beside the stream: large interlaced PNGs. */
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type Patience, readAgainBy } from "../../../../src/builder/streams/range-reader.ts";
import { openSource, SourceLost } from "../../../../src/builder/streams/source.ts";
import { take } from "../../../../scripts/harness/builds.ts";
import type { ReadRange } from "../../../../src/image/protocol/build.ts";
import type { PngFacts } from "../../../../src/image/model/facts.ts";
import { decodesPassesInParallel } from "../../../../src/image/formats/png/memory.ts";
import {
  askedOrder,
  bitmap,
  build,
  order,
  piecesOf,
  rangesOf,
  streamOf,
} from "../../../../scripts/harness/builds.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { psnr } from "../../../../scripts/harness/ssim.ts";

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i);

async function read(
  readRange: ReadRange,
  from: number,
  end: number,
  { stallMs = 10_000, signal = new AbortController().signal }: Partial<Patience> = {},
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readAgainBy(readRange, 128, { stallMs, signal })(from, end))
    pieces.push(piece.slice());
  return pieces;
}

describe("reading again", () => {
  it("gives the bytes from one place to another, in pieces", async () => {
    const pieces = await read(rangesOf(bytes), 100, 500);
    expect(pieces.map(({ length }) => length)).toEqual([128, 128, 128, 16]);
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytes.subarray(100, 500)));
    expect(await read(rangesOf(bytes), 100, 100)).toEqual([]);
  });

  it("stops when the source is closed", async () => {
    const source = openSource(piecesOf(bytes), bytes.length, { readRange: () => never });
    const reading = source.readAgain!(0, 500)[Symbol.asyncIterator]().next();
    await source.close();
    await expect(reading).rejects.toBeInstanceOf(SourceLost);
  });

  const never = new Promise<never>(() => undefined);
  it.each<[string, ReadRange]>([
    ["is gone", () => Promise.resolve(null)],
    ["cannot be read", () => Promise.reject(new Error("Network connection lost."))],
    ["is shorter than it was", () => Promise.resolve(streamOf(bytes.subarray(0, 100)))],
    ["does not come", () => never],
    ["stalls", () => Promise.resolve(new ReadableStream({ type: "bytes", pull: () => never }))],
  ])("is a loss when the master %s", async (_, readRange) => {
    await expect(read(readRange, 0, 500, { stallMs: 20 })).rejects.toBeInstanceOf(SourceLost);
  });
});

describe("a large interlaced PNG", () => {
  let file: Buffer;
  let decoded: Sharp;
  beforeAll(async () => {
    const noise = { type: "gaussian" as const, mean: 128, sigma: 3 };
    const create = { width: 2600, height: 2301, channels: 3 as const, background: "#000", noise };
    const spot = Buffer.from(
      '<svg width="2600" height="2301"><circle cx="900" cy="700" r="600" fill="#d33"/></svg>',
    );
    const picture = sharp({ create })
      .composite([{ input: spot }])
      .removeAlpha();
    file = await picture.png({ progressive: true, compressionLevel: 1 }).toBuffer();
    const { data, width, height } = await bitmap(sharp(file), 3);
    decoded = sharp(data, { raw: { width, height, channels: 3 } });
  });

  it("is built as sharp reads it, in memory that its height does not matter to", async () => {
    expect(decodesPassesInParallel(probe(file) as PngFacts)).toBe(true);
    const {
      bytes: variant,
      facts,
      predictedBytes,
    } = await build(file, { width: 650, format: "png", effort: "quick" });
    const expected = await bitmap(decoded.clone().resize(650), 3);
    expect(psnr(await bitmap(sharp(variant), 3), expected)).toBeGreaterThan(40);
    expect(facts.peakBytes).toBeLessThanOrEqual(predictedBytes * 1.05);
    expect(facts.peakBytes).toBeLessThan(10e6);
  });

  it.each(["webp", "avif", "jpeg"] as const)("becomes %s too", async (format) => {
    const { bytes: variant } = await build(file, { width: 300, format });
    const expected = await bitmap(decoded.clone().resize(300), 3);
    expect(psnr(await bitmap(sharp(variant), 3), expected)).toBeGreaterThan(30);
  });

  it("is lost when it is removed on the way, and built by the next try", async () => {
    const whole = askedOrder(file, { width: 300, format: "png" });
    let reads = 0;
    const removed: ReadRange = (...range) => (++reads > 4 ? Promise.resolve(null) : rangesOf(file)(...range));
    let disposed = 0;
    const disposable = Object.assign(removed, { [Symbol.dispose]: () => (disposed += 1) });
    await expect(take(whole, file, { readRange: disposable })).rejects.toBeInstanceOf(SourceLost);
    expect(disposed).toBeGreaterThan(0);
    expect(await order(file, { width: 300, format: "png" })).toMatchObject({ ok: true });
  });
});
