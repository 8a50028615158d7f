/**
 * The plan's bytes against what builds really take: never under by more than 5 %, never over by more than 15 %.
 *
 * Two things only the file itself tells, and the plan keeps room for them: what comes out, and the tables of a
 * colour profile. They are compared apart, as bounds. `npm run bench ledger` runs the whole matrix.
 */
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import type { Effort } from "../../../../src/image/model/effort.ts";
import { OUTPUT_FORMATS, type OutputFormat, type Quality } from "../../../../src/image/model/variant.ts";
import { gridAvif } from "../../../../scripts/samples/avif-grids.ts";
import {
  type Content,
  type Entry,
  errorOf,
  MASTERS,
  paint,
  weigh,
} from "../../../../scripts/samples/ledger-matrix.ts";
import { cutout, photo } from "../../../../scripts/samples/pictures.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { drawings, exported, sanitize } from "../../../../scripts/samples/svg.ts";

const MOST = { under: 0.05, over: 0.15 } as const;

function expectTruth(entry: Entry | null, label: string, mostOver: number = MOST.over): void {
  if (!entry) throw new Error(`${label} was refused`);
  const { under, over } = errorOf(entry);
  const figures = `${label}: ${entry.predicted} predicted, ${entry.taken} taken`;
  expect(under, figures).toBeLessThanOrEqual(MOST.under);
  expect(over, figures).toBeLessThanOrEqual(mostOver);
}

/**
 * A PNG takes the same memory by either effort. The thorough one takes ten times as long: it is tried up to here, among
 * variants of every kind.
 */
const THOROUGH_PNG_MAX_WIDTH = 500;
const effortOf = (format: OutputFormat, width: number): { effort?: Effort } =>
  format === "png" && width > THOROUGH_PNG_MAX_WIDTH ? { effort: "quick" } : {};

const names = Object.keys(MASTERS);

describe("predicted bytes, of masters of every kind", () => {
  // What a decoder takes does not depend on the output, but for JPEG: masters of two sizes, with small outputs.
  for (const name of names) {
    it(`hold for ${name}`, async () => {
      for (const [width, height, out] of [
        [640, 480, 236],
        [1200, 900, 1000],
      ] as const) {
        const file = await MASTERS[name]!("photo", width, height);
        const larger = name.startsWith("jpeg") ? (["jpeg", "png"] as const) : (["jpeg"] as const);
        const formats = width < 1000 ? OUTPUT_FORMATS : larger;
        for (const format of formats) {
          const label = `${name} ${width} x ${height} to ${format} ${out}`;
          const effort = format === "png" ? ({ effort: "quick" } as const) : {};
          expectTruth(await weigh(label, file, { width: out, format, ...effort }), label);
        }
      }
    });
  }
});

describe("predicted bytes, of AVIF masters that take more than others of their size", () => {
  const [width, height] = [640, 480];
  const noise = (): Sharp => {
    const grain = { type: "gaussian", mean: 128, sigma: 120 } as const;
    return sharp({ create: { width, height, channels: 3, background: "#808080", noise: grain } });
  };

  it.each([
    ["4:4:4", 8, false],
    ["4:4:4", 10, true],
    ["4:2:0", 8, true],
    ["4:2:0", 10, false],
  ] as const)("hold for noise at the best quality in %s, %i bits, alpha %s", async (...kind) => {
    const [chromaSubsampling, bitdepth, hasAlpha] = kind;
    const picture = noise();
    const mask = await noise().extractChannel(0).raw().toBuffer();
    if (hasAlpha) picture.joinChannel(mask, { raw: { width, height, channels: 1 } });
    const file = await picture.avif({ quality: 100, effort: 0, chromaSubsampling, bitdepth }).toBuffer();
    expect(file.length).toBeGreaterThan(1.5 * width * height);
    expectTruth(await weigh("noise", file, { width: 320, format: "jpeg" }), "noise");
  });

  it("hold where loop restoration is used", async () => {
    for (const chromaSubsampling of ["4:2:0", "4:4:4"]) {
      const picture = await paint("photo", 480, 360);
      const file = await picture.avif({ quality: 50, effort: 5, chromaSubsampling }).toBuffer();
      expect(probe(file)).toMatchObject({ restorable: true });
      expectTruth(await weigh("restored", file, { width: 320, format: "jpeg" }), chromaSubsampling);
    }
  });
});

describe("predicted bytes, of AVIF grids", () => {
  it.each([
    [300, 8, 1, undefined],
    [256, 8, 3, "grid"],
    [256, 10, 1, undefined],
    [300, 10, 3, "tiles"],
  ] as const)(
    "hold for tiles of %i, %i bits, sampling %i, alpha %s",
    async (tile, bitDepth, subsample, alpha) => {
      const picture = await (alpha ? cutout : photo)(600, 450);
      const options = { tileWidth: tile, tileHeight: tile, bitDepth, subsample, ...(alpha ? { alpha } : {}) };
      const file = Buffer.from(gridAvif(picture, options));
      for (const format of ["jpeg", "avif"] as const) {
        expectTruth(await weigh("grid", file, { width: 500, format }), `tiles of ${tile} to ${format}`);
      }
    },
  );
});

describe("predicted bytes, of a still GIF that stays a GIF", () => {
  it.each(["gif", "gif interlaced", "gif alpha"])("hold for %s", async (name) => {
    const file = await MASTERS[name]!("photo", 1200, 900);
    expect(probe(file)).toMatchObject({ interlaced: name === "gif interlaced" });
    for (const width of [236, 1000, 1200]) {
      expectTruth(
        await weigh(name, file, { width, format: "gif" as OutputFormat }),
        `${name} to GIF of ${width}`,
      );
    }
  });
});

describe("predicted bytes, of drawings", () => {
  /** What is drawn apart is planned to cover the picture: how much of it it does, only drawing tells. */
  const MOST_LAYERED = 1.8;

  it.each([...drawings, ...exported])("hold for %s", async (name, file) => {
    const master = Buffer.from(sanitize(file.toString()).document);
    for (const [width, format] of [
      [64, "png"],
      [1000, "jpeg"],
    ] as const) {
      const entry = await weigh(name, master, { width, format });
      const hasLayers = entry?.facts.format === "svg" && entry.facts.drawing.layers > 0;
      expectTruth(entry, `${name} to ${format} of ${width}`, hasLayers ? MOST_LAYERED : MOST.over);
    }
  });
});

describe("predicted bytes, of variants of every kind", () => {
  const check = async (name: string, content: Content, side: number, widths: readonly number[]) => {
    const file = await MASTERS[name]!(content, side, Math.round(side * 0.75));
    // What AVIF takes follows its width, whatever its height: a large one is a strip.
    const strip = await MASTERS[name]!(content, side, Math.round(side * 0.25));
    for (const width of widths) {
      for (const format of OUTPUT_FORMATS) {
        // A large AVIF takes seconds: at its best quality noise takes most, and other pictures are compared below.
        const isLarge = format === "avif" && width > 500 && content !== "noise";
        for (const quality of format === "png" || isLarge ? [80] : [80, 100]) {
          const label = `${name} of ${content} to ${format} ${quality} of ${width}`;
          const ask = { width, format, quality: quality as Quality, ...effortOf(format, width) };
          const master = format === "avif" && width > 500 ? strip : file;
          expectTruth(await weigh(label, master, ask), label);
        }
      }
    }
  };

  for (const content of ["photo", "graphic", "noise"] as const) {
    it(`hold for an opaque ${content}`, () => check("jpeg", content, 1224, [64, 500, 1200]));
    it(`hold for a ${content} with alpha`, () => check("png alpha", content, 1000, [236, 1000]));
  }

  it("hold for AVIF of every quality", async () => {
    for (const [content, width, qualities] of [
      ["graphic", 1280, [90]],
      ["photo", 700, [100]],
      ["photo", 1280, [95]],
    ] as const) {
      const file = await MASTERS["jpeg"]!(content, 1632, 408);
      for (const quality of qualities) {
        const label = `${content} to AVIF ${quality} of ${width}`;
        expectTruth(await weigh(label, file, { width, format: "avif", quality }), label);
      }
    }
    const pierced = await MASTERS["png alpha"]!("photo", 750, 262);
    for (const quality of [80, 100] as const) {
      expectTruth(await weigh("alpha", pierced, { format: "avif", quality }), `AVIF ${quality} with alpha`);
    }
    const noise = { type: "gaussian", mean: 128, sigma: 120 } as const;
    const worst = sharp({ create: { width: 1280, height: 320, channels: 3, background: "#888", noise } });
    const file = await worst.png({ compressionLevel: 0 }).toBuffer();
    expectTruth(await weigh("worst", file, { format: "avif", quality: 100 }), "AVIF 100 of noise alone");
  });

  it("hold above what encoders take whole", async () => {
    const file = await MASTERS["jpeg"]!("photo", 3000, 2250);
    for (const format of ["jpeg", "webp", "png"] as const) {
      expectTruth(await weigh(format, file, { width: 2560, format, ...effortOf(format, 2560) }), format);
    }
    // AVIF of a photograph is made in rows at any size: 4:2:0 is compared above, 4:4:4 takes more.
    const strip = await MASTERS["jpeg"]!("photo", 3000, 750);
    expectTruth(await weigh("avif", strip, { width: 1600, format: "avif", quality: 90 }), "AVIF 90");
    const turned = await MASTERS["jpeg turned"]!("photo", 2000, 1500);
    for (const format of ["jpeg", "png"] as const) {
      expectTruth(await weigh(format, turned, { format, ...effortOf(format, 1500) }), `turned to ${format}`);
    }
  });

  // The smallest sizes at which the planes keep chroma at half its resolution, or a progressive file is read coarsely.
  it.each([
    ["jpeg turned", 4800, 6250, ["jpeg", "webp"]],
    ["jpeg progressive turned", 4800, 6250, ["jpeg"]],
    ["png alpha turned", 4200, 5100, ["png"]],
  ] as const)("hold for %s of %i x %i pixels", async (name, width, height, formats) => {
    const file = await MASTERS[name]!("graphic", width, height);
    for (const format of formats) {
      expectTruth(await weigh(format, file, { format, ...effortOf(format, width) }), `${name} to ${format}`);
    }
  });
});

describe("predicted bytes, of large masters", () => {
  const small = [1000, "webp"] as const;
  const large = [2560, "jpeg"] as const;
  it.each([
    ["jpeg", 5656, 4242, [large]],
    ["jpeg progressive", 5656, 4242, [large]],
    ["png", 5656, 4242, [small]],
    ["png interlaced", 4000, 3000, [small]],
    ["png interlaced alpha", 2600, 1950, [small, large]],
    ["jpeg", 10_320, 7740, [small, large]],
    ["jpeg progressive", 10_320, 7740, [small, large]],
  ] as const)("hold for %s of %i x %i", async (name, width, height, outputs) => {
    const file = await MASTERS[name]!("graphic", width, height);
    for (const [out, format] of outputs) {
      expectTruth(await weigh(name, file, { width: out, format }), `${name} to ${format} of ${out}`);
    }
  });
});
