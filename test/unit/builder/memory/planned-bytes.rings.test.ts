/**
 * The plan's bytes against what builds really take, for masters of every kind: a sample of them in the first ring.
 *
 * Two things only the file itself tells, and the plan keeps room for them: what comes out, and the tables of a
 * colour profile. They are compared apart, as bounds. The second ring takes every kind of master.
 */
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { OUTPUT_FORMATS, type OutputFormat } from "../../../../src/image/formats/registry.ts";
import { gridAvif } from "../../../../scripts/samples/avif/grids.ts";
import { MASTERS, paint, weigh } from "../../../../scripts/samples/ledger-matrix.ts";
import { cutout, photo } from "../../../../scripts/samples/pictures.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { drawings, exported, sanitize } from "../../../../scripts/samples/svg/svg.ts";
import { expectTruth, MOST } from "../../../support/plans/planned-bytes.ts";
import { ofRing } from "../../../support/ring.ts";

const names = ofRing(Object.keys(MASTERS), 6);

describe("predicted bytes, of masters of every kind", () => {
  // The memory of a decoder does not depend on the output, but for JPEG: masters of two sizes, with small outputs.
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

  const kinds = [
    ["4:4:4", 8, false],
    ["4:4:4", 10, true],
    ["4:2:0", 8, true],
    ["4:2:0", 10, false],
  ] as const;
  it.each(ofRing(kinds, 4))(
    "hold for noise at the best quality in %s, %i bits, alpha %s",
    async (...kind) => {
      const [chromaSubsampling, bitdepth, hasAlpha] = kind;
      const picture = noise();
      const mask = await noise().extractChannel(0).raw().toBuffer();
      if (hasAlpha) picture.joinChannel(mask, { raw: { width, height, channels: 1 } });
      const file = await picture.avif({ quality: 100, effort: 0, chromaSubsampling, bitdepth }).toBuffer();
      expect(file.length).toBeGreaterThan(1.5 * width * height);
      expectTruth(await weigh("noise", file, { width: 320, format: "jpeg" }), "noise");
    },
  );

  it("hold where loop restoration is used", async () => {
    for (const chromaSubsampling of ofRing(["4:2:0", "4:4:4"], 2)) {
      const picture = await paint("photo", 480, 360);
      const file = await picture.avif({ quality: 50, effort: 5, chromaSubsampling }).toBuffer();
      expect(probe(file)).toMatchObject({ restorable: true });
      expectTruth(await weigh("restored", file, { width: 320, format: "jpeg" }), chromaSubsampling);
    }
  });
});

describe("predicted bytes, of AVIF grids", () => {
  const grids = [
    [300, 8, 1, undefined],
    [256, 8, 3, "grid"],
    [256, 10, 1, undefined],
    [300, 10, 3, "tiles"],
  ] as const;
  it.each(ofRing(grids, 4))(
    "hold for tiles of %i, %i bits, sampling %i, alpha %s",
    async (tile, bitDepth, subsample, alpha) => {
      const picture = await (alpha ? cutout : photo)(600, 450);
      // At this quality, libaom turns the filters on that the plan counts with.
      const size = { tileWidth: tile, tileHeight: tile, quality: 50 };
      const options = { ...size, bitDepth, subsample, ...(alpha ? { alpha } : {}) };
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
  /** Layers are planned to cover the whole picture: only drawing tells how much of it they cover. */
  const MOST_LAYERED = 1.8;

  it.each(ofRing([...drawings, ...exported], 6))("hold for %s", async (name, file) => {
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
