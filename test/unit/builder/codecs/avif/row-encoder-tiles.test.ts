/** AVIF of several tiles: decoders see the planes that the encoder predicts from, at every place of the edges. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { tilesOf } from "../../../../../src/builder/codecs/avif/av1-tiles.ts";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import type { RowAvifOptions } from "../../../../../src/image/formats/avif/encoder-options.ts";
import {
  newMemory,
  type Picture,
  psnr,
  rowsOf,
  workspaceIn,
} from "../../../../../scripts/harness/png-rows.ts";
import { reconstruct, reconstructAlpha } from "../../../../../scripts/harness/av1-reconstruction.ts";
import { palettePicture } from "../../../../../scripts/samples/palette-pictures.ts";
import { picture } from "../../../../../scripts/samples/webp-rows-pictures.ts";

const BASE_INDEX = 60;
const ALPHA_INDEX = 40;
/** Tiles of one superblock, as far as there are so few of them. */
const SMALLEST = { columns: 6, rows: 6 };

const encode = async (source: Picture, options: Partial<RowAvifOptions> = {}, batch = 7): Promise<Buffer> =>
  Buffer.concat(
    await encodeAvifRows(workspaceIn(newMemory(256)), rowsOf(source, batch), {
      baseIndex: BASE_INDEX,
      chroma: "420",
      alphaIndex: ALPHA_INDEX,
      isFiltered: false,
      ...options,
    }),
  );

const luma = (file: Buffer): Promise<Buffer> =>
  sharp(file).toColourspace("b-w").removeAlpha().raw().toBuffer();

describe("the tiles of a frame", () => {
  it.each([
    [4096, 2304, 1, 1],
    [4097, 1, 2, 1],
    [8192, 1953, 2, 1],
    [4096, 2305, 1, 2],
    [4000, 4000, 1, 2],
    [6400, 2500, 2, 1],
    [1953, 8192, 1, 2],
    [64, 64 * 2304, 1, 1],
    [1, 1, 1, 1],
  ])("of %d x %d are %d beside and %d below each other", (width, height, columns, rows) => {
    expect(tilesOf({ width, height })).toMatchObject({ columns, rows });
  });

  it("are no larger than AV1 allows, at every size up to 16 megapixels", () => {
    for (let width = 64; width <= 8192; width += 64) {
      const height = Math.floor(16_000_000 / width);
      const tiles = tilesOf({ width, height });
      expect(tiles.width).toBeLessThanOrEqual(4096);
      expect(tiles.width * tiles.height).toBeLessThanOrEqual(4096 * 2304);
    }
  });

  it("are refused where they would be larger", () => {
    expect(() => tilesOf({ width: 63 * 64, height: 73 * 64 })).toThrow(RangeError);
  });
});

describe("AVIF in tiles by the row encoder", () => {
  it.each([
    [65, 65],
    [128, 64],
    [129, 193],
    [200, 150],
    [331, 70],
    [70, 331],
  ])("of %d x %d is decoded to the planes it was predicted from", async (width, height) => {
    const source = picture("photo", width, height, "gray");
    for (const tilesLog2 of [SMALLEST, { columns: 1, rows: 0 }, { columns: 0, rows: 1 }]) {
      const seen = await luma(await encode(source, { tilesLog2 }));
      const wanted = reconstruct(source, BASE_INDEX, 1, false, false, tilesLog2).planes[0]!;
      expect(seen.equals(wanted)).toBe(true);
    }
  });

  it.each([2, 6, 30])("a drawing of %d colours, with palettes at the edges of tiles", async (colours) => {
    const source = palettePicture(197, 139, colours, "gray");
    const seen = await luma(await encode(source, { isDrawing: true, tilesLog2: SMALLEST }));
    const wanted = reconstruct(source, BASE_INDEX, 1, true, false, SMALLEST).planes[0]!;
    expect(seen.equals(wanted)).toBe(true);
  });

  it.each(["420", "444"] as const)("in colour and %s differs little from one tile", async (chroma) => {
    for (const source of [picture("photo", 197, 139), palettePicture(197, 139, 6, "rgb")]) {
      const options = { chroma, baseIndex: 20, isFiltered: true };
      const rgb = async (file: Buffer): Promise<number> =>
        psnr(await sharp(file).removeAlpha().raw().toBuffer(), source.data);
      const [one, many] = [
        await rgb(await encode(source, options)),
        await rgb(await encode(source, { ...options, tilesLog2: SMALLEST })),
      ];
      expect(many).toBeGreaterThan(one - 0.5);
    }
  });

  it("with alpha, whose tiles are those of the colour", async () => {
    const source = picture("photo", 150, 141, "rgba");
    for (const tilesLog2 of [SMALLEST, { columns: 1, rows: 1 }]) {
      const file = await encode(source, { tilesLog2 });
      const alpha = await sharp(file).extractChannel(3).raw().toBuffer();
      expect(alpha.equals(reconstructAlpha(source, ALPHA_INDEX, tilesLog2))).toBe(true);
    }
    const gray = picture("photo", 150, 141, "gray-alpha");
    const seen = await sharp(await encode(gray, { tilesLog2: SMALLEST }))
      .extractChannel(0)
      .raw()
      .toBuffer();
    expect(seen.equals(reconstruct(gray, BASE_INDEX, 1, false, false, SMALLEST).planes[0]!)).toBe(true);
  });

  it("is the same however its rows arrive", async () => {
    const source = picture("photo", 150, 141, "rgba");
    const [few, many] = [
      await encode(source, { tilesLog2: SMALLEST }, 1),
      await encode(source, { tilesLog2: SMALLEST }, 141),
    ];
    expect(few.equals(many)).toBe(true);
  });

  it("needs no demand where the picture is too wide for one tile", async () => {
    const source = picture("photo", 4161, 9, "rgba");
    const file = await encode(source, { isDrawing: true });
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 4161, height: 9, channels: 4 });
    expect(psnr(data, source.data)).toBeGreaterThan(28);
    const alpha = data.filter((_, i) => i % 4 === 3);
    expect(Buffer.from(alpha).equals(reconstructAlpha(source, ALPHA_INDEX))).toBe(true);
  });
});
