/** Animations built whole, decoded by sharp, against sharp's resize of the same frames. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { planBuild } from "../../../src/image/plan/plan.ts";
import { order as orderStill, build as buildStill } from "../../../scripts/harness/builds.ts";
import {
  buildAnimated,
  framesOf,
  likeness,
  orderOf,
  sharpFrames,
  specOf,
} from "../../../scripts/harness/animation-frames.ts";
import { sample } from "../../../scripts/samples/animation-samples.ts";
import { writeApng, writeGif, writeWebpAnimation } from "../../../scripts/samples/animation-writers.ts";
import { pictureChunks } from "../../../src/builder/codecs/webp/chunks.ts";
import { paintCutout } from "../../../scripts/samples/ledger-matrix.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";
import { anim, anmf, FLAGS, vp8x, webpOf } from "../../../scripts/samples/probe-webp.ts";

const ASKED = [
  ["gif", "gif"],
  ["gif", "webp"],
  ["webp", "webp"],
] as const;

/** GIF has no half-transparent edges. */
const LEAST_DB = { gif: { graphic: 38, sticker: 26 }, webp: { graphic: 30, sticker: 30 } };

describe.each(["graphic", "sticker"] as const)("a %s", (kind) => {
  for (const [from, to] of ASKED) {
    for (const width of [64, 160]) {
      it(`keeps every frame from ${from} to ${to} at ${width}`, async () => {
        const master = (await sample(kind))[from];
        const { bytes, spec } = await buildAnimated(master, { width, format: to });
        const built = await sharpFrames(bytes);
        const resized = sharp(master, { pages: -1 }).resize(width, spec.height, { fit: "fill" });
        const wanted = await sharpFrames(await resized.webp({ lossless: true }).toBuffer());
        expect([built.width, built.height, built.plays]).toEqual([width, spec.height, 3]);
        // The bits of the file: what browsers make of 0 and 10 ms, they make of it in both formats.
        expect((await framesOf(bytes)).delays).toEqual((await framesOf(master)).delays);
        expect(built.frames.length).toBe(6);
        built.frames.forEach((frame, i) => {
          expect(likeness(frame, wanted.frames[i] ?? frame), `frame ${i}`).toBeGreaterThan(
            LEAST_DB[to][kind],
          );
        });
      });
    }
  }

  it("is no larger than sharp makes it", async () => {
    const master = (await sample(kind, 12)).gif;
    for (const format of ["gif", "webp"] as const) {
      const { bytes, spec } = await buildAnimated(master, { width: 64, format });
      const resized = sharp(master, { pages: -1 }).resize(64, spec.height, { fit: "fill" });
      const theirs = format === "gif" ? resized.gif({ effort: 7 }) : resized.webp({ quality: 80 });
      expect(bytes.length, format).toBeLessThan(1.05 * (await theirs.toBuffer()).length);
    }
  });
});

it("loses nothing where 255 colours do", async () => {
  const palette = Array.from({ length: 8 * 3 }, (_, i) => (i * 53) & 255);
  const frames = [0, 1, 2, 3].map((n) => ({
    ...{ left: n, top: 2 * n, width: 30 - 2 * n, height: 20 - 3 * n },
    indices: Array.from({ length: (30 - 2 * n) * (20 - 3 * n) }, (_, i) => ((i * 5 + n) >> 2) & 7),
    ...{ delay: n, disposal: n, transparent: 2, interlaced: n === 2 },
  }));
  const master = writeGif({ width: 30, height: 20, palette, frames });
  const { bytes } = await buildAnimated(master, { format: "gif" });
  expect((await framesOf(bytes)).frames).toEqual((await framesOf(master)).frames);
  expect((await framesOf(bytes)).plays).toBe(1);
});

it("becomes animated WebP from an animated PNG, with its poster left out", async () => {
  const frame = (seed: number, dispose: number) => ({
    ...{ left: 0, top: 0, width: 40, height: 30, dispose, delayMs: 15 + seed, blends: seed === 2 },
    rgba: Uint8Array.from({ length: 4800 }, (_, i) =>
      i % 4 === 3 ? (i % 64 ? 255 : 0) : ((i >> 6) * 9 + seed * 60) & 255,
    ),
  });
  const master = writeApng({
    width: 40,
    height: 30,
    plays: 4,
    poster: new Uint8Array(4800),
    frames: [frame(0, 1), frame(1, 0), frame(2, 2)],
  });
  const { bytes } = await buildAnimated(master, { format: "webp", quality: 100 });
  const [built, wanted] = [await sharpFrames(bytes), await framesOf(master)];
  expect([built.plays, built.delays, built.frames.length]).toEqual([4, [15, 16, 17], 3]);
  built.frames.forEach((pixels, i) =>
    expect(likeness(pixels, wanted.frames[i] ?? pixels)).toBeGreaterThan(28),
  );
});

describe("what it takes", () => {
  it("is what the plan books, and does not grow with the frames", async () => {
    const peaks = [];
    for (const frames of [3, 24]) {
      const { gif, webp } = await sample("graphic", frames);
      for (const [master, format] of [
        [gif, "gif"],
        [gif, "webp"],
        [webp, "webp"],
      ] as const) {
        const { facts, predictedBytes } = await buildAnimated(master, { format, width: 128 });
        expect(predictedBytes, format).toBeGreaterThan(0.95 * facts.peakBytes);
        if (format === "gif") expect(predictedBytes).toBeLessThan(1.15 * facts.peakBytes);
        peaks.push(facts.peakBytes);
      }
    }
    for (let i = 0; i < 3; i++) expect(peaks[i + 3]).toBeLessThan(1.1 * (peaks[i] ?? 0) + 65_536);
  });

  it("is never under what libwebp takes without loss, which follows from what the frames show", async () => {
    const size = { width: 320, height: 240 };
    for (const content of ["photo", "graphic"] as const) {
      const rgba = await (await paintCutout(content, size.width, size.height)).raw().toBuffer();
      const frame = { left: 0, top: 0, ...size, rgba };
      const master = writeApng({ ...size, frames: [frame, frame] });
      for (const width of [320, 160]) {
        const { facts, predictedBytes } = await buildAnimated(master, { format: "webp", width });
        expect(predictedBytes, content).toBeGreaterThan(0.95 * facts.peakBytes);
      }
    }
  });

  it("is always planned as heavy, and refused where it does not fit", async () => {
    const { gif } = await sample("graphic");
    const facts = probe(gif);
    expect(planBuild(facts, gif.length, specOf(facts, { format: "webp" }))).toMatchObject({
      ok: true,
      lane: "heavy",
    });
    const large = { ...facts, width: 5000, height: 2500, codedWidth: 5000, codedHeight: 2500 };
    const plan = planBuild(large, gif.length, specOf(large, { format: "webp", width: 500 }));
    expect(plan).toMatchObject({ ok: false, refusal: "too-large-for-isolate" });
  });
});

describe("a file that is not what its row says", () => {
  const blank = (width: number, height: number): Uint8Array => new Uint8Array(width * height * 4).fill(200);
  const frame = { left: 0, top: 0, width: 8, height: 8, rgba: blank(8, 8) };

  it("fails where frames would be lost that nobody has counted", async () => {
    const { gif } = await sample("graphic");
    const apng = writeApng({ width: 8, height: 8, frames: [frame, frame] });
    const webp = await writeWebpAnimation({ width: 8, height: 8, frames: [frame, frame] });
    for (const file of [gif, apng, webp]) {
      const facts = { ...probe(file), frames: null, animated: false };
      const answer = await orderStill(file, { format: "png" }, facts);
      expect(answer).toMatchObject({
        ok: false,
        code: "failed",
        reason: expect.stringMatching(/frames/) as string,
      });
    }
  });

  it("is built where there is but one, counted or not", async () => {
    const still = writeApng({ width: 8, height: 8, frames: [frame] });
    const facts = { ...probe(still), frames: null, animated: false };
    expect((await buildStill(still, { format: "png" }, facts)).bytes.length).toBeGreaterThan(0);
  });

  it("fails when it has other frames than were counted, or breaks off", async () => {
    const { gif, webp } = await sample("graphic");
    const more = { ...probe(gif), frames: 5 };
    expect(await orderOf(gif, { format: "gif" }, more)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/6 frames/) as string,
    });
    for (const [file, format] of [
      [gif, "gif"],
      [webp, "webp"],
    ] as const) {
      const cut = file.subarray(0, file.length - 40);
      expect(await orderOf(cut, { format }, probe(file))).toMatchObject({ ok: false, code: "failed" });
    }
  });
});

describe("a GIF of one frame", () => {
  it("becomes every format of stills, and GIF", async () => {
    const palette = [255, 0, 0, 0, 0, 255, 250, 250, 250, 20, 90, 20];
    const indices = Array.from({ length: 60 * 40 }, (_, i) => ((i % 60) >> 4) & 3);
    for (const interlaced of [false, true]) {
      const place = { left: 5, top: 3, width: 60, height: 40 };
      const master = writeGif({
        width: 70,
        height: 50,
        palette,
        frames: [{ ...place, indices, transparent: 2, interlaced }],
      });
      const wanted = (await framesOf(master)).frames[0] as Uint8Array;
      for (const format of ["png", "webp", "avif"] as const) {
        const { bytes } = await buildStill(master, { format });
        const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
        expect(likeness(data, wanted), format).toBeGreaterThan(format === "png" ? 99 : 20);
      }
      const { bytes } = await buildAnimated(master, { format: "gif" });
      expect((await framesOf(bytes)).frames).toEqual([wanted]);
      expect((await sharp((await buildStill(master, { format: "jpeg" })).bytes).metadata()).width).toBe(70);
    }
  });
});

describe("a WebP of one frame, in the format of animations", () => {
  const place = { left: 6, top: 4, width: 50, height: 33 };
  const rgba = Uint8Array.from({ length: place.width * place.height * 4 }, (_, i) => {
    const [x, y] = [(i >> 2) % place.width, Math.floor((i >> 2) / place.width)];
    return [4 * x, 7 * y, 200 - 2 * x, [255, 255, 128, 0][x >> 4]!][i & 3]!;
  });

  it.each([
    ["whole", { ...place, left: 0, top: 0 }, place],
    ["at its place", place, { width: 70, height: 50 }],
    ["to the edge", place, { width: 56, height: 37 }],
  ] as const)("becomes every format of stills: %s", async (_, at, { width, height }) => {
    const still = sharp(rgba, { raw: { width: place.width, height: place.height, channels: 4 } });
    const chunks = {
      lossless: await still.clone().webp({ lossless: true, exact: true }).toBuffer(),
      "lossy, with ALPH": await still.clone().webp({ quality: 90 }).toBuffer(),
      lossy: await still.clone().removeAlpha().webp({ quality: 90 }).toBuffer(),
    };
    for (const [kind, file] of Object.entries(chunks)) {
      const frame = anmf({ ...at, picture: pictureChunks(file).map(({ bytes }) => bytes) });
      const master = webpOf(vp8x(FLAGS.animated | FLAGS.alpha, width, height), anim, frame);
      expect(probe(master)).toMatchObject({ frames: 1, animated: false, width, height });
      const wanted = (await framesOf(master)).frames[0] as Uint8Array;
      const theirs = (await sharpFrames(master)).frames[0] as Uint8Array;
      expect(likeness(wanted, theirs), kind).toBeGreaterThan(50);
      for (const format of ["png", "webp", "avif"] as const) {
        const { bytes } = await buildStill(master, { format, quality: 100 });
        const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
        expect(likeness(data, theirs), `${kind} as ${format}`).toBeGreaterThan(format === "png" ? 50 : 24);
      }
      const { data, info } = await sharp((await buildStill(master, { format: "jpeg" })).bytes)
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width, height });
      if (width > at.width) expect(Math.min(...data.subarray(0, 3)), `${kind} as jpeg`).toBeGreaterThan(235);
    }
  });

  it("is refused where its frame is damaged, or is not the only one", async () => {
    const rest = { ...place, rgba };
    const one = await writeWebpAnimation({ width: 70, height: 50, frames: [rest] });
    const two = await writeWebpAnimation({ width: 70, height: 50, frames: [rest, rest] });
    const lie = { ...probe(one), frames: 1, animated: false };
    expect(await orderStill(two, { format: "png" }, lie)).toMatchObject({
      reason: expect.stringMatching(/frames/) as string,
    });
    const headAt = Buffer.from(one).indexOf("ANMF") + 8;
    for (const [at, value] of [
      [headAt, 200],
      [headAt + 6, 20],
      [headAt + 20, 255],
    ] as const) {
      const damaged = one.slice();
      damaged[at] = value;
      expect(await orderStill(damaged, { format: "png" }, lie), `${at}`).toMatchObject({ code: "failed" });
    }
    expect((await buildStill(one, { format: "png" })).bytes.length).toBeGreaterThan(0);
  });
});
