/** AVIF masters by our own decoder: the pixels that libaom and libavif make of the same files, within rounding. */
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeAvif } from "../../../../../src/builder/codecs/avif/decode.ts";
import { AvifFile } from "../../../../../src/builder/codecs/avif/decoder/avif-file.ts";
import { Av1DecodeError } from "../../../../../src/builder/codecs/avif/decoder/errors.ts";
import { decodeGrid } from "../../../../../src/builder/codecs/avif/grid-reader.ts";
import { decodeLibaom } from "../../../../../src/builder/codecs/avif/libaom.ts";
import type { RowSource } from "../../../../../src/builder/pixels/row-source.ts";
import { BuildMemory } from "../../../../../src/builder/memory/build-memory.ts";
import { avifFallbackBytes } from "../../../../../src/image/formats/avif/decoder-memory.ts";
import { avifStillBytes } from "../../../../../src/image/formats/avif/row-decoder-memory.ts";
import type { AvifFacts } from "../../../../../src/image/model/facts.ts";
import type { Rect } from "../../../../../src/image/geometry/size.ts";
import { contextOf } from "../../../../../scripts/harness/builds.ts";
import { collectRows, type Picture as Rows } from "../../../../../scripts/harness/png-rows.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { encodeTile, gridAvif } from "../../../../../scripts/samples/avif/grids.ts";
import {
  codedPicture,
  gridPayload,
  heif,
  type Item,
  property,
} from "../../../../../scripts/samples/probe/avif.ts";
import { cutout, photo } from "../../../../../scripts/samples/pictures.ts";
import { ofRing, rounds } from "../../../../support/ring.ts";

const ARENA_BYTES = 200_000_000;

/** Decodes a file by our decoder. It throws where the file would be left to libaom. */
async function byOurs(file: Uint8Array, part: Rect | null = null): Promise<Rows> {
  const facts = probe(file) as AvifFacts;
  const read = await AvifFile.read(contextOf(file, { facts, memory: new BuildMemory(ARENA_BYTES) }));
  return collectRows(await read.open(facts, part, ARENA_BYTES));
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
  // By depth, so that each fifth still has each depth.
  const stills = ([8, 10, 12] as const).flatMap((bitdepth) =>
    ["4:2:0", "4:4:4"].flatMap((chromaSubsampling) =>
      [30, 85].map((quality) => ({ chromaSubsampling, bitdepth, quality })),
    ),
  );
  for (const { chromaSubsampling, bitdepth, quality } of ofRing(stills, 5)) {
    it(`in ${chromaSubsampling} of ${bitdepth} bits at q ${quality} is what libaom makes of it`, async () => {
      const picture = await photo(231, 167);
      const options = { chromaSubsampling, bitdepth, quality, effort: 2 };
      const file = await sharp(picture.data, raw(picture)).avif(options).toBuffer();
      expect(mostDifference(await byOurs(file), await byLibaom(file))).toBeLessThanOrEqual(1);
    });
  }

  it("without loss is what libaom makes of it", async () => {
    const picture = await photo(100, 70);
    const file = await sharp(picture.data, raw(picture)).avif({ lossless: true }).toBuffer();
    expect(mostDifference(await byOurs(file), await byLibaom(file))).toBe(0);
  });

  it("without the property `pixi` is shown, as browsers show it", async () => {
    const picture = await photo(100, 70);
    const file = await sharp(picture.data, raw(picture)).avif().toBuffer();
    const { av1C, data } = codedPicture(file);
    const bare = heif([{ type: "av01", data, properties: [property.ispe(100, 70), av1C] }]);
    expect(Buffer.from(bare).includes("pixi")).toBe(false);
    expect(mostDifference(await byOurs(bare), await byLibaom(file))).toBeLessThanOrEqual(1);
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

describe("an AVIF of libaom's command", () => {
  for (const name of ["block-copy", "block-copy-tiles", "super-resolution", "matrices"]) {
    it(`is what libaom makes of it, within the memory that was planned for it: ${name}`, async () => {
      const file = readFileSync(`test/fixtures/avif/${name}.avif`);
      const facts = probe(file) as AvifFacts;
      const memory = new BuildMemory();
      const got = await collectRows(await decodeAvif(contextOf(file, { facts, memory }), facts, 0));
      expect(mostDifference(got, await byLibaom(file))).toBeLessThanOrEqual(1);
      const [planned, taken] = [avifStillBytes(facts, file.length), memory.arena.takePeak()];
      expect(taken).toBeLessThanOrEqual(planned);
      // How far super-resolution enlarges is not known before it is decoded.
      expect(planned).toBeLessThan(taken * (facts.needs?.colour.isEnlarged ? 1.2 : 1.1));
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

  it("is not left to libaom where the isolate has no room for the file twice", async () => {
    const file = gridAvif(await photo(301, 200), { tileWidth: 151, tileHeight: 101 });
    const facts = probe(file) as AvifFacts;
    const memory = new BuildMemory();
    const { resampler, rowCodec } = memory.memoryBytes;
    memory.budgetBytes = avifFallbackBytes(facts, file.length) + file.length + resampler + rowCodec - 1;
    const decoded = decodeAvif(contextOf(file, { facts, memory }), facts, 0);
    await expect(decoded).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});

describe("a grid that has a cell of an unsupported kind below its first row", () => {
  /** Returns a grid of two rows of one cell, whose second one has full chroma. */
  async function mixedGrid(): Promise<Uint8Array> {
    const picture = await photo(128, 256);
    const size = { tileWidth: 128, tileHeight: 128 };
    const cell = async (top: number, subsample: 1 | 3): Promise<Item> => {
      const part = { left: 0, top, width: 128, height: 128 };
      const pixels = await sharp(picture.data, raw(picture)).extract(part).ensureAlpha().raw().toBuffer();
      const { av1C, data } = codedPicture(encodeTile(pixels, 128, 128, { ...size, subsample }));
      return { type: "av01", data, properties: [property.ispe(128, 128), av1C] };
    };
    const payload = { data: gridPayload(2, 1, 128, 256), inIdat: true };
    const grid: Item = { type: "grid", ...payload, dimg: [2, 3], properties: [property.ispe(128, 256)] };
    return heif([grid, await cell(0, 1), await cell(128, 3)]);
  }

  it("is left to libaom from its first row on", async () => {
    const file = await mixedGrid();
    await expect(byOurs(file)).rejects.toMatchObject({ code: "UNSUPPORTED" });
    const facts = probe(file) as AvifFacts;
    const got = await collectRows(await decodeAvif(contextOf(file, { facts }), facts, 0));
    expect(mostDifference(got, await byLibaom(file))).toBe(0);
  });

  it("fails by name when that cell is damaged", async () => {
    const file = Buffer.from(gridAvif(await photo(128, 256), { tileWidth: 128, tileHeight: 128 }));
    const facts = probe(file) as AvifFacts;
    // The sequence header of the second cell: a temporal delimiter, and then a profile that there is not.
    const second = file.lastIndexOf(Buffer.from([0x12, 0x00, 0x0a]));
    file[second + 4] = 0xff;
    await expect(decodeAvif(contextOf(file, { facts }), facts, 0)).rejects.toMatchObject({ code: "CORRUPT" });
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
    for (let i = 0; i < 60; i += rounds(3, 1)) {
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
