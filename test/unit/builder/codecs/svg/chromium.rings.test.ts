/**
 * Drawings as tools export them, against headless Chromium: the stored file looks in it as the original did, to the
 * pixel, and the builder's raster looks as it does there.
 */
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { faultsOf } from "../../../../../scripts/harness/svg-check.ts";
import { bitmap, build } from "../../../../../scripts/harness/builds.ts";
import { Browser, chromium } from "../../../../support/chromium.ts";
import { psnr, type Bitmap } from "../../../../../scripts/harness/ssim.ts";
import { gapSamples } from "../../../../../scripts/samples/svg/gaps.ts";
import { styleSamples } from "../../../../../scripts/samples/svg/styles.ts";
import { selectorSamples } from "../../../../../scripts/samples/svg/selectors.ts";
import { drawings, exported, onGround, sanitize, svg } from "../../../../../scripts/samples/svg/svg.ts";
import { ofRing } from "../../../../support/ring.ts";

const WIDTH = 500;
const files = ofRing([...drawings, ...exported], 3);
/** Edges are smoothed in different ways, and letters are placed so. */
const LEAST_PSNR_DB = 26;
const LEAST_PSNR_OF_TEXT_DB: Record<string, number> = { "text.svg": 22, "badge.svg": 20 };

/** Returns whether the picture holds more different samples than `count`. */
function hasMoreThan(count: number, { data }: Bitmap): boolean {
  const found = new Set<number>();
  return data.some((sample) => found.add(sample).size > count);
}

const browser = new Browser();
afterAll(() => browser.close());

/** Draws all drawings below one another, each `WIDTH` wide; none where there is no Chromium. */
async function drawnByChromium(documents: { file: string; height: number }[]): Promise<Bitmap[]> {
  if (chromium === null) return [];
  const height = documents.reduce((sum, document) => sum + document.height, 0);
  const images = documents.map(({ file, height: rows }) => {
    const source = `data:image/svg+xml;base64,${Buffer.from(file).toString("base64")}`;
    return `<img src="${source}" style="display:block;width:${WIDTH}px;height:${rows}px">`;
  });
  const page = await browser.screenshot(images.join(""), { width: WIDTH, height });
  let from = 0;
  return documents.map(({ height: rows }) => {
    const data = page.data.subarray(from, (from += rows * WIDTH * 3));
    return { width: WIDTH, height: rows, channels: 3, data };
  });
}

describe.skipIf(chromium === null)("a drawing in Chromium", async () => {
  const stored = files.map(([, file]) => sanitize(file.toString()));
  const heights = stored.map(({ facts }) => Math.round((WIDTH * facts.height) / facts.width));
  const before = await drawnByChromium(
    files.map(([, file], i) => ({ file: file.toString(), height: heights[i]! })),
  );
  const after = await drawnByChromium(
    stored.map(({ document }, i) => ({ file: document, height: heights[i]! })),
  );

  it.each(files.map(([name], i) => [name, i] as const))("%s is stored unchanged to the pixel", (_, i) => {
    expect(hasMoreThan(2, before[i]!)).toBe(true);
    expect(Buffer.compare(after[i]!.data, before[i]!.data)).toBe(0);
  });

  it.each(files.map(([name], i) => [name, i] as const))(
    "%s is drawn alike by the builder",
    async (name, i) => {
      const { document, facts } = stored[i]!;
      const { bytes } = await build(
        Buffer.from(document),
        { width: WIDTH, format: "png", effort: "quick" },
        facts,
      );
      const mine = onGround(await bitmap(sharp(bytes), 4), 255);
      expect(psnr(mine, before[i]!), name).toBeGreaterThan(LEAST_PSNR_OF_TEXT_DB[name] ?? LEAST_PSNR_DB);
    },
  );
});

/** Edges count for more in drawings of a few of them. */
const LEAST_PSNR_OF_SAMPLES_DB = 30;
/** Letters and lines below them are placed between pixels. */
const LEAST_PSNR_OF_TEXT_SAMPLES_DB = 22;

const samples = ofRing(Object.entries({ ...styleSamples, ...gapSamples }), 3);

describe.skipIf(chromium === null)("a style in Chromium", async () => {
  const stored = samples.map(([name, body]) => ({ name, ...sanitize(svg(body)) }));
  const seen = await drawnByChromium(stored.map(({ document }) => ({ file: document, height: WIDTH })));

  it.each(stored.map(({ name }, i) => [name, i] as const))(
    "%s is drawn alike by the builder",
    async (name, i) => {
      const { document, facts } = stored[i]!;
      const { bytes } = await build(
        Buffer.from(document),
        { width: WIDTH, format: "png", effort: "quick" },
        facts,
      );
      const mine = onGround(await bitmap(sharp(bytes), 4), 255);
      expect(hasMoreThan(1, seen[i]!), "something is drawn").toBe(true);
      const least = name.startsWith("text ") ? LEAST_PSNR_OF_TEXT_SAMPLES_DB : LEAST_PSNR_OF_SAMPLES_DB;
      expect(psnr(mine, seen[i]!)).toBeGreaterThan(least);
    },
  );
});

describe.skipIf(chromium === null)("a style sheet in Chromium", async () => {
  const stored = ofRing(Object.entries(selectorSamples), 3).map(([name, body]) => ({
    name,
    original: svg(body),
    ...sanitize(svg(body)),
  }));
  const before = await drawnByChromium(stored.map(({ original }) => ({ file: original, height: WIDTH })));
  const after = await drawnByChromium(stored.map(({ document }) => ({ file: document, height: WIDTH })));
  const cases = stored.map(({ name }, i) => [name, i] as const);

  it.each(cases)("%s is stored unchanged to the pixel, and is safe", (_, i) => {
    const hasColour = before[i]!.data.some(
      (sample, at) => at % 3 === 0 && sample !== before[i]!.data[at + 1],
    );
    expect(hasColour, "something is painted").toBe(true);
    expect(Buffer.compare(after[i]!.data, before[i]!.data)).toBe(0);
    expect(faultsOf(stored[i]!.document)).toEqual([]);
    expect(sanitize(stored[i]!.document).document).toBe(stored[i]!.document);
  });

  it.each(cases)("%s is drawn alike by the builder", async (_, i) => {
    const { document, facts } = stored[i]!;
    const { bytes } = await build(
      Buffer.from(document),
      { width: WIDTH, format: "png", effort: "quick" },
      facts,
    );
    const mine = onGround(await bitmap(sharp(bytes), 4), 255);
    expect(psnr(mine, before[i]!)).toBeGreaterThan(LEAST_PSNR_OF_SAMPLES_DB);
  });
});
