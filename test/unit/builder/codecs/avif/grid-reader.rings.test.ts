/** AVIF grids, tile by tile: the pixels of the picture that was cut up, in every depth and layout. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { BuildMemory } from "../../../../../src/builder/memory/build-memory.ts";
import { decodeGrid } from "../../../../../src/builder/codecs/avif/grid-reader.ts";
import { turned as swapped, uprightPath } from "../../../../../src/image/model/orientation.ts";
import type { AvifFacts, Orientation } from "../../../../../src/image/model/facts.ts";
import { planBuild } from "../../../../../src/image/plan/plan.ts";
import { type GridOptions, gridAvif } from "../../../../../scripts/samples/avif/grids.ts";
import { bitmap, build, order, specFor, contextOf } from "../../../../../scripts/harness/builds.ts";
import { cutout, photo, type Picture } from "../../../../../scripts/samples/pictures.ts";
import { property } from "../../../../../scripts/samples/probe/avif.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { type Bitmap, psnr } from "../../../../../scripts/harness/ssim.ts";
import { ofRing, rounds } from "../../../../support/ring.ts";

async function decoded(file: Uint8Array, memory = new BuildMemory(), canvasBytes = 0): Promise<Picture> {
  const facts = probe(file) as AvifFacts;
  expect(facts.grid).not.toBeNull();
  const rows = await decodeGrid(contextOf(file, { facts, memory }), facts, canvasBytes);
  const pieces: Buffer[] = [];
  for (let piece = await rows.next(); piece; piece = await rows.next()) pieces.push(Buffer.from(piece));
  const channels = rows.layout === "rgba" ? 4 : 3;
  const data = Buffer.concat(pieces);
  expect(data.length).toBe(rows.width * rows.height * channels);
  return { width: rows.width, height: rows.height, channels, data };
}

const upright = (file: Buffer): Promise<Bitmap> => bitmap(sharp(file), 3);

function turned(picture: Picture, orientation: Orientation): Bitmap {
  const { start, across, down } = uprightPath(picture, orientation);
  const data = new Uint8Array(picture.data.length);
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const from = (y * picture.width + x) * 3;
      data.set(picture.data.subarray(from, from + 3), (start + x * across + y * down) * 3);
    }
  }
  return { ...swapped(picture, orientation), channels: 3, data };
}

const tiles = { tileWidth: 192, tileHeight: 128 };
/** The order for a grid that is only read. */
const PNG = { format: "png", effort: "quick" } as const;

describe("a grid", () => {
  const kinds: [name: string, options: Partial<GridOptions>, decibels: number][] = [
    ["4:2:0", { subsample: 1 }, 34],
    ["4:2:2", { subsample: 2 }, 35],
    ["4:4:4", { subsample: 3 }, 36],
    ["10 bits", { subsample: 3, bitDepth: 10 }, 36],
    ["12 bits", { subsample: 3, bitDepth: 12 }, 36],
    ["10 bits in 4:2:0", { subsample: 1, bitDepth: 10 }, 34],
    ["data in idat", { inIdat: true }, 34],
    ["wide tables", { heif: { wide: true } }, 34],
    ["data before the tables", { heif: { mdatFirst: true } }, 34],
    ["tiles of odd size in 4:2:0", { tileWidth: 191, tileHeight: 127 }, 34],
    ["one tile", { tileWidth: 501, tileHeight: 333 }, 34],
    ["one row of tiles", { tileHeight: 333 }, 34],
    ["one column of tiles", { tileWidth: 501 }, 34],
  ];
  for (const [name, options, decibels] of ofRing(kinds, 4)) {
    it(`of ${name} gives its picture`, async () => {
      const picture = await photo(501, 333);
      const got = await decoded(gridAvif(picture, { ...tiles, ...options }));
      expect(got).toMatchObject({ width: 501, height: 333, channels: 3 });
      expect(psnr(got, picture)).toBeGreaterThan(decibels);
    });
  }

  it("of gray gives gray", async () => {
    const got = await decoded(gridAvif(await photo(300, 200), { ...tiles, subsample: 0 }));
    let most = 0;
    for (let i = 0; i < got.data.length; i += 3) {
      const [red, green, blue] = [got.data[i]!, got.data[i + 1]!, got.data[i + 2]!];
      most = Math.max(most, Math.abs(red - green) + Math.abs(red - blue));
    }
    expect(most).toBeLessThan(3);
  });

  const alphas = (["grid", "tiles"] as const).flatMap((alpha) =>
    ([8, 10] as const).map((bitDepth) => ({ alpha, bitDepth })),
  );
  for (const { alpha, bitDepth } of ofRing(alphas, 3)) {
    it(`with alpha by ${alpha}, ${bitDepth} bits, keeps both`, async () => {
      const picture = await cutout(400, 300);
      const got = await decoded(gridAvif(picture, { ...tiles, alpha, bitDepth, subsample: 3 }));
      expect(got).toMatchObject({ width: 400, height: 300, channels: 4 });
      expect(psnr(got, picture)).toBeGreaterThan(34);
    });
  }

  it("is cut to its clean aperture, across tiles", async () => {
    const picture = await photo(500, 300);
    const whole = await decoded(gridAvif(picture, tiles));
    for (const crop of [
      [100, 50, 300, 200],
      [192, 128, 192, 128],
      [191, 127, 195, 131],
      [499, 299, 1, 1],
    ] as [number, number, number, number][]) {
      const file = gridAvif(picture, { ...tiles, properties: [property.clap([500, 300], crop)] });
      const [left, top, width, height] = crop;
      const got = await decoded(file);
      expect(got).toMatchObject({ width, height });
      for (let y = 0; y < height; y++) {
        const from = ((top + y) * 500 + left) * 3;
        const row = got.data.subarray(y * width * 3, (y + 1) * width * 3);
        expect(Buffer.compare(row, whole.data.subarray(from, from + width * 3))).toBe(0);
      }
    }
  });

  it("takes its file, a row of tiles and one decoding, whatever its height", async () => {
    const peak = async (height: number): Promise<number> => {
      const memory = new BuildMemory();
      const file = gridAvif(await photo(384, height), { ...tiles, quality: 50 });
      await decoded(file, memory);
      return memory.arena.takePeak() - file.length;
    };
    expect(await peak(1536)).toBeLessThan((await peak(256)) + 65_536);
  });
});

describe("a variant of a grid", () => {
  const ways = [0, 1, 2, 3].flatMap((turns) => [undefined, 0, 1].map((mirror) => ({ turns, mirror })));
  for (const { turns, mirror } of ofRing(ways, 5)) {
    it(`is upright after ${turns} turns and mirror ${mirror}`, async () => {
      const picture = await photo(400, 300);
      const properties = [property.irot(turns), ...(mirror === undefined ? [] : [property.imir(mirror)])];
      const file = gridAvif(picture, { ...tiles, properties });
      const byLibheif = await upright(Buffer.from(file));
      for (const ask of [PNG, { format: "webp", quality: 100 }] as const) {
        const { format } = ask;
        const { spec, masterFacts, bytes } = await build(file, ask);
        expect(spec.width).toBe(turns % 2 ? 300 : 400);
        const got = await upright(bytes);
        expect(psnr(got, turned(picture, masterFacts.orientation))).toBeGreaterThan(
          format === "png" ? 34 : 30,
        );
        expect(psnr(got, byLibheif)).toBeGreaterThan(format === "png" ? 37 : 33);
      }
    });
  }

  it("is made in every format, with alpha and smaller", async () => {
    const picture = await cutout(600, 450);
    const file = gridAvif(picture, { ...tiles, alpha: "grid" });
    for (const format of ["jpeg", "png", "webp", "avif"] as const) {
      const { bytes, spec } = await build(file, { width: 333, format });
      const got = await upright(bytes);
      expect([got.width, got.height]).toEqual([spec.width, spec.height]);
    }
  });
});

describe("the plan of a grid", () => {
  const grids: [name: string, options: Partial<GridOptions>][] = [
    ["4:2:0", {}],
    ["4:4:4", { subsample: 3 }],
    ["10 bits", { subsample: 3, bitDepth: 10 }],
    ["alpha", { alpha: "grid" }],
    ["one tile", { tileWidth: 1000, tileHeight: 700 }],
  ];
  for (const [name, options] of ofRing(grids, 3)) {
    it(`tells what it takes: ${name}`, async () => {
      const picture = await (options.alpha ? cutout(1000, 700) : photo(1000, 700));
      // At this quality, libaom turns the filters on that the plan counts with.
      const file = gridAvif(picture, { tileWidth: 384, tileHeight: 384, quality: 50, ...options });
      // For a cutout at full width, the estimate of the PNG counts for more than the decoder.
      for (const width of options.alpha ? [700, 300] : [1000, 300]) {
        const { facts, predictedBytes } = await build(file, { ...PNG, width });
        expect(predictedBytes).toBeGreaterThan(facts.peakBytes * 0.95);
        // Headers allow a frame more than most frames take, which counts for more in a small picture.
        expect(predictedBytes).toBeLessThan(facts.peakBytes * 1.15 + 655_360);
      }
    });
  }

  it("allows the sizes that it allows a single picture", async () => {
    const file = gridAvif(await photo(400, 300), tiles);
    const size = { width: 8000, height: 6000, codedWidth: 8000, codedHeight: 6000 };
    const grid = { rows: 12, columns: 16, tileWidth: 512, tileHeight: 512 };
    const facts = { ...(probe(file) as AvifFacts), ...size, grid };
    const spec = specFor(facts, { width: 1000, format: "webp" });
    expect(planBuild(facts, 20_000_000, spec)).toMatchObject({ ok: true });
    expect(planBuild({ ...facts, grid: null }, 20_000_000, spec)).toMatchObject({ ok: true });
  });
});

describe("a damaged grid", () => {
  it("fails by name wherever it is truncated", async () => {
    const file = gridAvif(await photo(300, 200), { ...tiles, quality: 50 });
    const facts = probe(file);
    for (let length = 0; length < file.length; length += Math.ceil(file.length / 24)) {
      const answer = await order(file.subarray(0, length), PNG, facts);
      expect(answer).toMatchObject({ ok: false, code: "failed" });
    }
  });

  it("fails by name when a tile claims the bytes of all the others", async () => {
    const file = Buffer.from(gridAvif(await photo(300, 200), { tileWidth: 64, tileHeight: 64, quality: 90 }));
    const facts = probe(file);
    const long = Buffer.concat([file, Buffer.alloc(400_000)]);
    // iloc of the first tile: id 2, method 0, reference 0, one extent, then offset and length.
    const at = long.indexOf(Buffer.from([0, 2, 0, 0, 0, 0, 0, 1]));
    long.writeUInt32BE(400_000, at + 12);
    expect(await order(long, PNG, facts)).toMatchObject({ ok: false, code: "failed" });
  });

  it("fails by name, or gives a picture, with any byte changed", async () => {
    const file = gridAvif(await cutout(300, 200), { ...tiles, quality: 50, alpha: "grid" });
    const facts = probe(file);
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state >>> 8) % below;
    };
    await build(file, PNG, facts);
    for (let round = 0; round < rounds(20, 100); round++) {
      const damaged = Uint8Array.from(file);
      // Two thirds in the tables, which are the first KB or so, the rest in the coded pictures.
      const span = round % 3 ? 1500 : file.length;
      for (let n = 1 + random(4); n > 0; n--) damaged[random(span)] = random(256);
      const answer = await order(damaged, PNG, facts);
      if (answer.ok) await new Response(answer.body).arrayBuffer();
      else expect(answer).toMatchObject({ code: "failed", reason: expect.any(String) as string });
    }
    await build(file, PNG, facts);
  });
});
