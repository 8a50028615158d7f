import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { CHANNELS_OF } from "../../../../../src/image/memory/rows.ts";
import type { Picture } from "../../../../../scripts/harness/png-rows.ts";
import {
  byLibwebp,
  decoded,
  encode,
  KINDS,
  picture,
} from "../../../../../scripts/samples/webp-rows-pictures.ts";
import { chunksOf } from "../../../../support/pictures/webp-rows-reader.ts";

/** Returns alpha alone, and the noise of the visible pixels, in dB. */
function split({ layout, data }: Picture, own: Uint8Array): { alpha: boolean; ratio: number } {
  const channels = CHANNELS_OF[layout];
  let [same, sum, count] = [true, 0, 0];
  for (let i = 0; i < data.length; i += channels) {
    const at = i + channels - 1;
    if (own[at] !== data[at]) same = false;
    if (data[at] === 0) continue;
    for (let c = i; c < at; c++) {
      sum += ((data[c] ?? 0) - (own[c] ?? 0)) ** 2;
      count++;
    }
  }
  return { alpha: same, ratio: 10 * Math.log10((255 * 255 * count) / sum) };
}

/** Returns the alpha of a shape with soft and hard edges and letters, drawn at the size. */
async function drawnAlpha(width: number, height: number, blur: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 300 225">
    <filter id="b"><feGaussianBlur stdDeviation="${blur}"/></filter>
    <ellipse cx="150" cy="110" rx="120" ry="80" filter="url(#b)"/><rect x="20" y="20" width="60" height="40" rx="9"/>
    <path d="M200 20 L290 60 L240 120 Z" opacity=".6"/></svg>`;
  return sharp(Buffer.from(svg)).ensureAlpha().extractChannel(3).raw().toBuffer();
}

function withAlpha(alpha: Buffer, width: number, height: number): Picture {
  const source = picture("gradient", width, height, "rgba");
  alpha.forEach((value, i) => (source.data[4 * i + 3] = value));
  return source;
}

describe("alpha of a WebP variant", () => {
  it.each([
    ["hard edges", 300, 225, 0],
    ["soft edges", 300, 225, 6],
    ["hard edges in several bands", 640, 480, 0],
    ["soft edges in several bands", 640, 480, 4],
    ["hard edges in wide tiles", 1300, 900, 0],
  ] as const)("takes about what libwebp takes for it: %s", async (_, width, height, blur) => {
    const source = withAlpha(await drawnAlpha(width, height, blur), width, height);
    const ours = await encode(source, 80);
    expect(split(source, await decoded(ours, source)).alpha).toBe(true);
    const bytes = (file: Uint8Array): number => chunksOf(Buffer.from(file)).get("ALPH")?.length ?? 0;
    const byEffort = async (effort: number): Promise<number> =>
      bytes(
        await sharp(source.data, { raw: { width, height, channels: 4 } })
          .webp({ effort })
          .toBuffer(),
      );
    // Its effort of 6 takes 20 times as long, for 5 % fewer bytes at most.
    const theirs = Math.min(await byEffort(4), await byEffort(5));
    expect(bytes(ours)).toBeLessThan(1.09 * theirs);
  });

  it.each(KINDS)("is kept to the bit over a %s, whose colours are as good as libwebp's", async (kind) => {
    const source = picture(kind, 200, 150, "rgba");
    const [ours, theirs] = [await encode(source, 80), await byLibwebp(source, 80)];
    const own = split(source, await decoded(ours, source));
    const usual = split(source, await decoded(theirs, source));
    expect(own.alpha).toBe(true);
    expect(own.ratio).toBeGreaterThan(usual.ratio - 0.8);
    expect(ours.length).toBeLessThan(1.2 * theirs.length + 400);
    expect([...chunksOf(ours).keys()]).toEqual(["VP8X", "ALPH", "VP8 "]);
  });

  it("is kept at odd and even sizes", async () => {
    for (const width of [1, 2, 3, 16, 17, 40, 67]) {
      for (const height of [1, 2, 3, 16, 33, 49]) {
        for (const layout of ["rgba", "gray-alpha"] as const) {
          const source = picture("photo", width, height, layout);
          const { alpha } = split(source, await decoded(await encode(source, 80), source));
          expect(alpha, `${width} x ${height} ${layout}`).toBe(true);
        }
      }
    }
  });

  it.each([
    ["nothing but noise", (i: number) => (Math.imul(i + 1, 2654435761) >>> 13) & 255],
    ["one value", () => 77],
    ["wholly transparent", () => 0],
    ["two values", (i: number) => (i % 3 === 0 ? 0 : 255)],
    ["a slope", (i: number) => (i % 90) + Math.floor(i / 900)],
  ])("may be %s", async (_, value) => {
    const source = picture("photo", 90, 61, "rgba");
    for (let i = 0; i < 90 * 61; i++) source.data[4 * i + 3] = value(i);
    expect(split(source, await decoded(await encode(source, 80), source)).alpha).toBe(true);
  });

  it("has longer runs than one match can hold", async () => {
    const source = picture("gradient", 5000, 20, "gray-alpha");
    for (let i = 0; i < 5000 * 20; i++) source.data[2 * i + 1] = i === 70_000 ? 3 : 128;
    expect(split(source, await decoded(await encode(source, 80), source)).alpha).toBe(true);
  });

  it("is left out where all is opaque", async () => {
    const source = picture("photo", 50, 40, "rgba");
    for (let i = 3; i < source.data.length; i += 4) source.data[i] = 255;
    const file = await encode(source, 80);
    expect([...chunksOf(file).keys()]).toEqual(["VP8 "]);
    expect(split(source, await decoded(file, source)).alpha).toBe(true);
  });

  it("hides what costs bytes and cannot be seen", async () => {
    const source = picture("noise", 160, 160, "rgba");
    for (let i = 0; i < 160 * 160; i++) source.data[4 * i + 3] = i % 160 < 16 ? 255 : 0;
    expect((await encode(source, 80)).length).toBeLessThan(
      0.25 * (await encode(picture("noise", 160, 160), 80)).length,
    );
  });
});
