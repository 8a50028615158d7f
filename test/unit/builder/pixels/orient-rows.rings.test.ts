/** Pictures that are turned between decoder and encoder, against sharp's autoOrient. */
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { Arena } from "../../../../src/builder/memory/arena.ts";
import type { RowSource } from "../../../../src/builder/pixels/row-source.ts";
import { RowShortageError } from "../../../../src/builder/scheduling/row-errors.ts";
import { WorkMeter } from "../../../../src/builder/scheduling/work-meter.ts";
import { uprightRows } from "../../../../src/builder/pixels/orient-rows.ts";
import type { Orientation } from "../../../../src/image/model/facts.ts";
import { planesOf, STRIP_ROWS } from "../../../../src/image/memory/planes.ts";
import { CHANNELS_OF, type RowLayout } from "../../../../src/image/memory/rows.ts";
import { photo } from "../../../../scripts/samples/pictures.ts";
import { pngChunk } from "../../../../scripts/samples/png-writer.ts";
import { exifBlock } from "../../../../scripts/samples/probe/bytes.ts";
import { randomOf } from "../../../../scripts/samples/random.ts";
import { rounds } from "../../../support/ring.ts";

interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

const ORIENTATIONS = [2, 3, 4, 5, 6, 7, 8] as const;
const LAYOUTS = ["gray", "gray-alpha", "rgb", "rgba"] as const;
const work = new WorkMeter(() => Promise.resolve());

function noise(width: number, height: number, channels: number): Pixels {
  const random = randomOf(width * 31 + height);
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height * channels }, () => random() * 256),
  };
}

/** Returns rows of `pixels` in batches of so many, each gone when the next is asked for. */
function sourceOf({ width, height, data }: Pixels, layout: RowLayout, batchRows: number): RowSource {
  const rowBytes = width * CHANNELS_OF[layout];
  const batch = new Uint8Array(batchRows * rowBytes);
  let at = 0;
  return {
    ...{ width, height, layout },
    next() {
      if (at >= data.length) return Promise.resolve(null);
      const rows = data.subarray(at, at + batch.length);
      at += rows.length;
      batch.fill(0).set(rows);
      return Promise.resolve(batch.subarray(0, rows.length));
    },
  };
}

async function upright(
  pixels: Pixels,
  layout: RowLayout,
  orientation: Orientation,
  { isHalved = false, batchRows = 3, arena = new Arena() } = {},
): Promise<Pixels> {
  const rows = await uprightRows(arena, sourceOf(pixels, layout, batchRows), orientation, isHalved, work);
  const parts: Uint8Array[] = [];
  for (let some = await rows.next(); some; some = await rows.next()) parts.push(some.slice());
  return { width: rows.width, height: rows.height, data: Buffer.concat(parts) };
}

/** Where a PNG may have its second chunk. */
const AFTER_IHDR = 33;

async function bySharp(
  { width, height, data }: Pixels,
  layout: RowLayout,
  orientation: Orientation,
): Promise<Pixels> {
  const channels = CHANNELS_OF[layout] as 1 | 2 | 3 | 4;
  const plain = await sharp(data, { raw: { width, height, channels } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const exif = pngChunk("eXIf", exifBlock(orientation));
  const png = Buffer.concat([plain.subarray(0, AFTER_IHDR), exif, plain.subarray(AFTER_IHDR)]);
  const raw = sharp(png).autoOrient().toColourspace("srgb").ensureAlpha().raw();
  const turned = await raw.toBuffer({ resolveWithObject: true });
  const kept = channels < 3 ? [0, 3].slice(0, channels) : [0, 1, 2, 3].slice(0, channels);
  const bytes = Buffer.alloc((turned.data.length / 4) * channels);
  let to = 0;
  for (let at = 0; at < turned.data.length; at += 4) for (const c of kept) bytes[to++] = turned.data[at + c]!;
  return { width: turned.info.width, height: turned.info.height, data: bytes };
}

/** Returns JFIF 1.02, and the mean of chroma over each two by two of the picture. */
function withHalvedChroma({ width, height, data }: Pixels, channels: number): Uint8Array {
  const luma = (at: number): number => 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  const out = Uint8Array.from(data);
  for (let top = 0; top < height; top += 2) {
    for (let left = 0; left < width; left += 2) {
      const cell: number[] = [];
      for (let y = top; y < Math.min(top + 2, height); y++) {
        for (let x = left; x < Math.min(left + 2, width); x++) cell.push((y * width + x) * channels);
      }
      const mean = (of: (at: number) => number): number =>
        cell.reduce((sum, at) => sum + of(at), 0) / cell.length;
      const cb = mean((at) => (data[at + 2]! - luma(at)) / 1.772);
      const cr = mean((at) => (data[at]! - luma(at)) / 1.402);
      for (const at of cell) {
        const y = luma(at);
        const colours = [y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb];
        colours.forEach((value, c) => (out[at + c] = Math.min(Math.max(Math.round(value), 0), 255)));
      }
    }
  }
  return out;
}

const mostSteps = (a: Uint8Array, b: Uint8Array): number =>
  a.length === b.length ? a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0) : Infinity;

const SIZES = fc.record({
  width: fc.integer({ min: 1, max: 41 }),
  height: fc.integer({ min: 1, max: 41 }),
  orientation: fc.constantFrom(...ORIENTATIONS),
  batchRows: fc.integer({ min: 1, max: 9 }),
});

describe("planes of all channels", () => {
  for (const layout of LAYOUTS) {
    it(`turn ${layout} without loss`, async () => {
      await fc.assert(
        fc.asyncProperty(SIZES, async ({ width, height, orientation, batchRows }) => {
          const pixels = noise(width, height, CHANNELS_OF[layout]);
          const ours = await upright(pixels, layout, orientation, { batchRows });
          expect(ours).toEqual(await bySharp(pixels, layout, orientation));
        }),
        { numRuns: rounds(15, 60) },
      );
    });
  }
});

describe("planes with chroma halved", () => {
  for (const layout of ["rgb", "rgba"] as const) {
    const channels = CHANNELS_OF[layout];
    it(`give ${layout} back with chroma averaged over pairs of the upright picture`, async () => {
      await fc.assert(
        fc.asyncProperty(SIZES, async ({ width, height, orientation, batchRows }) => {
          const pixels = noise(width, height, channels);
          const ours = await upright(pixels, layout, orientation, { isHalved: true, batchRows });
          const theirs = await bySharp(pixels, layout, orientation);
          expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height]);
          expect(mostSteps(ours.data, withHalvedChroma(theirs, channels))).toBeLessThanOrEqual(3);
        }),
        { numRuns: rounds(30, 150) },
      );
    });
  }

  it("keep grays and flat colours", async () => {
    for (const colour of [[0, 0, 0], [255, 255, 255], [93, 93, 93], [200, 40, 90], [0, 0, 255], [255, 0, 0]]) {
      const data = Uint8Array.from({ length: 21 * 13 * 3 }, (_, i) => colour[i % 3]!);
      const ours = await upright({ width: 21, height: 13, data }, "rgb", 6, { isHalved: true });
      const isGray = new Set(colour).size === 1;
      expect(mostSteps(ours.data, data)).toBeLessThanOrEqual(isGray ? 0 : 1);
    }
  }); // prettier-ignore

  it("lose hardly more of a photograph than its own subsampling did", async () => {
    const { width, height, data } = await photo(641, 427);
    const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90 })
      .toBuffer();
    const pixels = { width, height, data: await sharp(jpeg).raw().toBuffer() };
    for (const orientation of ORIENTATIONS) {
      const ours = await upright(pixels, "rgb", orientation, { isHalved: true });
      const theirs = await bySharp(pixels, "rgb", orientation);
      const squares = ours.data.reduce((sum, value, i) => sum + (value - theirs.data[i]!) ** 2, 0);
      expect(10 * Math.log10(255 ** 2 / (squares / ours.data.length))).toBeGreaterThan(40);
    }
  });
});

it("takes the bytes of the arena that were planned, beside a decoder that keeps its own", async () => {
  for (const isHalved of [false, true]) {
    for (const layout of ["rgb", "rgba"] as const) {
      const arena = new Arena();
      const decoderBytes = 5000;
      new Uint8Array(arena.lend().buffer).fill(7, 0, decoderBytes);
      arena.lent(decoderBytes);
      const pixels = noise(173, 2 * STRIP_ROWS + 5, CHANNELS_OF[layout]);
      await upright(pixels, layout, 7, { isHalved, arena });
      const { bytes } = planesOf(pixels, layout, 7, isHalved);
      expect(arena.takePeak() - decoderBytes).toBeLessThan(bytes + 16);
      expect(new Uint8Array(arena.memory.buffer, 0, decoderBytes).every((value) => value === 7)).toBe(true);
      expect(
        new Uint8Array(arena.memory.buffer).subarray(arena.usedBytes).every((value) => value === 0),
      ).toBe(true);
    }
  }
});

it("gives the event loop turns, and rows only when all have come", async () => {
  let turns = 0;
  const counted = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  const pixels = noise(2000, 3000, 1);
  const rows = await uprightRows(new Arena(), sourceOf(pixels, "gray", 40), 6, false, new WorkMeter(counted));
  expect(turns).toBeGreaterThan(0);
  const before = turns;
  while (await rows.next());
  expect(turns).toBeGreaterThan(before);
  const short = { ...sourceOf(pixels, "gray", 40), height: 3001 };
  await expect(uprightRows(new Arena(), short, 6, false, work)).rejects.toThrow(RowShortageError);
});
