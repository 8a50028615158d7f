/** Crops of JPEGs: the part outside of them is read and not kept. */
import { describe, expect, test } from "vitest";
import { jpegDecoderPeakBytes } from "../../../../../src/image/formats/jpeg/decoder-memory.ts";
import type { JpegFacts, Orientation } from "../../../../../src/image/model/facts.ts";
import { isTurnedByDecoder } from "../../../../../src/image/formats/jpeg/decoder-frame.ts";
import { turned } from "../../../../../src/image/model/orientation.ts";
import type { Rect, Size } from "../../../../../src/image/geometry/size.ts";
import {
  decode,
  type Decoded,
  factsOf,
  greatestStep,
  psnr,
  withOrientation,
} from "../../../../../scripts/harness/jpeg-decoding.ts";
import { makePicture } from "../../../../../scripts/samples/jpeg/picture.ts";
import { progression, writeJpeg } from "../../../../../scripts/samples/jpeg/writer.ts";
import { extract } from "../../../../support/pictures/extract.ts";
import { resizeExactly } from "../../../../support/pictures/jpeg-exact-resize.ts";
import { ofRing } from "../../../../support/ring.ts";

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
const BUDGET = 90_000_000;

/** Returns the picture as a sequential file, with a scan per component, and progressive. */
function filesOf(sampling: Sampling, width: number, height: number, orientation: Orientation = 1) {
  const picture = makePicture(width, height, sampling, { grain: 12, contrast: 0.4 });
  const adobe = sampling.length === 4 ? { adobe: 2 } : {};
  const planes = sampling.map((_, index) => ({ components: [index] }));
  return [
    writeJpeg(picture, { ...adobe, restartInterval: 7 }),
    writeJpeg(picture, { ...adobe, scans: planes }),
    writeJpeg(picture, { ...adobe, frameMarker: 0xc2, scans: progression(sampling.length) }),
  ].map((file) => withOrientation(file, orientation));
}

function factsAt(file: Uint8Array, orientation: Orientation): JpegFacts {
  const { codedWidth, codedHeight, ...facts } = factsOf(file);
  const upright = turned({ width: codedWidth, height: codedHeight }, orientation);
  return { ...facts, codedWidth, codedHeight, ...upright, orientation };
}

/** Returns the size of the rows as the decoder hands them out. */
const handedOut = (facts: JpegFacts): Size =>
  isTurnedByDecoder(facts)
    ? { width: facts.width, height: facts.height }
    : { width: facts.codedWidth, height: facts.codedHeight };

/** Returns the place of a crop of the rows before the decoder mirrors them. */
function before(crop: Rect, facts: JpegFacts): Rect {
  if (!isTurnedByDecoder(facts)) return crop;
  const { width, height } = handedOut(facts);
  const isMirrored = [2, 3, 6, 7].includes(facts.orientation);
  const isUpwards = [3, 4, 7, 8].includes(facts.orientation);
  return {
    ...crop,
    left: isMirrored ? width - crop.left - crop.width : crop.left,
    top: isUpwards ? height - crop.top - crop.height : crop.top,
  };
}

const wholeOf = (facts: JpegFacts, { pixels, channels }: Decoded) => ({
  ...handedOut(facts),
  channels,
  data: pixels,
});

/** Yields rectangles of every parity, at borders and corners, down to a pixel. */
function* cropsOf({ width, height }: Size): Generator<Rect> {
  yield { left: 0, top: 0, width, height };
  yield { left: 0, top: 0, width: 1, height: 1 };
  yield { left: width - 1, top: height - 1, width: 1, height: 1 };
  for (const [x, y] of [
    [0, 0],
    [1, 1],
    [7, 9],
    [16, 15],
    [17, 32],
  ] as const) {
    if (x + 2 > width || y + 2 > height) continue;
    yield { left: x, top: y, width: width - x, height: height - y };
    yield { left: x, top: y, width: Math.ceil((width - x) / 2), height: Math.ceil((height - y) / 3) };
  }
}

describe("at full size a crop is the part of the whole", () => {
  for (const [name, sampling] of Object.entries(SAMPLINGS)) {
    test(name, async () => {
      for (const orientation of ofRing([1, 2, 5, 6, 8] as const, 2)) {
        for (const [width, height] of [
          [67, 53],
          [16, 33],
          [3, 5],
        ] as const) {
          for (const file of filesOf(sampling, width, height, orientation)) {
            const facts = factsAt(file, orientation);
            const whole = await decode(file, { facts });
            for (const crop of cropsOf(handedOut(facts))) {
              const ours = await decode(file, { facts, out: crop, crop: before(crop, facts) });
              const theirs = extract(wholeOf(facts, whole), crop);
              expect(greatestStep(ours.pixels, theirs), JSON.stringify({ orientation, crop })).toBe(0);
            }
          }
        }
      }
    });
  }
});

describe("at every scale a crop is the exact resize of the part", () => {
  for (const orientation of ofRing([1, 2, 3, 5, 6, 8] as const, 2)) {
    test(`orientation ${orientation}`, async () => {
      for (const file of filesOf(SAMPLINGS[orientation === 3 ? "4:4:4" : "4:2:0"], 301, 211, orientation)) {
        const facts = factsAt(file, orientation);
        const whole = wholeOf(facts, await decode(file, { facts }));
        for (const [crop, times] of [
          [{ left: 51, top: 37, width: 150, height: 149 }, 1.01],
          [{ left: 51, top: 37, width: 150, height: 149 }, 0.71],
          [{ left: 0, top: 13, width: 200, height: 113 }, 0.5],
          [{ left: 33, top: 0, width: 105, height: 210 }, 0.3],
          [{ left: 80, top: 60, width: 125, height: 125 }, 0.12],
        ] as const) {
          const inside = { ...crop, height: Math.min(crop.height, handedOut(facts).height - crop.top) };
          const out = {
            width: Math.round(inside.width * times),
            height: Math.round(inside.height * times),
          };
          const ours = await decode(file, { facts, out, crop: before(inside, facts) });
          const exact = resizeExactly(extract(whole, inside), { ...inside, channels: 3 }, out);
          expect(psnr(ours.pixels, exact), JSON.stringify({ crop, times })).toBeGreaterThan(40);
        }
      }
    });
  }
});

describe("the memory of a crop", () => {
  test("is predicted, for every way to store a file", async () => {
    for (const [name, sampling] of Object.entries(SAMPLINGS)) {
      for (const orientation of [1, 8] as const) {
        for (const file of filesOf(sampling, 300, 207, orientation)) {
          const facts = factsAt(file, orientation);
          const rows = handedOut(facts);
          for (const crop of [
            { left: 0, top: 0, width: rows.width, height: 101 },
            { left: rows.width - 73, top: 51, width: 73, height: rows.height - 51 },
          ]) {
            for (const times of [1, 0.6, 0.1]) {
              const out = { width: Math.ceil(crop.width * times), height: Math.ceil(crop.height * times) };
              const at = before(crop, facts);
              const { peakBytes } = await decode(file, { facts, out, crop: at, memoryBudgetBytes: BUDGET });
              const { bytes } = jpegDecoderPeakBytes(facts, out, BUDGET, at);
              expect(bytes, name).toBeGreaterThanOrEqual(peakBytes);
              expect(bytes, name).toBeLessThanOrEqual(peakBytes * 1.05);
            }
          }
        }
      }
    }
  });

  test("is what the crop alone would take, but for a bit per coefficient of a progressive file", () => {
    const [sequential, planes, progressive] = filesOf(SAMPLINGS["4:2:0"], 16, 16).map((file) => ({
      ...factsAt(file, 1),
      codedWidth: 8000,
      codedHeight: 6000,
    })) as [JpegFacts, JpegFacts, JpegFacts];
    const crop = { left: 3600, top: 2600, width: 800, height: 800 };
    for (const [facts, mostBytes] of [
      [sequential, 0.9e6],
      [planes, 2.2e6],
      [progressive, 3.5e6 + 9e6],
    ] as const) {
      const whole = jpegDecoderPeakBytes(facts, crop, BUDGET);
      const cropped = jpegDecoderPeakBytes(facts, crop, BUDGET, crop);
      expect(cropped.sizes).toEqual([8, 8, 8]);
      expect(cropped.bytes).toBeLessThan(mostBytes);
      expect(cropped.bytes).toBeLessThan(whole.bytes);
    }
  });
});

test("the file is read no further than the crop's last row", async () => {
  const file = filesOf(SAMPLINGS["4:2:0"], 400, 800)[0]!;
  const crop = { left: 0, top: 0, width: 400, height: 100 };
  const whole = await decode(file, { out: crop, crop });
  const half = await decode(file.subarray(0, file.length >> 1), { out: crop, crop });
  expect(greatestStep(half.pixels, whole.pixels)).toBe(0);
  await expect(decode(file.subarray(0, file.length >> 1))).rejects.toMatchObject({ code: "TRUNCATED" });
});
