/** Drawings in AVIF, which have blocks of 4 x 4, 8 x 4 and 4 x 8. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import type { RowAvifOptions } from "../../../../../src/image/formats/avif/encoder-options.ts";
import {
  newMemory,
  type Picture,
  psnr,
  rowsOf,
  workspaceIn,
} from "../../../../../scripts/harness/png-rows.ts";
import { reconstruct } from "../../../../../scripts/harness/av1-reconstruction.ts";

const [WIDTH, HEIGHT] = [236, 177];

/** Discs with outlines and a line: few blocks of 8 x 8 show one thing. */
const DISCS = Array.from({ length: 24 }, (_, i) => {
  const [x, y] = [12 + (i % 6) * 41, 24 + Math.floor(i / 6) * 41];
  return `<circle cx="${x}" cy="${y}" r="${6 + i / 2}" fill="hsl(${i * 15} 80% 50%)" stroke="#123" stroke-width=".9"/>`;
}).join("");
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * 8}" height="${HEIGHT * 8}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><rect width="100%" height="100%" fill="#fdf6e3"/>
${DISCS}<path d="M18 12H218L118 71Z" fill="none" stroke="#d22" stroke-width="1.8"/></svg>`;

let colour: Picture;
beforeAll(async () => {
  const data = await sharp(await sharp(Buffer.from(SVG)).png().toBuffer())
    .resize(WIDTH)
    .removeAlpha()
    .raw()
    .toBuffer();
  colour = { width: WIDTH, height: HEIGHT, layout: "rgb", data };
});

/** Returns a part of the picture in gray. */
function gray(width: number, height: number): Picture {
  const data = Uint8Array.from({ length: width * height }, (_, i) => {
    return colour.data[3 * (Math.floor(i / width) * WIDTH + (i % width)) + 1]!;
  });
  return { width, height, layout: "gray", data };
}

const encode = async (source: Picture, options: Partial<RowAvifOptions> = {}): Promise<Buffer> =>
  Buffer.concat(
    await encodeAvifRows(workspaceIn(newMemory(64)), rowsOf(source, 7), {
      ...{ baseIndex: 80, chroma: "444", alphaIndex: 40, isDrawing: true, isFiltered: false },
      ...options,
    }),
  );

const luma = (file: Buffer): Promise<Buffer> =>
  sharp(file).toColourspace("b-w").removeAlpha().raw().toBuffer();

describe("the smallest blocks of a drawing in AVIF", () => {
  it.each([10, 42, 80, 160, 255])("are decoded as they were predicted, at index %d", async (baseIndex) => {
    for (const [width, height] of [
      [WIDTH, HEIGHT],
      [133, 71],
      [12, 9],
    ] as const) {
      const source = gray(width, height);
      const seen = await luma(await encode(source, { baseIndex }));
      expect(seen.equals(reconstruct(source, baseIndex, 1, true).planes[0]!)).toBe(true);
    }
  });

  it("have the colours of the picture", async () => {
    const seen = await sharp(await encode(colour, { baseIndex: 20 }))
      .removeAlpha()
      .raw()
      .toBuffer();
    expect(psnr(seen, colour.data)).toBeGreaterThan(40);
  });

  it("take fewer bytes than those of 8 x 8 do", async () => {
    expect((await encode(colour)).length).toBeLessThan(6100);
  });
});
