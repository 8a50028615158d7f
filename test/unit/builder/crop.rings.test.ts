/** Crops of every kind of master (RULES 5.9): against the same part of the whole, and against sharp's. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { croppedDrawing } from "../../../src/image/formats/svg/crop.ts";
import type { SvgFacts } from "../../../src/image/model/facts.ts";
import { OUTPUT_FORMATS } from "../../../src/image/formats/registry.ts";
import { buildAnimated, framesOf } from "../../../scripts/harness/animation-frames.ts";
import { bitmap, build } from "../../../scripts/harness/builds.ts";
import { type Bitmap, psnr } from "../../../scripts/harness/ssim.ts";
import { sample } from "../../../scripts/samples/animation/samples.ts";
import { writeApng, writeGif, writeWebpAnimation } from "../../../scripts/samples/animation/writers.ts";
import { gridAvif } from "../../../scripts/samples/avif/grids.ts";
import { MASTERS } from "../../../scripts/samples/ledger-matrix.ts";
import { cutout, photo } from "../../../scripts/samples/pictures.ts";
import { property } from "../../../scripts/samples/probe/avif.ts";
import { drawings, exported, onGround, sanitize } from "../../../scripts/samples/svg/svg.ts";
import { extract } from "../../support/pictures/extract.ts";
import { ofRing } from "../../support/ring.ts";

const CROPS = [
  { ratio: "1:1", focalPoint: { x: 13, y: 50 } },
  { ratio: "16:9", focalPoint: { x: 50, y: 100 } },
  { ratio: "1:2", focalPoint: { x: 71, y: 0 } },
] as const;

const onWhite = (picture: Bitmap): Bitmap => onGround(picture, 255);
const read = (file: Uint8Array): Promise<Bitmap> => bitmap(sharp(file), 4);

const wholes = new WeakMap<Uint8Array, Promise<Bitmap>>();

/** Returns the whole picture as we build it, once per file. */
function wholeOf(file: Uint8Array): Promise<Bitmap> {
  const whole =
    wholes.get(file) ?? build(file, { format: "png", effort: "quick" }).then(({ bytes }) => read(bytes));
  wholes.set(file, whole);
  return whole;
}

/** Returns a crop at its own size, and the same part of the whole. */
async function both(file: Uint8Array, ask: (typeof CROPS)[number]): Promise<[Bitmap, Bitmap]> {
  const whole = await wholeOf(file);
  const { bytes, spec } = await build(file, { format: "png", effort: "quick", ...ask });
  const rect = spec.crop!.rect;
  const part = { width: rect.width, height: rect.height, channels: 4, data: extract(whole, rect) };
  const mine = await read(bytes);
  // The height is rounded, the crop's rounded down: a row more is resampled.
  return [mine, mine.height === part.height ? part : mine];
}

describe("a crop at its own size is the part of the whole", () => {
  const masters = Object.keys(MASTERS);

  it.each(masters)("of %s", async (name) => {
    const file = await MASTERS[name]!("photo", 300, 224);
    // In the first ring one crop of each master, the next one of the next.
    const first = masters.indexOf(name);
    const crops = CROPS.map((_, index) => CROPS[(first + index) % CROPS.length]!);
    for (const ask of ofRing(crops, CROPS.length)) {
      const [mine, part] = await both(file, ask);
      expect([mine.width, mine.height]).toEqual([part.width, part.height]);
      expect(psnr(onWhite(mine), onWhite(part)), ask.ratio).toBe(Infinity);
    }
  });

  for (const turns of [0, 1, 2, 3]) {
    it(`of an AVIF grid with an aperture, after ${turns} turns`, async () => {
      const picture = await (turns % 2 ? cutout : photo)(400, 300);
      const aperture = property.clap([400, 300], [33, 25, 320, 240]);
      const properties = [aperture, property.irot(turns)];
      const alpha = turns % 2 ? { alpha: "grid" as const } : {};
      const file = gridAvif(picture, { tileWidth: 192, tileHeight: 128, properties, ...alpha });
      for (const ask of CROPS) {
        const [mine, part] = await both(file, ask);
        expect(psnr(onWhite(mine), onWhite(part)), ask.ratio).toBe(Infinity);
      }
    });
  }

  it("of a GIF whose picture covers a part of its canvas, interlaced too", async () => {
    const palette = Array.from({ length: 8 * 3 }, (_, i) => (i * 53) & 255);
    for (const interlaced of [false, true]) {
      for (const [left, top, width, height] of [
        [0, 0, 60, 40],
        [10, 5, 40, 30],
        [50, 30, 10, 10],
        [0, 0, 5, 5],
      ] as const) {
        const indices = Array.from({ length: width * height }, (_, i) => ((i * 5) >> 2) & 7);
        const frame = { left, top, width, height, indices, interlaced, transparent: 2 };
        const file = writeGif({ width: 60, height: 40, palette, frames: [frame] });
        for (const ask of CROPS) {
          const [mine, part] = await both(file, ask);
          expect(psnr(onWhite(mine), onWhite(part)), ask.ratio).toBe(Infinity);
        }
      }
    }
  });

  it("of a WebP that holds one frame of an animation", async () => {
    const rgba = Uint8Array.from({ length: 30 * 20 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7) & 255));
    const frame = { left: 10, top: 4, width: 30, height: 20, rgba };
    const file = await writeWebpAnimation({ width: 60, height: 40, frames: [frame] });
    for (const ask of CROPS) {
      const [mine, part] = await both(file, ask);
      expect(psnr(onWhite(mine), onWhite(part)), ask.ratio).toBe(Infinity);
    }
  });
});

describe("a crop in every format is like sharp's", () => {
  const names = ["jpeg turned", "jpeg progressive turned", "png alpha", "webp", "avif"] as const;
  const pairs = names.flatMap((name) => OUTPUT_FORMATS.map((format) => ({ name, format })));
  // In the first ring, each master and each format at least once.
  const asked = ofRing(pairs, 3);

  for (const name of names) {
    let file: Uint8Array;
    let upright: Bitmap;
    beforeAll(async () => {
      file = await MASTERS[name]!("photo", 640, 480);
      upright = await bitmap(sharp(file).autoOrient(), 4);
    });

    for (const { format } of asked.filter((pair) => pair.name === name)) {
      it(`from ${name} to ${format}`, async () => {
        const { bytes, spec, masterFacts } = await build(file, { ...CROPS[0], width: 300, format });
        expect(masterFacts.width).toBe(name.endsWith("turned") ? 480 : 640);
        expect(await sharp(bytes).metadata()).toMatchObject({ width: 300, height: 300 });
        const { data, width, height } = upright;
        const cut = sharp(data, { raw: { width, height, channels: 4 } })
          .extract(spec.crop!.rect)
          .resize(300, 300, { fit: "fill" });
        const theirs = onWhite(await bitmap(cut, 4));
        expect(psnr(onWhite(await read(bytes)), theirs)).toBeGreaterThan(format === "png" ? 37 : 28);
      });
    }
  }

  it("in tiles of an AVIF too", async () => {
    const file = await MASTERS["jpeg"]!("graphic", 3200, 2400);
    const { bytes, spec } = await build(file, { ...CROPS[0], width: 2200, format: "avif" });
    const cut = sharp(file).extract(spec.crop!.rect).resize(2200, 2200, { fit: "fill" });
    expect(psnr(await bitmap(sharp(bytes), 3), await bitmap(cut, 3))).toBeGreaterThan(28);
  });
});

describe("a crop of a drawing is the part of the drawing", () => {
  it.each(ofRing([...drawings, ...exported], 6))("%s", async (name, document) => {
    const file = Buffer.from(sanitize(document.toString()).document);
    for (const ask of CROPS) {
      for (const width of [64, 240]) {
        const { bytes, spec, masterFacts } = await build(file, {
          ...ask,
          width,
          format: "png",
          effort: "quick",
        });
        if (!spec.crop) continue;
        const mine = await read(bytes);
        expect([mine.width, mine.height]).toEqual([spec.width, spec.height]);
        const { drawn, rect } = croppedDrawing(masterFacts as SvgFacts, spec, spec.crop);
        const all = await build(file, { width: drawn.width, format: "png", effort: "quick" });
        expect(Math.abs(all.spec.height - drawn.height)).toBeLessThanOrEqual(1);
        const whole = await read(all.bytes);
        if (whole.height !== drawn.height) continue;
        const part = { width: rect.width, height: rect.height, channels: 4, data: extract(whole, rect) };
        // Text is laid out anew inside another drawing.
        const least = name === "text.svg" ? 30 : 42;
        expect(psnr(onWhite(mine), onWhite(part)), `${ask.ratio} at ${width}`).toBeGreaterThan(least);
      }
    }
  });

  it("is not distorted by the rounding of a small drawing's own pixels", () => {
    const facts = { width: 24, height: 24 } as SvgFacts;
    const crop = {
      ratio: { width: 16, height: 9 },
      focus: 50,
      rect: { left: 0, top: 5, width: 24, height: 13 },
    };
    expect(croppedDrawing(facts, { width: 2560, height: 1440 }, crop)).toEqual({
      drawn: { width: 2560, height: 2560 },
      rect: { left: 0, top: 560, width: 2560, height: 1440 },
    });
  });
});

describe("an animation is cropped in every frame", () => {
  const exact = async (master: Uint8Array, format: "gif" | "webp") => {
    for (const ask of CROPS) {
      const { bytes, spec } = await buildAnimated(master, { ...ask, format, quality: 100 });
      const [built, whole] = [await framesOf(bytes), await framesOf(master)];
      expect([built.delays, built.plays]).toEqual([whole.delays, whole.plays]);
      expect([built.width, built.height]).toEqual([spec.width, spec.height]);
      const rect = spec.crop!.rect;
      if (rect.height !== spec.height) continue;
      built.frames.forEach((frame, n) => {
        const data = extract({ width: whole.width, channels: 4, data: whole.frames[n]! }, rect);
        const part = { width: rect.width, height: rect.height, channels: 4, data };
        const likeness = psnr(onWhite({ ...part, data: frame }), onWhite(part));
        expect(likeness, `frame ${n}`).toBeGreaterThan(format === "gif" ? 37 : 29);
      });
    }
  };

  it("from GIF and WebP to both", async () => {
    const { gif, webp } = await sample("graphic");
    await exact(gif, "gif");
    await exact(gif, "webp");
    await exact(webp, "webp");
  });

  it("from an animated PNG", async () => {
    const frame = (n: number) => {
      const size = n === 0 ? { width: 50, height: 36 } : { width: 40, height: 30 };
      const rgba = Uint8Array.from({ length: 4 * size.width * size.height }, (_, i) =>
        i % 4 === 3 ? 255 : ((i >> 6) * 9 + n * 60) & 255,
      );
      return { left: 3 * n, top: n, ...size, delayMs: 20 + n, rgba };
    };
    const frames = [frame(0), frame(1), frame(2)];
    await exact(writeApng({ width: 50, height: 36, plays: 2, frames }), "webp");
  });

  it("smaller, as sharp resizes the part of each frame", async () => {
    const { gif } = await sample("graphic");
    const { bytes, spec } = await buildAnimated(gif, {
      ...CROPS[0],
      width: 64,
      format: "webp",
      quality: 100,
    });
    const [built, whole] = [await framesOf(bytes), await framesOf(gif)];
    for (const [n, frame] of built.frames.entries()) {
      const raw = { width: whole.width, height: whole.height, channels: 4 as const };
      const cut = sharp(whole.frames[n], { raw }).extract(spec.crop!.rect);
      const theirs = await bitmap(cut.resize(spec.width, spec.height, { fit: "fill" }), 4);
      expect(psnr(onWhite({ ...theirs, data: frame }), onWhite(theirs)), `frame ${n}`).toBeGreaterThan(30);
    }
  });
});
