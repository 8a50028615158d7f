/**
 * Files of every encoder in real browsers: shown as sharp decodes them, and as well as those of the encoders that
 * hold a picture whole. Needs Chromium or Firefox (CHROMIUM and FIREFOX name them, or PATH has them); what is missing
 * is skipped.
 */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { findBrowser, shownBy } from "../../../scripts/harness/browsers.ts";
import { bitmap, build } from "../../../scripts/harness/builds.ts";
import { casesOf, verdictsOf } from "../../../scripts/harness/browser-verdicts.ts";

/** Several tiles of an AVIF each. */
const SIZES = [
  [402, 300],
  [403, 301],
] as const;
const PATIENCE_MS = 240_000;

const cases = casesOf(SIZES);

/** Chromium's incremental decoder reads ahead, past the modes of so small a picture. */
const COLOURS = [
  { r: 0, g: 0, b: 0 },
  { r: 200, g: 10, b: 10 },
  { r: 128, g: 128, b: 128 },
  { r: 255, g: 255, b: 255 },
] as const;

async function onePixel(background: (typeof COLOURS)[number]): Promise<{ bytes: Uint8Array; type: string }> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background } });
  const { bytes } = await build(await pixel.png().toBuffer(), { format: "webp", quality: 100 });
  return { bytes, type: "image/webp" };
}

describe.each(["chromium", "firefox"] as const)("in %s", (browser) => {
  const command = findBrowser(browser);
  if (command === null) console.warn(`No ${browser} here: what it shows is not looked at.`);

  it.skipIf(command === null)(
    "every output looks as it does to sharp, and as a single encode does",
    async () => {
      const verdicts = await verdictsOf(browser, command ?? "", await cases);
      expect(verdicts.length).toBeGreaterThan(50);
      expect(verdicts.filter(({ fault }) => fault !== null)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it.skipIf(command === null)(
    "a WebP of one pixel shows its colour",
    async () => {
      const files = await Promise.all(COLOURS.map((colour) => onePixel(colour)));
      const shown = await shownBy(browser, command ?? "", files);
      const wanted = await Promise.all(files.map(({ bytes }) => bitmap(sharp(bytes), 4)));
      expect(shown.map((picture) => [...(picture.bitmap?.data ?? [])])).toEqual(
        wanted.map(({ data }) => [...data]),
      );
    },
    PATIENCE_MS,
  );
});
