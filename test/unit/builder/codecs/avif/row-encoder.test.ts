/** AVIF by our own AV1 encoder: decoders see the planes that it predicts from, at every size and kind of content. */
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { RowAvifOptions } from "../../../../../src/image/formats/avif/encoder-options.ts";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import { RowMemoryError, RowShortageError } from "../../../../../src/builder/scheduling/row-errors.ts";
import {
  newMemory,
  type Picture,
  psnr,
  rowsOf,
  workspaceIn,
} from "../../../../../scripts/harness/png-rows.ts";
import { type Kind, KINDS, picture } from "../../../../../scripts/samples/webp-rows-pictures.ts";
import { palettePicture } from "../../../../../scripts/samples/palette-pictures.ts";
import { reconstruct } from "../../../../../scripts/harness/av1-reconstruction.ts";

const encode = async (source: Picture, options: Partial<RowAvifOptions> = {}, batch = 7): Promise<Buffer> =>
  Buffer.concat(
    await encodeAvifRows(workspaceIn(newMemory(64)), rowsOf(source, batch), {
      baseIndex: 100,
      chroma: "420",
      alphaIndex: 40,
      ...options,
    }),
  );

const decoded = (file: Buffer, channels: 1 | 3): Promise<Buffer> =>
  sharp(file)
    .toColourspace(channels === 1 ? "b-w" : "srgb")
    .removeAlpha()
    .raw()
    .toBuffer();

/** Converts to BT.601 in full range, with the chroma of the nearest sample. */
function toRgb({ width, height }: Picture, planes: Uint8Array[], shift: 0 | 1): Buffer {
  const out = Buffer.alloc(width * height * 3);
  const [luma, cb, cr] = planes as [Uint8Array, Uint8Array, Uint8Array];
  const wide = (width + shift) >> shift;
  const clamped = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y >> shift) * wide + (x >> shift);
      const [l, u, v] = [luma[y * width + x] ?? 0, (cb[at] ?? 0) - 128, (cr[at] ?? 0) - 128];
      const pixel = 3 * (y * width + x);
      out[pixel] = clamped(l + 1.402 * v);
      out[pixel + 1] = clamped(l - 0.344136 * u - 0.714136 * v);
      out[pixel + 2] = clamped(l + 1.772 * u);
    }
  }
  return out;
}

/** Returns the largest difference of two buffers. */
const apart = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? 0))), 0);

describe("AVIF by the row encoder", () => {
  it.each(KINDS.flatMap((kind) => [20, 90, 200].map((baseIndex) => ({ kind, baseIndex }))))(
    "gray $kind at $baseIndex is decoded to the planes it was predicted from",
    async ({ kind, baseIndex }) => {
      const source = picture(kind, 200, 150, "gray");
      const seen = await decoded(await encode(source, { baseIndex, isFiltered: false }), 1);
      expect(seen.equals(reconstruct(source, baseIndex, 1).planes[0]!)).toBe(true);
    },
  );

  it.each(KINDS.flatMap((kind) => (["420", "444"] as const).map((chroma) => ({ kind, chroma }))))(
    "$kind in $chroma is decoded to the planes it was predicted from",
    async ({ kind, chroma }) => {
      const source = picture(kind, 150, 100);
      const shift = chroma === "444" ? 0 : 1;
      const seen = await decoded(await encode(source, { chroma, isFiltered: false }), 3);
      const wanted = toRgb(source, reconstruct(source, 100, shift).planes, shift);
      expect(apart(seen, wanted)).toBeLessThanOrEqual(2);
    },
  );

  it("agrees with decoders on any small picture", async () => {
    const cases = fc.record({
      kind: fc.constantFrom<Kind>(...KINDS),
      width: fc.integer({ min: 1, max: 140 }),
      height: fc.integer({ min: 1, max: 140 }),
      baseIndex: fc.integer({ min: 1, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ kind, width, height, baseIndex }) => {
        const source = picture(kind, width, height, "gray");
        const seen = await decoded(await encode(source, { baseIndex, isFiltered: false }), 1);
        expect(seen.equals(reconstruct(source, baseIndex, 1).planes[0]!)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    { colours: 2, baseIndex: 100 },
    { colours: 5, baseIndex: 60 },
    { colours: 8, baseIndex: 20 },
    { colours: 40, baseIndex: 120 },
  ])(
    "a drawing of $colours colours at $baseIndex is decoded to the planes it was predicted from",
    async ({ colours, baseIndex }) => {
      for (const [width, height] of [
        [150, 100],
        [67, 71],
      ] as const) {
        const source = palettePicture(width, height, colours, "gray");
        const options = { baseIndex, isDrawing: true, isFiltered: false };
        const seen = await decoded(await encode(source, options), 1);
        expect(seen.equals(reconstruct(source, baseIndex, 1, true).planes[0]!)).toBe(true);
      }
    },
  );

  it.each([2, 6, 30].flatMap((colours) => (["420", "444"] as const).map((chroma) => ({ colours, chroma }))))(
    "a drawing of $colours colours in $chroma is decoded as it was predicted",
    async ({ colours, chroma }) => {
      const source = palettePicture(133, 90, colours, "rgb");
      const shift = chroma === "444" ? 0 : 1;
      const options = { chroma, baseIndex: 60, isDrawing: true, isFiltered: false };
      const seen = await decoded(await encode(source, options), 3);
      const wanted = toRgb(source, reconstruct(source, 60, shift, true).planes, shift);
      expect(apart(seen, wanted)).toBeLessThanOrEqual(2);
    },
  );

  it("codes few colours without loss, in fewer bytes than without palettes", async () => {
    const source = palettePicture(160, 128, 4, "gray");
    const [plain, drawn] = [
      await encode(source, { baseIndex: 60 }),
      await encode(source, { baseIndex: 60, isDrawing: true }),
    ];
    expect(drawn.length).toBeLessThan(0.7 * plain.length);
    expect(apart(await decoded(drawn, 1), source.data)).toBeLessThanOrEqual(1);
  });

  it("is better with a lower index", async () => {
    const source = picture("photo", 128, 96);
    const likeness = async (baseIndex: number): Promise<number> =>
      psnr(await decoded(await encode(source, { baseIndex, chroma: "444" }), 3), source.data);
    const [low, middle, high] = [await likeness(200), await likeness(100), await likeness(10)];
    expect(middle).toBeGreaterThan(low + 3);
    expect(high).toBeGreaterThan(middle + 3);
    expect(high).toBeGreaterThan(42);
  });

  it("is the same however its rows arrive", async () => {
    const source = picture("photo", 100, 130);
    const [few, many] = [await encode(source, {}, 1), await encode(source, {}, 130)];
    expect(few.equals(many)).toBe(true);
  });

  it("fails by name when memory is too small, and when rows are missing", async () => {
    const source = picture("photo", 2000, 10);
    const options = { baseIndex: 100, chroma: "420", alphaIndex: 40 } as const;
    const small = encodeAvifRows(workspaceIn(newMemory(8)), rowsOf(source), options);
    await expect(small).rejects.toThrow(RowMemoryError);
    const short = { ...rowsOf(source), height: 11 };
    await expect(encodeAvifRows(workspaceIn(newMemory(64)), short, options)).rejects.toThrow(
      RowShortageError,
    );
  });
});
