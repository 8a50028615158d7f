/**
 * Alpha by our own AV1 encoder: decoders see the samples that it predicts from, and invisible colours take no bytes.
 */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { RowAvifOptions } from "../../../../../src/image/formats/avif/encoder-options.ts";
import { boxesIn, firstBox } from "../../../../../src/image/formats/avif/isobmff.ts";
import { readItems } from "../../../../../src/image/formats/avif/items.ts";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import { RowMemoryError } from "../../../../../src/builder/scheduling/row-errors.ts";
import {
  newMemory,
  type Picture,
  psnr,
  rowsOf,
  workspaceIn,
} from "../../../../../scripts/harness/png-rows.ts";
import { KINDS, picture } from "../../../../../scripts/samples/webp-rows-pictures.ts";
import { reconstruct, reconstructAlpha } from "../../../../../scripts/harness/av1-reconstruction.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";

const ALPHA_INDEX = 40;

const encode = async (source: Picture, options: Partial<RowAvifOptions> = {}, batch = 7): Promise<Buffer> =>
  Buffer.concat(
    await encodeAvifRows(workspaceIn(newMemory(64)), rowsOf(source, batch), {
      baseIndex: 60,
      chroma: "420",
      alphaIndex: ALPHA_INDEX,
      ...options,
    }),
  );

/** Returns the bytes of colour, and of alpha if it is there. */
function itemBytes(file: Buffer): number[] {
  const meta = firstBox(boxesIn(file, "file"), "meta");
  return meta ? [...readItems(meta).extents.values()].map(([extent]) => extent?.length ?? 0) : [];
}

const alphaOf = (file: Buffer): Promise<Buffer> => sharp(file).extractChannel(3).raw().toBuffer();

/** Returns the picture with `fill` as the colour of what is fully transparent. */
function withHidden(source: Picture, fill: (index: number) => number): Picture {
  const data = source.data.map((value, i) => (i % 4 < 3 && source.data[i | 3] === 0 ? fill(i) : value));
  return { ...source, data };
}

/** Returns a photograph of which an ellipse is visible. */
function cutOut(width: number, height: number): Picture {
  const source = picture("photo", width, height, "rgba");
  const data = source.data.map((value, i) => {
    if (i % 4 < 3) return value;
    const [x, y] = [((i >> 2) % width) / width - 0.5, Math.floor((i >> 2) / width) / height - 0.5];
    return Math.max(0, Math.min(255, 2000 * (0.1 - x * x - y * y)));
  });
  return { ...source, data };
}

describe("AVIF with alpha by the row encoder", () => {
  it.each(KINDS)("of a %s: sharp decodes the alpha that it predicts from", async (kind) => {
    const source = picture(kind, 150, 101, "rgba");
    const seen = await alphaOf(await encode(source));
    expect(seen.equals(reconstructAlpha(source, ALPHA_INDEX))).toBe(true);
    expect(
      psnr(
        seen,
        source.data.filter((_, i) => i % 4 === 3),
      ),
    ).toBeGreaterThan(45);
  });

  it.each([
    [1, 1],
    [2, 3],
    [7, 65],
    [64, 64],
    [65, 129],
    [131, 8],
    [33, 32],
  ])("of %d x %d, in both kinds of chroma and gray", async (width, height) => {
    for (const layout of ["rgba", "gray-alpha"] as const) {
      const source = picture("photo", width, height, layout);
      // Nothing is visible of the first column, so that alpha is there at every size.
      const channels = layout === "rgba" ? 4 : 2;
      for (let y = 0; y < height; y++) source.data[y * width * channels + channels - 1] = 0;
      for (const chroma of ["420", "444"] as const) {
        const file = await encode(source, { chroma });
        expect(probe(file)).toMatchObject({ width, height, hasAlpha: true });
        expect((await alphaOf(file)).equals(reconstructAlpha(source, ALPHA_INDEX))).toBe(true);
      }
    }
  });

  it("codes the colour beside it as the reconstruction says", async () => {
    const source = picture("photo", 140, 150, "gray-alpha");
    const seen = await sharp(await encode(source, { isFiltered: false }))
      .extractChannel(0)
      .raw()
      .toBuffer();
    expect(seen.equals(reconstruct(source, 60, 1).planes[0]!)).toBe(true);
  });

  it("spends nothing on colours that are hidden", async () => {
    const shown = cutOut(320, 256);
    const noisy = withHidden(shown, (i) => (i * 2_654_435_761) >>> 24);
    const [black, noise] = [
      itemBytes(await encode(withHidden(shown, () => 0))),
      itemBytes(await encode(noisy)),
    ];
    expect(noise).toEqual(black);
    const opaque = itemBytes(await encode(picture("photo", 320, 256)));
    // The ellipse is 31 % of the picture.
    expect(black[0]!).toBeLessThan(0.45 * opaque[0]!);
  });

  it("lets no hidden colour reach the edge of what is visible", async () => {
    const [width, height] = [96, 96];
    // A gray disc in a red that is hidden.
    const data = new Uint8Array(width * height * 4);
    for (let i = 0; i < width * height; i++) {
      const isShown = Math.hypot((i % width) - 47.3, Math.floor(i / width) - 46.6) < 30.2;
      data.set(isShown ? [120, 120, 120, 255] : [255, 0, 0, 0], 4 * i);
    }
    const file = await encode({ width, height, layout: "rgba", data });
    const seen = await sharp(file).raw().toBuffer();
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 0) continue;
      const [red, green, blue] = [seen[i]!, seen[i + 1]!, seen[i + 2]!];
      expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThanOrEqual(4);
    }
  });

  it("leaves out an alpha that is opaque throughout, and codes the same colour as without", async () => {
    const source = picture("photo", 70, 61, "rgba");
    const opaque = { ...source, data: source.data.map((value, i) => (i % 4 === 3 ? 255 : value)) };
    const file = await encode(opaque);
    expect(itemBytes(file)).toHaveLength(1);
    expect(file.equals(await encode(picture("photo", 70, 61)))).toBe(true);
  });

  it("is the same however its rows arrive", async () => {
    const source = picture("photo", 100, 130, "rgba");
    const [few, many] = [await encode(source, {}, 1), await encode(source, {}, 130)];
    expect(few.equals(many)).toBe(true);
  });

  it("fails by name where there is memory for colour alone", async () => {
    const source = picture("photo", 600, 10, "rgba");
    const pages = 13;
    const options = { baseIndex: 60, chroma: "420", alphaIndex: ALPHA_INDEX } as const;
    const plain = encodeAvifRows(workspaceIn(newMemory(pages)), rowsOf(picture("photo", 600, 10)), options);
    await expect(plain).resolves.toBeDefined();
    const both = encodeAvifRows(workspaceIn(newMemory(pages)), rowsOf(source), options);
    await expect(both).rejects.toThrow(RowMemoryError);
  });
});
