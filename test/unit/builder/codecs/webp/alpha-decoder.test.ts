/**
 * Lossy WebP with alpha in rows: libwebp's pixels with every filter, and the chunks that count as the alpha of a file.
 */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { Arena } from "../../../../../src/builder/memory/arena.ts";
import { decodeVp8 } from "../../../../../src/builder/codecs/webp/decoder.ts";
import { vp8DecoderPeakBytes } from "../../../../../src/image/formats/webp/decoder-memory.ts";
import { libwebpOptions } from "../../../../../src/image/formats/webp/encoder-options.ts";
import { build, streamOf } from "../../../../../scripts/harness/builds.ts";
import { encoded } from "../../../../../scripts/fuzz/webp-lossless/cases.ts";
import { collectRows, newMemory, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { cutout } from "../../../../../scripts/samples/pictures.ts";
import {
  anim,
  anmf,
  FLAGS,
  riffChunk,
  vp8x,
  webpChunk,
  webpOf,
} from "../../../../../scripts/samples/probe/webp.ts";
import type { WebpFacts } from "../../../../../src/image/model/facts.ts";

const [width, height] = [90, 61];
const arena = new Arena();

/** Returns the chunks of a lossy picture with alpha. */
async function chunksOf(
  settings: Record<string, number> = {},
): Promise<{ alph: Uint8Array; vp8: Uint8Array }> {
  const file = encoded(arena, await cutout(width, height), { ...libwebpOptions(80), ...settings });
  return {
    alph: riffChunk("ALPH", webpChunk(file, "ALPH")),
    vp8: riffChunk("VP8 ", webpChunk(file, "VP8 ")),
  };
}

const extended = (...chunks: Uint8Array[]): Buffer =>
  Buffer.from(webpOf(vp8x(FLAGS.alpha, width, height), ...chunks));

/** Decodes the file as a build does, to RGBA. */
async function shown(file: Buffer): Promise<Buffer> {
  const { bytes } = await build(file, { format: "png", effort: "quick" });
  return sharp(bytes).ensureAlpha().raw().toBuffer();
}

const bySharp = (file: Buffer): Promise<Buffer> => sharp(file).ensureAlpha().raw().toBuffer();

/** Returns alpha data that are not compressed, filtered in one of the four ways: the values are the filter's own. */
const rawAlpha = (filter: number): Uint8Array =>
  riffChunk(
    "ALPH",
    Uint8Array.of(filter << 2),
    Uint8Array.from({ length: width * height }, (_, i) => (filter ? ((i * 7) % 5) - 2 : i) & 255),
  );

describe("a lossy WebP with alpha gives libwebp's pixels", () => {
  it("however alpha is filtered and compressed", async () => {
    for (const alpha_filtering of [0, 1, 2]) {
      for (const alpha_compression of [0, 1]) {
        for (const alpha_quality of [0, 40, 100]) {
          const settings = { alpha_filtering, alpha_compression, alpha_quality };
          const { alph, vp8 } = await chunksOf(settings);
          const file = extended(alph, vp8);
          expect(Buffer.compare(await shown(file), await bySharp(file)), JSON.stringify(settings)).toBe(0);
        }
      }
    }
  });

  it.each([0, 1, 2, 3])("with alpha that is not compressed, by filter %i", async (filter) => {
    const { vp8 } = await chunksOf();
    const file = extended(rawAlpha(filter), vp8);
    expect(Buffer.compare(await shown(file), await bySharp(file))).toBe(0);
  });

  it("in a frame that is smaller than the canvas", async () => {
    const { alph, vp8 } = await chunksOf();
    const frame = anmf({ left: 10, top: 4, width, height, picture: [alph, vp8] });
    const file = Buffer.from(webpOf(vp8x(FLAGS.alpha | FLAGS.animated, 120, 80), anim, frame));
    const whole = await shown(file);
    const raw = { width: 120, height: 80, channels: 4 } as const;
    const place = { left: 10, top: 4, width, height };
    const part = await sharp(whole, { raw }).extract(place).raw().toBuffer();
    expect(Buffer.compare(part, await bySharp(extended(alph, vp8)))).toBe(0);
    expect(whole.subarray(0, 4)).toEqual(Buffer.alloc(4));
  });
});

describe("the alpha of a file", () => {
  it("is opaque where there is no chunk of it, or it comes after the picture", async () => {
    const { alph, vp8 } = await chunksOf();
    for (const file of [extended(vp8), extended(vp8, alph)]) {
      const pixels = await shown(file);
      expect(pixels.every((sample, i) => i % 4 < 3 || sample === 255)).toBe(true);
    }
  });

  it("is refused where it is invalid or ends early", async () => {
    const { alph, vp8 } = await chunksOf();
    const content = webpChunk(extended(alph, vp8), "ALPH");
    const invalid = [
      Uint8Array.of(2, ...content.subarray(1)),
      Uint8Array.of((content[0] ?? 0) | 0x40, ...content.subarray(1)),
      content.subarray(0, 1),
      content.subarray(0, content.length >> 1),
      Uint8Array.of(0, ...new Uint8Array(width * height - 1)),
    ];
    for (const data of invalid) {
      await expect(build(extended(riffChunk("ALPH", data), vp8), { format: "png" })).rejects.toThrow(
        /"code":"corrupt"/,
      );
    }
  });
});

it("the memory of a lossy WebP with alpha is what was planned", async () => {
  for (const [wide, high] of [
    [60, 50],
    [70, 2000],
    [4001, 333],
  ] as const) {
    const file = encoded(arena, await cutout(wide, high), libwebpOptions(80));
    const facts = probe(file) as WebpFacts;
    const { length } = webpChunk(file, "ALPH");
    const at = file.indexOf("ALPH") + 8;
    const picture = file.indexOf("VP8 ", at) + 8;
    const rows = await decodeVp8(workspaceIn(newMemory(4096)), streamOf(file), file.length, facts, () => ({
      from: picture,
      to: file.length,
      alpha: { from: at, to: at + length },
    }));
    await collectRows(rows);
    const planned = vp8DecoderPeakBytes(facts, file.length);
    expect(rows.peakBytes()).toBeLessThanOrEqual(planned);
    expect(planned - rows.peakBytes()).toBeLessThan(8192);
  }
});
