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
import { sample } from "../../../scripts/samples/animation/samples.ts";
import { writeApng, writeGif, writeWebpAnimation } from "../../../scripts/samples/animation/writers.ts";
import { paintCutout } from "../../../scripts/samples/ledger-matrix.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";

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
        const wanted = await sharpFrames(await resized.webp({ lossless: true, effort: 0 }).toBuffer());
        expect([built.width, built.height, built.plays]).toEqual([width, spec.height, 3]);
        // The bits of the file: browsers treat 0 and 10 ms in it alike in both formats.
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
