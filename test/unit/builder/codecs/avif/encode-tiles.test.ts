/** AVIF stitched from tiles: as good as one encode of the same picture, whatever it shows, without seams. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { Arena } from "../../../../../src/builder/memory/arena.ts";
import { encodeTiles } from "../../../../../src/builder/codecs/avif/encode-tiles.ts";
import { encodeLibaom } from "../../../../../src/builder/codecs/avif/libaom.ts";
import { WorkMeter } from "../../../../../src/builder/scheduling/work-meter.ts";
import { avifOptions, avifTileOptions } from "../../../../../src/image/formats/avif/encoder-options.ts";
import { avifTiling, type Tiling } from "../../../../../src/image/formats/avif/tiling.ts";
import type { AvifFacts } from "../../../../../src/image/model/facts.ts";
import { KINDS, pictureOf } from "../../../../../scripts/samples/avif-pictures.ts";
import { bitmap } from "../../../../../scripts/harness/builds.ts";
import { cutout, type Picture } from "../../../../../scripts/samples/pictures.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { psnr } from "../../../../../scripts/harness/ssim.ts";

type Quality = 80 | 100;

const chromaOf = (quality: Quality): "420" | "444" => (quality === 80 ? "420" : "444");

const arena = new Arena();

const tilingOf = (size: { width: number; height: number }, side: number): Tiling =>
  avifTiling(size, (width, height) => width * height, side * side);

function paint({ data }: Picture): void {
  arena.reset();
  const { pointer, length } = arena.canvas(data.length);
  arena.bytes({ pointer, length }).set(data);
}

async function inTiles(picture: Picture, quality: Quality, tiling: Tiling): Promise<Buffer> {
  paint(picture);
  const pieces = await encodeTiles(arena, {
    size: picture,
    layout: picture.channels === 4 ? "rgba" : "rgb",
    settings: {
      colour: avifTileOptions(quality, chromaOf(quality)),
      alpha: avifTileOptions(quality, "alpha"),
    },
    tiling,
    keep: (tile) => Uint8Array.from(tile),
    work: new WorkMeter(),
  });
  return Buffer.concat(pieces);
}

function atOnce(picture: Picture, quality: Quality): Buffer {
  paint(picture);
  return Buffer.from(encodeLibaom(arena, picture, avifOptions(quality, chromaOf(quality))));
}

const decode = (file: Buffer): Promise<Picture> => bitmap(sharp(file), 4) as Promise<Picture>;

/** Mean error within two pixels of the tiles' edges, over that of all other pixels. */
function seams(got: Picture, picture: Picture, { columns, rows }: Tiling): number {
  const near = (sizes: readonly number[]): Set<number> => {
    let end = 0;
    const edges = sizes.slice(0, -1).map((size) => (end += size));
    return new Set(edges.flatMap((edge) => [edge - 2, edge - 1, edge, edge + 1]));
  };
  const [nearX, nearY] = [near(columns), near(rows)];
  const sums = { at: { error: 0, count: 0 }, off: { error: 0, count: 0 } };
  for (let i = 0; i < picture.data.length; i += 4) {
    const [x, y] = [(i / 4) % picture.width, Math.floor(i / 4 / picture.width)];
    const sum = nearX.has(x) || nearY.has(y) ? sums.at : sums.off;
    for (let c = 0; c < 3; c++) sum.error += Math.abs(got.data[i + c]! - picture.data[i + c]!);
    sum.count += 3;
  }
  return sums.at.error / sums.at.count / (sums.off.error / sums.off.count);
}

describe("tiles that are joined to one frame", () => {
  for (const kind of KINDS) {
    for (const [width, height] of [
      [640, 512],
      [701, 403],
    ] as const) {
      it(`show ${kind}, ${width} x ${height}, as one encode does`, async () => {
        const picture = await pictureOf(kind, width, height);
        const tiling = tilingOf(picture, 256);
        expect(tiling.columns.length * tiling.rows.length).toBeGreaterThan(3);
        for (const quality of [80, 100] as const) {
          const file = await inTiles(picture, quality, tiling);
          const [tiled, whole] = [await decode(file), await decode(atOnce(picture, quality))];
          expect([tiled.width, tiled.height]).toEqual([width, height]);
          expect(psnr(tiled, picture)).toBeGreaterThan(psnr(whole, picture) - 0.5);
          expect(seams(tiled, picture, tiling)).toBeLessThan(seams(whole, picture, tiling) * 1.1 + 0.01);
          const facts = probe(file) as AvifFacts;
          expect(facts).toMatchObject({
            width,
            height,
            grid: null,
            frames: 1,
            hasAlpha: false,
            profile: "none",
          });
          expect(facts.chroma).toBe(chromaOf(quality));
        }
      });
    }
  }

  it("leave no seam in a photograph at q 80", async () => {
    for (const seed of [1, 2, 3]) {
      const picture = await pictureOf("photo", 901, 700, seed);
      const tiling = tilingOf(picture, 256);
      expect(seams(await decode(await inTiles(picture, 80, tiling)), picture, tiling)).toBeLessThan(1.1);
    }
  });

  it("are joined whatever each of them shows", async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const kind = KINDS[seed % KINDS.length]!;
      const size = { width: 300 + seed * 37, height: 500 - seed * 11 };
      const picture = await pictureOf(kind, size.width, size.height, seed);
      // Half of it flat: the tiles there have nothing in common with the others.
      picture.data.fill(255, 0, Math.floor(size.height / 2) * size.width * 4);
      const file = await inTiles(picture, seed % 2 ? 80 : 100, tilingOf(size, 256));
      await expect(decode(file)).resolves.toMatchObject(size);
    }
  });

  it("keep alpha, and omit it for an opaque picture", async () => {
    const picture = await cutout(501, 403);
    const tiling = tilingOf(picture, 256);
    for (const quality of [80, 100] as const) {
      const file = await inTiles(picture, quality, tiling);
      expect(probe(file)).toMatchObject({ hasAlpha: true });
      const [tiled, whole] = [await decode(file), await decode(atOnce(picture, quality))];
      for (const [from, channels] of [
        [0, 3],
        [3, 1],
      ] as const) {
        const only = (of: Picture) => plane(of, from, channels);
        expect(psnr(only(tiled), only(picture))).toBeGreaterThan(psnr(only(whole), only(picture)) - 0.5);
      }
    }
    const opaque = await pictureOf("photo", 300, 200);
    expect(probe(await inTiles(opaque, 80, tilingOf(opaque, 256)))).toMatchObject({ hasAlpha: false });
  });

  it("may be a single one, or a strip of them", async () => {
    for (const [width, height] of [
      [100, 80],
      [1, 1],
      [90, 3000],
      [3000, 17],
    ] as const) {
      const picture = await pictureOf("noise", width, height);
      expect(await decode(await inTiles(picture, 80, tilingOf(picture, 256)))).toMatchObject({
        width,
        height,
      });
    }
  });
});

function plane({ width, height, data }: Picture, from: number, channels: 1 | 3) {
  const out = new Uint8Array(width * height * channels);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < channels; c++) out[i * channels + c] = data[i * 4 + from + c]!;
  }
  return { width, height, channels, data: out };
}

describe("a tiling", () => {
  const area = (width: number, height: number): number => width * height;

  it("covers the picture in whole superblocks but for the last", () => {
    for (let width = 1; width < 9000; width = Math.ceil(width * 1.31)) {
      for (let height = 1; height < 33_000; height = Math.ceil(height * 1.37)) {
        const { columns, rows } = avifTiling({ width, height }, area, 1024 ** 2);
        for (const [sizes, length] of [
          [columns, width],
          [rows, height],
        ] as const) {
          expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(length);
          expect(sizes.slice(0, -1).every((size) => size % 128 === 0)).toBe(true);
          expect(Math.min(...sizes)).toBeGreaterThan(0);
        }
        expect(Math.max(...columns) * Math.max(...rows)).toBeLessThanOrEqual(1024 ** 2);
      }
    }
  });

  it("is finer if there is less memory", () => {
    const size = { width: 4000, height: 4000 };
    const count = (room: number): number => avifTiling(size, area, room).columns.length;
    expect([1024 ** 2, 768 ** 2, 512 ** 2, 1].map(count)).toEqual([4, 6, 8, 16]);
  });
});
