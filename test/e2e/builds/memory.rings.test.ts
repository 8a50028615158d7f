/**
 * The builder's process as the kernel sees it: 80-megapixel photos grow it by less than an isolate may hold, and
 * several no further than one. All of a process counts here: code that V8 compiles, garbage, and pages of the program.
 * `npm run bench resident` measures the largest build of every kind, part by part.
 */
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { whileRunning } from "../../../scripts/bench/service/running.ts";
import { ISOLATE } from "../../../src/limits.ts";
import { newSpace, upload, variantOf } from "../../../scripts/harness/api.ts";
import { described } from "../../support/placeholders/described.ts";
import { ofRing, rounds } from "../../support/ring.ts";

/** The length of each side: a quarter of the 80 megapixels in the first ring. */
const SHARE = rounds(0.5, 1);
const WIDTH = 10_320 * SHARE;
const HEIGHT = 7740 * SHARE;
const MEGABYTE_BYTES = 1e6;

/** Light and shade with grain, which is repeated: a codec takes as much memory for it as for any other picture. */
const PIECE = { width: Math.floor(WIDTH / 4), height: Math.floor(HEIGHT / 4) };

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
  for (const progressive of ofRing([false, true], 2)) {
    masters[progressive ? "progressive" : "baseline"] = await sharp(all, { raw, limitInputPixels: false })
      .jpeg({ quality: 88, progressive })
      .toBuffer();
  }
});

/**
 * The widths at the two coarser resolutions at which the JPEG is read: a quarter for the first, an eighth for the
 * second.
 */
const WEBPS = ["w=1600&fm=webp", "w=1000&fm=webp"];
/** A file of tens of megabytes, in parts. */
const PNGS = ["w=4096&fm=png"];

/**
 * The bytes that the builds of a step may add after the first: one leaves about 0.4 MB of promises and streams until V8
 * next collects, and an encoder's hot code is compiled again when it is known better. Reads of 4 KB left 13 MB per
 * build, and the platform's deflater 25 with a PNG of 30 megapixels.
 */
const ALLOWANCE_BYTES = { webp: 6 * MEGABYTE_BYTES, png: 8 * MEGABYTE_BYTES } as const;

it(`${Math.round((WIDTH * HEIGHT) / 1e6)} megapixels: one build and several stay within an isolate's memory`, async () => {
  for (const file of Object.values(masters))
    expect(file.length).toBeGreaterThan(10 * MEGABYTE_BYTES * SHARE ** 2);
  await whileRunning(async ({ service, growthBytes }) => {
    const space = await newSpace(service);
    /** Uploads a master and waits for its placeholder, which an idle queue would make within the first step or after it. */
    const add = async (master: string): Promise<string> => {
      const { id } = await upload(space, masters[master] as Buffer);
      await described(space, id);
      return id;
    };
    /** Builds in a row. Peaks only rise, so each step needs more than the one before. */
    const expectSteady = async (ids: string[], queries: string[], allowanceBytes: number): Promise<void> => {
      const grown: number[] = [];
      for (const id of ids) {
        for (const query of queries) {
          await variantOf(space, id, query);
          grown.push(growthBytes());
        }
      }
      const [one, all] = [Math.min(...grown), Math.max(...grown)];
      expect(all, queries.join()).toBeLessThan(ISOLATE.totalBytes);
      expect(all - one, queries.join()).toBeLessThan(allowanceBytes);
    };
    await expectSteady([await add("baseline")], WEBPS, ALLOWANCE_BYTES.webp);
    if (!("progressive" in masters)) return;
    const progressive = await add("progressive");
    await expectSteady([progressive], WEBPS, ALLOWANCE_BYTES.webp);
    await expectSteady([progressive, await add("progressive")], PNGS, ALLOWANCE_BYTES.png);
  });
});
