/** AVIF that is encoded quickly: decoders see the planes that it predicts from, and it is not much larger. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { RowAvifOptions } from "../../../../../src/image/formats/avif/encoder-options.ts";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import {
  newMemory,
  type Picture,
  psnr,
  rowsOf,
  workspaceIn,
} from "../../../../../scripts/harness/png-rows.ts";
import { KINDS, picture } from "../../../../../scripts/samples/webp-rows-pictures.ts";
import { reconstruct } from "../../../../../scripts/harness/av1-reconstruction.ts";

const encode = async (source: Picture, options: Partial<RowAvifOptions> = {}): Promise<Buffer> =>
  Buffer.concat(
    await encodeAvifRows(workspaceIn(newMemory(64)), rowsOf(source, 7), {
      ...{ baseIndex: 68, chroma: "420", alphaIndex: 40, effort: "quick" },
      ...options,
    }),
  );

const luma = (file: Buffer): Promise<Buffer> =>
  sharp(file).toColourspace("b-w").removeAlpha().raw().toBuffer();
const colours = (file: Buffer): Promise<Buffer> => sharp(file).removeAlpha().raw().toBuffer();

describe("AVIF that is encoded quickly", () => {
  it.each(
    KINDS.flatMap((kind) =>
      [20, 90, 200].map((baseIndex) => ({ kind, baseIndex, size: [200, 150] as const })),
    ),
  )("gray $kind at $baseIndex is decoded to the planes it was predicted from", async (one) => {
    const { kind, baseIndex, size } = one;
    for (const [width, height] of [size, [1, 1], [67, 41]] as const) {
      const source = picture(kind, width, height, "gray");
      const seen = await luma(await encode(source, { baseIndex, isFiltered: false }));
      const { planes } = reconstruct(source, baseIndex, 1, false, false, undefined, "quick");
      expect(seen.equals(planes[0]!)).toBe(true);
    }
  });

  it.each(["420", "444"] as const)("looks like the picture in %s", async (chroma) => {
    const source = picture("photo", 150, 100);
    const [quick, thorough] = await Promise.all(
      (["quick", "thorough"] as const).map((effort) => encode(source, { chroma, effort })),
    );
    const likeness = async (file: Buffer): Promise<number> => psnr(await colours(file), source.data);
    expect(quick!.equals(thorough!)).toBe(false);
    expect(quick!.length).toBeLessThan(1.25 * thorough!.length);
    expect(await likeness(quick!)).toBeGreaterThan((await likeness(thorough!)) - 1);
  });

  it("is the same for drawings, which are always encoded thoroughly", async () => {
    const source = picture("photo", 90, 70);
    const [quick, thorough] = await Promise.all(
      (["quick", "thorough"] as const).map((effort) => encode(source, { isDrawing: true, effort })),
    );
    expect(quick!.equals(thorough!)).toBe(true);
  });

  it("keeps alpha and colour apart", async () => {
    const source = picture("photo", 130, 90, "rgba");
    const [quick, thorough] = await Promise.all(
      (["quick", "thorough"] as const).map((effort) => encode(source, { effort })),
    );
    const alpha = (file: Buffer): Promise<Buffer> => sharp(file).extractChannel(3).raw().toBuffer();
    expect((await alpha(quick!)).equals(await alpha(thorough!))).toBe(true);
  });
});
