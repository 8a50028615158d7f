/**
 * Files of every encoder in real browsers: shown as sharp decodes them, and as well as those of the encoders that hold
 * a picture whole. In Chromium in the first ring, in Firefox in the second (CHROMIUM and FIREFOX name them, or PATH has
 * them); a missing browser is skipped.
 */
import sharp from "sharp";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { encodeWebp } from "../../../src/builder/codecs/webp/encoder.ts";
import { type Picture, rowsOf, workspaceIn } from "../../../scripts/harness/png-rows.ts";
import { psnr } from "../../../scripts/harness/ssim.ts";
import { onGround } from "../../../scripts/samples/svg/svg.ts";
import { coloured, shown } from "../../support/pictures/coloured-pictures.ts";
import { chunksOf } from "../../support/pictures/webp-rows-reader.ts";
import { type File, findBrowser, type Shown, shownBy } from "../../../scripts/harness/browsers.ts";
import { bitmap, build } from "../../../scripts/harness/builds.ts";
import { casesOf, filesOf, verdictsOn } from "../../../scripts/harness/browser-verdicts.ts";
import { BROWSER_OF_RING } from "../../support/ring.ts";

/** Several tiles of an AVIF each. */
const SIZES = [
  [258, 194],
  [259, 195],
] as const;
const PATIENCE_MS = 240_000;

/** Chromium's incremental decoder reads ahead, past the modes of so small a picture. */
const COLOURS = [
  { r: 0, g: 0, b: 0 },
  { r: 200, g: 10, b: 10 },
  { r: 128, g: 128, b: 128 },
  { r: 255, g: 255, b: 255 },
] as const;

async function onePixel(background: (typeof COLOURS)[number]): Promise<File> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background } });
  const { bytes } = await build(await pixel.png().toBuffer(), { format: "webp", quality: 100 });
  return { bytes, type: "image/webp" };
}

/** Each way in which a WebP without loss is coded: palettes of 1, 2, 4 and 8 bits, a cache of colours, predictions. */
const WITHOUT_LOSS: Picture[] = [2, 4, 16, 200, 900, 4000].flatMap((colours) =>
  (["rgb", "rgba"] as const).map((layout) => coloured(colours, 203, 151, 7, layout)),
);
WITHOUT_LOSS.push(slope(203, 151));

/** Returns smooth colours in steps, which are predicted. */
function slope(width: number, height: number): Picture {
  const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => {
    const pixel = Math.floor(i / 3);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    return [x & 0xfc, (255 - y) & 0xfc, ((x + y) >> 1) & 0xf0][i % 3]!;
  });
  return { width, height, layout: "rgb", data };
}

async function withoutLoss(picture: Picture): Promise<File> {
  const { chunks } = await encodeWebp(workspaceIn(), rowsOf(picture, 16), {
    quality: 100,
    mayBeLossless: true,
  });
  const bytes = Buffer.concat(chunks);
  expect([...chunksOf(bytes).keys()]).toContain("VP8L");
  return { bytes: Uint8Array.from(bytes), type: "image/webp" };
}

const cases = casesOf(SIZES);
const pixelsAlone = Promise.all(COLOURS.map(onePixel));
const exact = Promise.all(WITHOUT_LOSS.map(withoutLoss));

describe.each([BROWSER_OF_RING[inject("ring")]])("in %s", (browser) => {
  const command = findBrowser(browser);
  if (command === null) console.warn(`No ${browser} here: what it shows is not looked at.`);

  /** The pixels that a browser shows of each kind of files. A start of a browser takes longer than all of them. */
  const shownAs: Record<"cases" | "pixelsAlone" | "exact", Shown[]> = {
    cases: [],
    pixelsAlone: [],
    exact: [],
  };
  beforeAll(async () => {
    if (command === null) return;
    const files = { cases: filesOf(await cases), pixelsAlone: await pixelsAlone, exact: await exact };
    const all = await shownBy(browser, command, [...files.cases, ...files.pixelsAlone, ...files.exact]);
    for (const kind of ["cases", "pixelsAlone", "exact"] as const)
      shownAs[kind] = all.splice(0, files[kind].length);
  }, PATIENCE_MS);

  it.skipIf(command === null)(
    "every output looks as it does to sharp, and as a single encode does",
    async () => {
      const verdicts = await verdictsOn(await cases, shownAs.cases);
      expect(verdicts.length).toBeGreaterThan(45);
      expect(verdicts.filter(({ fault }) => fault !== null)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it.skipIf(command === null)("a WebP of one pixel shows its colour", async () => {
    const files = await pixelsAlone;
    const wanted = await Promise.all(files.map(({ bytes }) => bitmap(sharp(bytes), 4)));
    expect(shownAs.pixelsAlone.map((picture) => [...(picture.bitmap?.data ?? [])])).toEqual(
      wanted.map(({ data }) => [...data]),
    );
  });

  it.skipIf(command === null)("a WebP without loss is exact, and with alpha as exact as the canvas", () => {
    for (const [i, picture] of WITHOUT_LOSS.entries()) {
      const { bitmap: own, error } = shownAs.exact[i]!;
      expect(error).toBeNull();
      const wanted = { ...picture, channels: 4, data: shown(picture) };
      if (picture.layout === "rgb") expect(Buffer.compare(own!.data, wanted.data), `picture ${i}`).toBe(0);
      // A canvas multiplies colours by alpha and divides them again.
      expect(psnr(onGround(own!, 255), onGround(wanted, 255)), `picture ${i}`).toBeGreaterThan(45);
    }
  });
});
