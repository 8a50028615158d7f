/** Placeholders of every kind of master, against what sharp sees in it. */
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { writeApng, writeGif, writeWebpAnimation } from "../../../../scripts/samples/animation/writers.ts";
import { avifSequence } from "../../../../scripts/samples/avif/sequence.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import { displayed } from "../../../support/pictures/displayed.ts";
import { likenessTo } from "../../../support/placeholders/placeholder-likeness.ts";
import { placeholderOf, placeholderOrder } from "../../../support/placeholders/placeholders.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import {
  WIDTH,
  HEIGHT,
  scene,
  drawn,
  rgba,
  GROUND,
} from "../../../support/placeholders/placeholder-scenes.ts";

/** Draws the same on nothing, with a soft edge. */
const sticker = (): Sharp =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><defs><radialGradient id="g">
    <stop offset=".6" stop-color="#2468c8"/><stop offset="1" stop-color="#2468c8" stop-opacity="0"/>
    </radialGradient></defs><circle cx="110" cy="100" r="95" fill="url(#g)"/></svg>`),
  );

const OTHER = "#e0e0f0";

const THIRD = "#102040";

async function expectLike(file: Uint8Array, upright?: Sharp, limit = 3): Promise<void> {
  const { placeholder } = await placeholderOf(file);
  const { mean, most, colourLevels } = await likenessTo(placeholder, upright ?? (await displayed(file)));
  expect({ mean, colourLevels }).toEqual({ mean, colourLevels: 0 });
  expect(mean).toBeLessThan(limit);
  expect(most).toBeLessThan(10 * limit);
}

describe("a still", () => {
  const kinds: [string, () => Sharp][] = [
    ["JPEG", () => drawn(GROUND).jpeg({ quality: 95 })],
    ["progressive JPEG", () => drawn(GROUND).jpeg({ quality: 95, progressive: true })],
    ["gray JPEG", () => drawn(GROUND).grayscale().jpeg({ quality: 95 })],
    ["CMYK JPEG", () => drawn(GROUND).toColourspace("cmyk").withMetadata().jpeg({ quality: 95 })],
    ["JPEG in Display P3", () => drawn(GROUND).withIccProfile("p3").jpeg({ quality: 95 })],
    ["PNG", () => drawn(GROUND).png()],
    ["interlaced PNG with alpha", () => sticker().png({ progressive: true })],
    ["palette PNG with transparency", () => sticker().png({ palette: true, dither: 0 })],
    ["16-bit PNG", () => drawn(GROUND).toColourspace("rgb16").png()],
    ["gray PNG", () => drawn(GROUND).grayscale().png()],
    ["WebP", () => drawn(GROUND).webp({ quality: 95 })],
    ["lossless WebP with alpha", () => sticker().webp({ lossless: true })],
    ["AVIF", () => drawn(GROUND).avif({ quality: 90, effort: 0 })],
    ["AVIF with alpha", () => sticker().avif({ quality: 90, effort: 0 })],
    ["GIF", () => drawn(GROUND).gif({ dither: 0 })],
    ["GIF with transparency", () => sticker().gif({ dither: 0 })],
  ];
  it.each(kinds)("%s", async (_, make) => expectLike(await make().toBuffer()));

  for (const orientation of [2, 3, 4, 5, 6, 7, 8] as const) {
    it(`turned as orientation ${orientation} says`, async () => {
      const turned = drawn(GROUND).withMetadata({ orientation });
      await expectLike(await turned.clone().jpeg({ quality: 95 }).toBuffer());
      await expectLike(await turned.clone().webp({ quality: 95 }).toBuffer());
      await expectLike(await turned.clone().png().toBuffer());
    });
  }

  it.each([
    [1, 1],
    [100, 1],
    [1, 100],
    [3000, 4],
    [4, 3000],
    [7000, 1],
  ])("of %i x %i", async (width, height) => {
    const flat = (): Sharp => sharp({ create: { width, height, channels: 3, background: "#b04020" } });
    for (const file of [await flat().png().toBuffer(), await flat().jpeg({ quality: 100 }).toBuffer()]) {
      const { placeholder } = await placeholderOf(file);
      expect(parseInt(placeholder.dominantColor.slice(1, 3), 16)).toBeCloseTo(0xb0, -1);
    }
    const order = placeholderOrder(await flat().png().toBuffer());
    expect(Math.max(order.size.width, order.size.height)).toBe(Math.min(100, Math.max(width, height)));
  });

  it("that is large, and a photograph", async () => {
    const picture = image(await photo(1000, 750)).resize(4000, 3000);
    await expectLike(await picture.jpeg({ quality: 90 }).toBuffer());
  });
});

describe("a drawing", () => {
  it("as it is drawn, at a size of its own", async () => {
    await expectLike(scene(GROUND));
    expect(placeholderOrder(scene(GROUND, 24, 16)).size).toEqual({ width: 100, height: 67 });
    await expectLike(scene(GROUND, 24, 16), drawn(GROUND));
  });
});

describe("an animation shows its first frame", () => {
  const size = { width: WIDTH, height: HEIGHT };
  const whole = { left: 0, top: 0, ...size };
  let first: Buffer;
  let second: Buffer;
  let third: Buffer;
  beforeAll(async () => {
    first = await rgba(drawn(GROUND));
    second = await rgba(drawn(OTHER));
    third = await rgba(drawn(THIRD));
  });
  const frames = () => [
    { ...whole, rgba: first },
    { ...whole, rgba: second },
    { ...whole, rgba: third },
  ];

  it("GIF", async () => {
    const pages = { raw: { width: WIDTH, height: 3 * HEIGHT, channels: 4 as const, pageHeight: HEIGHT } };
    const file = await sharp(Buffer.concat([first, second, third]), pages)
      .gif({ dither: 0 })
      .toBuffer();
    expect(probe(file).frames).toBe(3);
    await expectLike(file, drawn(GROUND));
  });

  it("GIF whose first frame leaves most of the canvas empty", async () => {
    const frame = { left: 60, top: 20, width: 100, height: 60, indices: new Uint8Array(6000).fill(1) };
    const palette = [10, 20, 30, 200, 40, 60];
    const file = writeGif({ width: 200, height: 100, palette, frames: [frame, { ...frame, left: 0 }] });
    const nothing = { width: 200, height: 100, channels: 4 as const, background: "#0000" };
    const input = { create: { width: 100, height: 60, channels: 3 as const, background: "#c8283c" } };
    const shown = await sharp({ create: nothing })
      .composite([{ input, left: 60, top: 20 }])
      .png()
      .toBuffer();
    await expectLike(file, sharp(shown));
    expect((await placeholderOf(file)).placeholder.dominantColor).toBe("#c8283c");
  });

  it("GIF stored before frames were counted", async () => {
    const gif = await drawn(GROUND).gif({ dither: 0 }).toBuffer();
    const order = placeholderOrder(gif, { ...probe(gif), frames: null });
    const { placeholder } = await placeholderOf(gif, order);
    expect((await likenessTo(placeholder, sharp(gif))).mean).toBeLessThan(2);
  });

  it("animated WebP", async () => {
    const file = await writeWebpAnimation({ ...size, frames: frames() });
    await expectLike(file, drawn(GROUND));
    const alone = await writeWebpAnimation({ ...size, frames: frames().slice(0, 1) });
    expect(probe(alone)).toMatchObject({ frames: 1, animated: false });
    await expectLike(alone, drawn(GROUND));
  });

  it("animated PNG, without its default image", async () => {
    await expectLike(writeApng({ ...size, frames: frames() }), drawn(GROUND));
    await expectLike(writeApng({ ...size, frames: frames(), poster: second }), drawn(GROUND));
  });

  it("AVIF sequence", async () => {
    const encode = (ground: string): Promise<Buffer> =>
      drawn(ground).avif({ quality: 90, effort: 0 }).toBuffer();
    const file = avifSequence([await encode(GROUND), await encode(OTHER)], WIDTH, HEIGHT);
    expect(probe(file)).toMatchObject({ animated: true, frames: 2, ...size });
    await expectLike(file, drawn(GROUND));
  });

  it("with more frames than are transformed", async () => {
    const many = Array.from({ length: 120 }, (_, n) => ({ ...whole, rgba: n === 0 ? first : second }));
    const file = writeApng({ ...size, frames: many });
    expect(probe(file).frames).toBe(120);
    await expectLike(file, drawn(GROUND));
  });
});
