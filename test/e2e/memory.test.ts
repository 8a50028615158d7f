/**
 * The builder's process as the kernel sees it: 80-megapixel photos grow it by less than an isolate may hold, and
 * several no further than one. All of a process counts here: what V8 compiles, garbage, and pages of the program.
 * `npm run bench resident` makes ten builds in a row of every kind.
 */
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { spaceWith, whileRunning } from "../../scripts/bench/running.ts";
import { ISOLATE } from "../../src/limits.ts";
import { variantOf } from "../../scripts/harness/api.ts";

const WIDTH = 10_320;
const HEIGHT = 7740;
const MEGABYTE_BYTES = 1e6;

/** Light and shade with grain, which is repeated: what a codec takes for it is what it takes for any other. */
const PIECE = { width: WIDTH / 4, height: HEIGHT / 4 };

const noise = (width: number, height: number, sigma: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: "#000", noise: { type: "gaussian", mean: 128, sigma } },
  })
    .png()
    .toBuffer();

const masters: Record<string, Buffer> = {};
beforeAll(async () => {
  const [light, grain] = [await noise(64, 48, 60), await noise(512, 512, 24)];
  const photo = await sharp(light)
    .resize(PIECE.width, PIECE.height, { fit: "fill" })
    .toFormat("raw")
    .toBuffer();
  const piece = await sharp(photo, { raw: { ...PIECE, channels: 3 } })
    .composite([{ input: grain, tile: true, blend: "soft-light" }])
    .removeAlpha()
    .raw()
    .toBuffer();
  const all = await sharp(piece, { raw: { ...PIECE, channels: 3 } })
    .extend({ right: WIDTH - PIECE.width, bottom: HEIGHT - PIECE.height, extendWith: "repeat" })
    .raw()
    .toBuffer();
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 as const };
  for (const progressive of [false, true]) {
    masters[progressive ? "progressive" : "baseline"] = await sharp(all, { raw, limitInputPixels: false })
      .jpeg({ quality: 88, progressive })
      .toBuffer();
  }
});

interface Row {
  name: string;
  /** In this order in one process: each needs more than the one before. */
  of: string[];
  /** The largest first: none of the others needs more than it left. */
  queries: string[];
  /** How often each master is there. */
  copies: number;
  /**
   * What the builds of a master after the first may add: one leaves about 0.4 MB of promises and streams until V8 next
   * collects, and an encoder's hot code is compiled again when it is known better. Reads of 4 KB left 13 MB per build,
   * and the platform's deflater with a large PNG 25.
   */
  allowanceBytes: number;
}

/** Of the two coarser resolutions at which the JPEG is read: a quarter for the first, an eighth for the others. */
const webps = [1600, 1000, 236].map((w) => `w=${w}&fm=webp`);
/** The largest: files of tens of megabytes, in parts. */
const pngs = ["w=6400&fm=png"];

it.each<Row>([
  {
    name: "baseline, then progressive, to WebP",
    of: ["baseline", "progressive"],
    queries: webps,
    copies: 1,
    allowanceBytes: 6 * MEGABYTE_BYTES,
  },
  {
    name: "progressive, to PNG",
    of: ["progressive"],
    queries: pngs,
    copies: 2,
    allowanceBytes: 12 * MEGABYTE_BYTES,
  },
])(
  "80 megapixels, $name: one build and several stay within an isolate's memory",
  async ({ of, queries, copies, allowanceBytes }) => {
    await whileRunning(async ({ service, growthBytes }) => {
      for (const master of of) {
        const file = masters[master] as Buffer;
        expect(file.length).toBeGreaterThan(10 * MEGABYTE_BYTES);
        const { space, ids } = await spaceWith(service, Array<Buffer>(copies).fill(file));
        const grown: number[] = [];
        for (const id of ids) {
          for (const query of queries) {
            await variantOf(space, id, query);
            grown.push(growthBytes());
          }
        }
        // Peaks: they only rise.
        const [one, all] = [Math.min(...grown), Math.max(...grown)];
        expect(all, master).toBeLessThan(ISOLATE.totalBytes);
        expect(all - one, master).toBeLessThan(allowanceBytes);
      }
    });
  },
);
