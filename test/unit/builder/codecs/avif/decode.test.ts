/** AVIF masters by our own decoder: the pixels that libaom and libavif make of the same files, within rounding. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeAvif } from "../../../../../src/builder/codecs/avif/decode.ts";
import { AvifFile } from "../../../../../src/builder/codecs/avif/decoder/avif-file.ts";
import { Av1DecodeError } from "../../../../../src/builder/codecs/avif/decoder/errors.ts";
import { decodeGrid } from "../../../../../src/builder/codecs/avif/grid-reader.ts";
import { decodeLibaom } from "../../../../../src/builder/codecs/avif/libaom.ts";
import type { RowSource } from "../../../../../src/builder/pixels/row-source.ts";
import { BuildMemory } from "../../../../../src/builder/memory/build-memory.ts";
import type { AvifFacts } from "../../../../../src/image/model/facts.ts";
import type { Rect } from "../../../../../src/image/geometry/size.ts";
import { contextOf } from "../../../../../scripts/harness/builds.ts";
import { collectRows, type Picture as Rows } from "../../../../../scripts/harness/png-rows.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { gridAvif } from "../../../../../scripts/samples/avif/grids.ts";
import { cutout, photo } from "../../../../../scripts/samples/pictures.ts";

const ARENA_BYTES = 200_000_000;

/** Decodes a file by our decoder. It throws where the file would be left to libaom. */
async function byOurs(file: Uint8Array, part: Rect | null = null): Promise<Rows> {
  const facts = probe(file) as AvifFacts;
  const read = await AvifFile.read(contextOf(file, { facts, memory: new BuildMemory(ARENA_BYTES) }));
  return collectRows(read.open(facts, part, ARENA_BYTES));
}

async function byLibaom(file: Uint8Array): Promise<Rows> {
  const facts = probe(file) as AvifFacts;
  const context = contextOf(file, { facts, memory: new BuildMemory(ARENA_BYTES) });
  const rows: RowSource = facts.grid
    ? await decodeGrid(context, facts, 0)
    : await decodeLibaom(context, facts);
  return collectRows(rows);
}

function mostDifference(a: Rows, b: Rows): number {
  expect([a.width, a.height, a.layout]).toEqual([b.width, b.height, b.layout]);
  expect(a.data.length).toBe(b.data.length);
  return a.data.reduce((most, value, i) => Math.max(most, Math.abs(value - b.data[i]!)), 0);
}

const raw = ({ width, height, channels }: { width: number; height: number; channels: 1 | 2 | 3 | 4 }) => ({
  raw: { width, height, channels },
});

describe("an AVIF still", () => {
  for (const chromaSubsampling of ["4:2:0", "4:4:4"]) {
    for (const bitdepth of [8, 10, 12] as const) {
      for (const quality of [30, 85]) {
        it(`in ${chromaSubsampling} of ${bitdepth} bits at q ${quality} is what libaom makes of it`, async () => {
          const picture = await photo(231, 167);
          const options = { chromaSubsampling, bitdepth, quality, effort: 2 };
          const file = await sharp(picture.data, raw(picture)).avif(options).toBuffer();
          expect(mostDifference(await byOurs(file), await byLibaom(file))).toBeLessThanOrEqual(1);
        });
      }
    }
  }

  it("without loss is what libaom makes of it", async () => {
    const picture = await photo(100, 70);
    const file = await sharp(picture.data, raw(picture)).avif({ lossless: true }).toBuffer();
    expect(mostDifference(await byOurs(file), await byLibaom(file))).toBe(0);
  });

  it("in gray is gray", async () => {
    const picture = await photo(100, 70);
    const file = await sharp(picture.data, raw(picture)).grayscale().avif().toBuffer();
    expect(mostDifference(await byOurs(file), await byLibaom(file))).toBeLessThanOrEqual(1);
  });

  it("with alpha keeps it", async () => {
    const picture = await cutout(160, 120);
    const file = await sharp(picture.data, raw(picture)).avif({ quality: 70 }).toBuffer();
    const got = await byOurs(file);
    expect(got.layout).toBe("rgba");
    expect(mostDifference(got, await byLibaom(file))).toBeLessThanOrEqual(1);
  });

  for (const part of [
    { left: 0, top: 0, width: 40, height: 30 },
    { left: 51, top: 67, width: 101, height: 90 },
    { left: 230, top: 166, width: 1, height: 1 },
  ]) {
    it(`is cut to ${part.width} x ${part.height} at ${part.left}, ${part.top}`, async () => {
      const picture = await photo(231, 167);
      const file = await sharp(picture.data, raw(picture)).avif({ chromaSubsampling: "4:2:0" }).toBuffer();
      const whole = await byOurs(file);
      const got = await byOurs(file, part);
      const expected = Array.from({ length: part.height }, (_, y) => {
        const from = ((part.top + y) * whole.width + part.left) * 3;
        return whole.data.subarray(from, from + part.width * 3);
      });
      expect(Buffer.from(got.data).equals(Buffer.concat(expected))).toBe(true);
    });
  }
});

describe("an AVIF grid", () => {
  const tiles = { tileWidth: 192, tileHeight: 128 };

  for (const options of [{ subsample: 3 }, { subsample: 0 }, { subsample: 3, bitDepth: 10 }] as const) {
    it(`${JSON.stringify(options)} is what libaom makes of its tiles`, async () => {
      const file = gridAvif(await photo(501, 333), { ...tiles, ...options });
      expect(mostDifference(await byOurs(file), await byLibaom(file))).toBeLessThanOrEqual(1);
    });
  }

  it("in 4:2:0 has no seams: it is nearer to the picture at the borders of tiles than its tiles are", async () => {
    const picture = await photo(400, 300);
    const file = gridAvif(picture, { tileWidth: 64, tileHeight: 64, subsample: 1, quality: 95 });
    const errorOf = ({ data }: Rows): number => {
      let sum = 0;
      for (let y = 0; y < 300; y++) {
        for (const x of [63, 64, 127, 128, 191, 192]) {
          for (let c = 0; c < 3; c++)
            sum += (data[(y * 400 + x) * 3 + c]! - picture.data[(y * 400 + x) * 3 + c]!) ** 2;
        }
      }
      return sum;
    };
    expect(errorOf(await byOurs(file))).toBeLessThan(errorOf(await byLibaom(file)));
  });

  for (const alpha of ["grid", "tiles"] as const) {
    it(`with alpha by ${alpha} keeps it`, async () => {
      const file = gridAvif(await cutout(400, 300), { ...tiles, alpha, subsample: 3 });
      expect(mostDifference(await byOurs(file), await byLibaom(file))).toBeLessThanOrEqual(1);
    });
  }

  it("of odd tiles in 4:2:0 is left to libaom", async () => {
    const file = gridAvif(await photo(301, 200), { tileWidth: 151, tileHeight: 101 });
    await expect(byOurs(file)).rejects.toMatchObject({ code: "UNSUPPORTED" });
    const facts = probe(file) as AvifFacts;
    const got = await collectRows(await decodeAvif(contextOf(file, { facts }), facts, 0));
    expect(mostDifference(got, await byLibaom(file))).toBe(0);
  });
});

describe("a damaged AVIF", () => {
  it("fails by name wherever it is truncated, and reads nothing outside of it", async () => {
    const picture = await photo(120, 90);
    const file = await sharp(picture.data, raw(picture)).avif({ quality: 60 }).toBuffer();
    const facts = probe(file) as AvifFacts;
    let failed = 0;
    for (let bytes = file.length - 1; bytes > file.length / 2; bytes -= 61) {
      const cut = Buffer.concat([file.subarray(0, bytes), Buffer.alloc(0)]);
      const context = contextOf(cut, { facts });
      const rows = decodeAvif(context, facts, 0).then(collectRows);
      await rows.catch((error: unknown) => {
        failed++;
        expect((error as Error).name).toMatch(/Av1DecodeError|InvalidImageError/);
      });
    }
    expect(failed).toBeGreaterThan(3);
  });

  it("of changed bytes gives a picture or an error of ours", async () => {
    const picture = await photo(90, 70);
    const file = await sharp(picture.data, raw(picture)).avif({ quality: 60 }).toBuffer();
    const facts = probe(file) as AvifFacts;
    for (let i = 0; i < 60; i++) {
      const copy = Uint8Array.from(file);
      copy[Math.floor(file.length * (0.4 + i / 101))] = (i * 89) & 255;
      const rows = decodeAvif(contextOf(copy, { facts }), facts, 0).then(collectRows);
      await rows.then(
        ({ width, height }) => expect([width, height]).toEqual([90, 70]),
        (error: unknown) => expect(error).toBeInstanceOf(Av1DecodeError),
      );
    }
  });
});
