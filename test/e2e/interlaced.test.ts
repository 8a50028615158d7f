/** An interlaced PNG of 80 megapixels over HTTP: its parts are read by the builder through the queue. */
import sharp, { type Sharp } from "sharp";
import { beforeAll, expect, it } from "vitest";
import { spaceWith, whileRunning } from "../../scripts/bench/running.ts";
import { ISOLATE } from "../../src/limits.ts";
import { json, type MediaObject, bearer, variantOf } from "../../scripts/harness/api.ts";
import { type Bitmap, psnr } from "../../scripts/harness/ssim.ts";

const WIDTH = 10_320;
const HEIGHT = 7740;
/** So many sides of noise that each pass is read in several parts. */
const NOISE_SIDE = 2400;

async function bitmapOf(image: Sharp): Promise<Bitmap> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, data };
}

let master: Buffer;
/** Its pixels: to decode it takes as long as a build. */
let whole: Sharp;
beforeAll(async () => {
  const size = { width: NOISE_SIDE, height: NOISE_SIDE, channels: 3 as const, background: "#000" };
  const noise = sharp({ create: { ...size, noise: { type: "gaussian", mean: 128, sigma: 30 } } });
  const disc = Buffer.from(
    '<svg width="2064" height="2064"><circle cx="1000" cy="1000" r="900" fill="#36c"/></svg>',
  );
  const ground = { width: WIDTH, height: HEIGHT, channels: 3 as const, background: "#fd8" };
  master = await sharp({ create: ground, limitInputPixels: false })
    .composite([
      { input: disc, tile: true },
      { input: await noise.png().toBuffer(), left: 3000, top: 2500 },
    ])
    .removeAlpha()
    .png({ progressive: true, compressionLevel: 1 })
    .toBuffer();
  const { data } = await bitmapOf(sharp(master, { limitInputPixels: false }));
  whole = sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 }, limitInputPixels: false });
});

it("80 megapixels, interlaced, become variants of every size, and a placeholder, within an isolate's memory", async () => {
  expect(master.length).toBeGreaterThan(10e6);
  await whileRunning(async ({ service, growthBytes }) => {
    const { space, ids } = await spaceWith(service, [master]);
    const id = ids[0] ?? "";
    const placeholderOf = async (): Promise<MediaObject["placeholder"]> => {
      const answer = await fetch(`${space.api}/media/${id}`, { headers: bearer(space.key) });
      return (await json<MediaObject>(answer)).placeholder;
    };
    for (const [width, format, least] of [
      [1000, "webp", 30],
      [6400, "png", 40],
      [6400, "jpeg", 30],
    ] as const) {
      const { bytes } = await variantOf(space, id, `w=${width}&fm=${format}`);
      const expected = await bitmapOf(whole.clone().resize(width));
      expect(psnr(await bitmapOf(sharp(bytes)), expected), `${width} ${format}`).toBeGreaterThan(least);
    }
    await expect.poll(placeholderOf, { interval: 500 }).not.toBeNull();
    expect(growthBytes()).toBeLessThan(ISOLATE.totalBytes);
  });
});
