/**
 * The builder's process as the kernel sees it: 80-megapixel photos grow it by less than an isolate may hold, and ten
 * of them no further than one. All of a process counts here: what V8 compiles, garbage, and pages of the program.
 */
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { spaceWith, whileRunning } from "../../scripts/bench/running.ts";
import { ISOLATE } from "../../src/limits.ts";
import { variantOf } from "../support/api.ts";

const WIDTH = 10_320;
const HEIGHT = 7740;
/**
 * What ten builds may add to one: a build leaves about 0.4 MB of promises and streams until V8 next collects, and
 * an encoder's hot code is compiled again when it is known better. Reads of 4 KB left 13 MB a build.
 */
const ALLOWANCE_BYTES = 12e6;
const MINUTE_MS = 60_000;

const noise = (width: number, height: number, sigma: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: "#000", noise: { type: "gaussian", mean: 128, sigma } },
  })
    .png()
    .toBuffer();

const masters: Record<string, Buffer> = {};
beforeAll(async () => {
  const [light, grain] = [await noise(64, 48, 60), await noise(512, 512, 24)];
  const photo = await sharp(light).resize(WIDTH, HEIGHT, { fit: "fill" }).toFormat("raw").toBuffer();
  for (const progressive of [false, true]) {
    masters[progressive ? "progressive" : "baseline"] = await sharp(photo, {
      raw: { width: WIDTH, height: HEIGHT, channels: 3 },
      limitInputPixels: false,
    })
      .composite([{ input: grain, tile: true, blend: "soft-light" }])
      .jpeg({ quality: 88, progressive })
      .toBuffer();
  }
}, 3 * MINUTE_MS);

/** The largest first: none of the others needs more than it left. */
const FIRST = "w=1600&fm=webp&q=90";
const OTHERS = [
  "w=1600&fm=webp&q=80",
  ...[1000, 750, 500, 236].flatMap((w) => [90, 80].map((q) => `w=${w}&fm=webp&q=${q}`)),
];

it.each(["baseline", "progressive"])(
  "80 megapixels, %s: one build and ten stay within an isolate's memory",
  async (kind) => {
    const master = masters[kind] as Buffer;
    expect(master.length).toBeGreaterThan(10e6);
    await whileRunning(async ({ service, growthBytes }) => {
      const { space, ids } = await spaceWith(service, [master]);
      const build = (query: string): Promise<unknown> => variantOf(space, ids[0] ?? "", query);
      await build(FIRST);
      const one = growthBytes();
      for (const query of OTHERS) await build(query);
      const ten = growthBytes();
      expect(one).toBeLessThan(ISOLATE.totalBytes);
      expect(ten).toBeLessThan(ISOLATE.totalBytes);
      expect(ten - one).toBeLessThan(ALLOWANCE_BYTES);
    });
  },
  4 * MINUTE_MS,
);
