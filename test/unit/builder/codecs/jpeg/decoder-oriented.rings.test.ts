/** JPEGs that leave the decoder upright: progressive ones of every orientation, others where rows are mirrored. */
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { jpegDecoderPeakBytes } from "../../../../../src/image/formats/jpeg/decoder-memory.ts";
import type { JpegFacts, Orientation } from "../../../../../src/image/model/facts.ts";
import { turned } from "../../../../../src/image/model/orientation.ts";
import {
  decode,
  decodeBySharp,
  factsOf,
  greatestStep,
  psnr,
  withOrientation,
} from "../../../../../scripts/harness/jpeg-decoding.ts";
import { resizeExactly } from "../../../../support/pictures/jpeg-exact-resize.ts";
import { makePicture } from "../../../../../scripts/samples/jpeg/picture.ts";
import { progression, writeJpeg } from "../../../../../scripts/samples/jpeg/writer.ts";
import { ofRing } from "../../../../support/ring.ts";

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const SAMPLINGS = {
  "gray": [[1, 1]],
  "4:4:4": [[1, 1], [1, 1], [1, 1]],
  "4:2:2": [[2, 1], [1, 1], [1, 1]],
  "4:4:0": [[1, 2], [1, 1], [1, 1]],
  "4:2:0": [[2, 2], [1, 1], [1, 1]],
  "4:1:1": [[4, 1], [1, 1], [1, 1]],
  "YCCK": [[2, 2], [1, 1], [1, 1], [2, 2]],
} as const; // prettier-ignore
type Sampling = (typeof SAMPLINGS)[keyof typeof SAMPLINGS];
const SIZES = [
  [1, 1],
  [5, 9],
  [7, 5],
  [16, 17],
  [33, 47],
  [130, 61],
  [64, 200],
] as const;

const BUDGET = 90_000_000;
const adobeOf = (sampling: Sampling): { adobe?: 2 } => (sampling.length === 4 ? { adobe: 2 } : {});

/** Files by their sampling and size, without an orientation: writing one takes longer than decoding it. */
const files = new Map<string, Uint8Array>();

function progressive(sampling: Sampling, width: number, height: number, orientation: Orientation) {
  const key = `${JSON.stringify(sampling)} ${width} x ${height}`;
  let file = files.get(key);
  if (!file) {
    const picture = makePicture(width, height, sampling, { grain: 12, contrast: 0.4 });
    file = writeJpeg(picture, {
      ...adobeOf(sampling),
      frameMarker: 0xc2,
      scans: progression(sampling.length),
    });
    files.set(key, file);
  }
  return withOrientation(file, orientation);
}

const factsAt = (file: Uint8Array, orientation: Orientation): JpegFacts => ({
  ...factsOf(file),
  ...turned({ width: factsOf(file).codedWidth, height: factsOf(file).codedHeight }, orientation),
  orientation,
});

describe("progressive files, upright at full size", () => {
  for (const [name, sampling] of Object.entries(SAMPLINGS)) {
    test(name, async () => {
      for (const orientation of ORIENTATIONS) {
        for (const [width, height] of ofRing(SIZES, 3)) {
          const file = progressive(sampling, width, height, orientation);
          const ours = await decode(file, { facts: factsAt(file, orientation) });
          const theirs = await decodeBySharp(file, ours.channels);
          const step = greatestStep(ours.pixels, theirs);
          // A filter that goes down first rounds its steps elsewhere than one that goes across.
          expect(step, `${orientation}, ${width} x ${height}`).toBeLessThanOrEqual(name === "gray" ? 0 : 2);
        }
      }
    });
  }
});

describe("progressive files, upright at every scale", () => {
  for (const orientation of ORIENTATIONS) {
    test(`orientation ${orientation}`, async () => {
      for (const sampling of [SAMPLINGS["4:2:0"], SAMPLINGS["4:2:2"]]) {
        const file = progressive(sampling, 413, 307, orientation);
        const facts = factsAt(file, orientation);
        const full = await decodeBySharp(file, 3);
        for (const times of [0.9, 0.5, 0.3, 0.12, 0.06]) {
          const out = { width: Math.round(facts.width * times), height: Math.round(facts.height * times) };
          const ours = await decode(file, { facts, out });
          const exact = resizeExactly(full, { width: facts.width, height: facts.height, channels: 3 }, out);
          expect(psnr(ours.pixels, exact), `${times}`).toBeGreaterThan(42);
        }
      }
    });
  }
});

describe("other files, mirrored", () => {
  test("sequential and with a scan a component", async () => {
    for (const [width, height] of ofRing(SIZES, 3)) {
      for (const sampling of Object.values(SAMPLINGS)) {
        const picture = makePicture(width, height, sampling);
        const scans = sampling.map((_, index) => ({ components: [index] }));
        for (const options of [{}, { scans }]) {
          const file = withOrientation(writeJpeg(picture, { ...adobeOf(sampling), ...options }), 2);
          const ours = await decode(file, { facts: factsAt(file, 2) });
          const theirs = await decodeBySharp(file, ours.channels);
          expect(greatestStep(ours.pixels, theirs)).toBeLessThanOrEqual(1);
        }
      }
    }
  });
});

describe("predicted arena bytes", () => {
  test("are what the module takes, or at most 5 % more", async () => {
    for (const orientation of ofRing(ORIENTATIONS, 5)) {
      for (const sampling of Object.values(SAMPLINGS)) {
        const file = progressive(sampling, 700, 431, orientation);
        const facts = factsAt(file, orientation);
        for (const times of [1, 0.6, 0.3, 0.1]) {
          const out = { width: Math.ceil(facts.width * times), height: Math.ceil(facts.height * times) };
          const { peakBytes } = await decode(file, { facts, out, memoryBudgetBytes: BUDGET });
          const { bytes } = jpegDecoderPeakBytes(facts, out, BUDGET);
          expect(bytes).toBeGreaterThanOrEqual(peakBytes);
          expect(bytes).toBeLessThanOrEqual(peakBytes * 1.05);
        }
      }
    }
  });
});

test("a file that is not of the process that was probed is refused", async () => {
  const file = await sharp({ create: { width: 20, height: 20, channels: 3, background: "#123456" } })
    .jpeg()
    .toBuffer();
  const facts = { ...factsAt(file, 6), process: "progressive" } as const;
  await expect(decode(file, { facts })).rejects.toMatchObject({ code: "CORRUPT" });
});
