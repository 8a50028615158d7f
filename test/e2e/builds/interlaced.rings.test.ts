/** An interlaced PNG of 80 megapixels over HTTP: its parts are read by the builder through the queue. */
import sharp, { type Sharp } from "sharp";
import { beforeAll, expect, it } from "vitest";
import { spaceWith, whileRunning } from "../../../scripts/bench/service/running.ts";
import { ISOLATE } from "../../../src/limits.ts";
import { json, type MediaObject, bearer, variantOf } from "../../../scripts/harness/api.ts";
import { type Bitmap, psnr } from "../../../scripts/harness/ssim.ts";
import { ofRing, rounds } from "../../support/ring.ts";

/** The length of each side: a quarter of the 80 megapixels in the first ring. */
const SHARE = rounds(0.5, 1);
const WIDTH = 10_320 * SHARE;
const HEIGHT = 7740 * SHARE;
/** So many sides of noise that each pass is read in several parts. */
const NOISE = { left: 3000 * SHARE, top: 2500 * SHARE, side: 2400 * SHARE };
/** The side of what is repeated beside it. */
const TILE = 2064 * SHARE;

async function bitmapOf(image: Sharp): Promise<Bitmap> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, data };
}

/** The pixels of the master, and its file. */
let whole: Sharp;
let master: Buffer;
beforeAll(async () => {
  const disc = `<svg width="${TILE}" height="${TILE}"><rect width="100%" height="100%" fill="#fd8"/>
    <circle cx="50%" cy="50%" r="44%" fill="#36c"/></svg>`;
  const { data } = await bitmapOf(
    sharp(await sharp(Buffer.from(disc)).removeAlpha().png().toBuffer()).extend({
      right: WIDTH - TILE,
      bottom: HEIGHT - TILE,
      extendWith: "repeat",
    }),
  );
  const { left, top, side } = NOISE;
  const size = { width: side, height: side, channels: 3 as const, background: "#000" };
  const noise = await bitmapOf(
    sharp({ create: { ...size, noise: { type: "gaussian", mean: 128, sigma: 30 } } }).removeAlpha(),
  );
  for (let y = 0; y < side; y++)
    data.set(noise.data.subarray(3 * y * side, 3 * (y + 1) * side), 3 * ((top + y) * WIDTH + left));
  whole = sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 }, limitInputPixels: false });
  master = await whole.clone().png({ progressive: true, compressionLevel: 1 }).toBuffer();
});

it(`${Math.round((WIDTH * HEIGHT) / 1e6)} megapixels, interlaced, become variants of every size, and a placeholder, within an isolate's memory`, async () => {
  expect(master.length).toBeGreaterThan(10e6 * SHARE ** 2);
  await whileRunning(async ({ service, growthBytes }) => {
    const { space, ids } = await spaceWith(service, [master]);
    const id = ids[0] ?? "";
    const placeholderOf = async (): Promise<MediaObject["placeholder"]> => {
      const answer = await fetch(`${space.api}/media/${id}`, { headers: bearer(space.key) });
      return (await json<MediaObject>(answer)).placeholder;
    };
    const variants = [
      [1000, "webp", 30],
      [2560, "png", 40],
      [6400, "jpeg", 30],
    ] as const;
    for (const [width, format, least] of ofRing(variants, 3)) {
      const { bytes } = await variantOf(space, id, `w=${width}&fm=${format}`);
      const expected = await bitmapOf(whole.clone().resize(width));
      expect(psnr(await bitmapOf(sharp(bytes)), expected), `${width} ${format}`).toBeGreaterThan(least);
    }
    await expect.poll(placeholderOf, { interval: 500 }).not.toBeNull();
    expect(growthBytes()).toBeLessThan(ISOLATE.totalBytes);
  });
});
