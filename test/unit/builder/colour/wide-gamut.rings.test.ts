/** Variants in Display P3 (RULES 9.10): read by lcms through libvips, in Chromium and in Firefox. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { VariantSpec } from "../../../../src/image/model/variant.ts";
import { findBrowser, shownBy } from "../../../../scripts/harness/browsers.ts";
import { build, planFor } from "../../../../scripts/harness/builds.ts";
import { firefoxScreenshot } from "../../../../scripts/harness/firefox-screenshot.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { intoPng, withCodePoints } from "../../../../scripts/samples/colour/profiles.ts";
import { rounds } from "../../../support/ring.ts";

const P3 = { gamut: "p3" } as const;
const PATIENCE_MS = 240_000;
const PATCH = 64;
/** Colours of Display P3, as its samples: the first four are outside sRGB. */
const COLOURS = [
  [255, 0, 0],
  [0, 255, 0],
  [20, 240, 200],
  [255, 200, 0],
  [0, 0, 255],
  [128, 128, 128],
  [180, 120, 90],
  [255, 255, 255],
] as const;
const WIDTH = PATCH * COLOURS.length;

/** The master: patches of these samples, which a profile that libvips wrote calls Display P3. */
let master: Buffer;
let plain: Buffer;
/** Display P3 as libvips writes it. */
let displayP3: Buffer;

beforeAll(async () => {
  const data = Buffer.alloc(WIDTH * PATCH * 3);
  for (let i = 0; i < WIDTH * PATCH; i++) data.set(COLOURS[Math.floor((i % WIDTH) / PATCH)]!, 3 * i);
  plain = await sharp(data, { raw: { width: WIDTH, height: PATCH, channels: 3 } })
    .png()
    .toBuffer();
  const tiny = sharp({ create: { width: 1, height: 1, channels: 3, background: "#fff" } });
  const { icc } = await sharp(await tiny.png().withIccProfile("p3").toBuffer()).metadata();
  displayP3 = icc!;
  master = intoPng(plain, displayP3);
});

/** Returns the colours in the middle of each patch. @param top the row of pixels at which the patches begin */
const patches = (data: Uint8Array, channels: number, top = 0): number[][] =>
  COLOURS.map((_, i) => {
    const at = channels * ((top + PATCH / 2) * WIDTH + i * PATCH + PATCH / 2);
    return [...data.subarray(at, at + 3)];
  });

function closeTo(seen: number[][], most: number, name: string): void {
  const farthest = seen.flatMap((colour, i) => colour.map((sample, c) => Math.abs(sample - COLOURS[i]![c]!)));
  expect(Math.max(...farthest), `${name}: ${JSON.stringify(seen)}`).toBeLessThanOrEqual(most);
}

/**
 * Has lcms read samples by the profile, and write them in its own Display P3. Pictures of 16 bits are those that sharp
 * does not lead through sRGB.
 */
async function expectDisplayP3(icc: Buffer): Promise<void> {
  expect(icc.length).toBeLessThan(600);
  const samples = Uint16Array.from(COLOURS.flat(), (sample) => 257 * sample);
  const raw = { width: COLOURS.length, height: 1, channels: 3 } as const;
  const png = await sharp(samples, { raw }).toColourspace("rgb16").png().toBuffer();
  const { data } = await sharp(intoPng(png, icc))
    .toColourspace("rgb16")
    .withIccProfile("p3")
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  const read = new Uint16Array(data.buffer, data.byteOffset, samples.length);
  closeTo(
    COLOURS.map((_, i) => [...read.subarray(3 * i, 3 * i + 3)].map((sample) => sample / 257)),
    1,
    "lcms",
  );
}

const FORMATS = ["png", "jpeg", "webp", "avif"] as const;
/** JPEG and WebP round in YCbCr; WebP halves chroma, which patches survive. */
const CODED = { png: 0, jpeg: 2, webp: 4, avif: 2 } as const;

describe.each(FORMATS)("a %s in Display P3", (format) => {
  it("has the samples of its master, and says that they are Display P3", async () => {
    const { bytes, spec } = await build(master, { format, quality: 100, settings: P3 });
    expect(spec.gamut).toBe("p3");
    const { data, info } = await sharp(bytes, { ignoreIcc: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    closeTo(patches(data, info.channels), CODED[format], format);
    const { icc } = await sharp(bytes).metadata();
    if (format === "avif")
      expect(bytes.includes(Buffer.from("colrnclx\0\x0c\0\x0d\0\x06\x80", "latin1"))).toBe(true);
    else await expectDisplayP3(icc!);
  });

  it("is not made of a master in sRGB: the bytes are the same under either setting", async () => {
    for (const file of [plain, withCodePoints(plain, 1, 13)]) {
      const [p3, srgb] = [await build(file, { format, settings: P3 }), await build(file, { format })];
      expect(p3.spec).toEqual(srgb.spec);
      expect(p3.bytes.equals(srgb.bytes)).toBe(true);
    }
  });

  it("is not made under the setting srgb: its colours are clipped to sRGB", async () => {
    const { bytes, spec } = await build(master, { format, quality: 100 });
    expect([spec.gamut, (await sharp(bytes).metadata()).hasProfile]).toEqual([undefined, false]);
  });
});

it("has backgrounds in its own samples, beside and below a picture", () => {
  const facts = probe(master);
  const place = { left: 0, top: 224, width: WIDTH, height: PATCH };
  const spec: VariantSpec = {
    ...{ width: WIDTH, height: WIDTH, quality: 80, animated: false, background: "ff0000" },
    ...{ format: "jpeg", gamut: "p3", pad: { ratio: { width: 1, height: 1 }, place } },
  };
  const { pad, colour } = planFor(facts, master.length, spec) as unknown as {
    pad: { colour: string };
    colour: { background: string; gamut: string };
  };
  // Red of sRGB in Display P3.
  expect([pad.colour, colour]).toMatchObject(["ea3323", { background: "ea3323", gamut: "p3" }]);
});

const command = findBrowser("chromium");
if (command === null) console.warn("No Chromium here: what it shows of Display P3 is not looked at.");

it.skipIf(command === null)(
  "shows Chromium the colours of its master within 2 of 255, in every format",
  async () => {
    const files = [];
    for (const format of FORMATS) {
      const { bytes } = await build(master, { format, quality: 100, settings: P3 });
      files.push({ bytes, type: `image/${format}`, colourSpace: "display-p3" as const });
    }
    const shown = await shownBy("chromium", command!, files);
    shown.forEach(({ bitmap, error }, i) => {
      expect(error).toBeNull();
      closeTo(patches(bitmap!.data, 4), FORMATS[i] === "webp" ? 4 : 2, `Chromium, ${FORMATS[i]}`);
    });
  },
  PATIENCE_MS,
);

const firefox = findBrowser("firefox");
if (firefox === null) console.warn("No Firefox here: what it shows of Display P3 is not looked at.");

// Firefox takes some seconds of the processor to start: in the second ring.
it.skipIf(firefox === null || rounds(0, 1) === 0)(
  "shows Firefox on a display of Display P3 the colours of its master within 2 of 255, in every format",
  async () => {
    const files = [];
    for (const format of FORMATS) {
      const { bytes } = await build(master, { format, quality: 100, settings: P3 });
      files.push({ bytes, type: `image/${format}` });
    }
    const size = { width: WIDTH, height: PATCH * FORMATS.length };
    const shot = await sharp(firefoxScreenshot(firefox!, files, displayP3, size))
      .removeAlpha()
      .raw()
      .toBuffer();
    FORMATS.forEach((format, i) =>
      closeTo(patches(shot, 3, i * PATCH), format === "webp" ? 4 : 2, `Firefox, ${format}`),
    );
  },
  PATIENCE_MS,
);
