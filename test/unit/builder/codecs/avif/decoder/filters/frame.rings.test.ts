/** The filters in rows of superblocks: sample for sample what the specification's loops over whole frames give. */
import { beforeAll, describe, expect, it } from "vitest";
import { integersOf } from "../../../../../../../scripts/samples/random.ts";
import { randomFrame } from "./random-frame.ts";
import { randomGrain } from "./random-grain.ts";
import { cdefFrame, deblockFrame, enlargeFrame, restoreFrame, type Frame } from "./reference/frame.ts";
import { grainFrame } from "./reference/grain.ts";
import { filtered, openFilters } from "./rows-of-filters.ts";
import { rounds } from "../../../../../../support/ring.ts";

const ROUNDS = rounds(8, 40);

let taps: number[][];
let gaussian: Int16Array;

beforeAll(async () => {
  ({ taps, gaussian } = await openFilters());
});

/** Returns what the specification makes of the frame, whose planes it changes. */
function wantedOf(frame: Frame): number[][][] {
  deblockFrame(frame);
  const deringed = enlargeFrame(frame, cdefFrame(frame), taps);
  return restoreFrame(frame, enlargeFrame(frame, frame.planes, taps), deringed);
}

function expectPlanes(found: number[][][], wanted: number[][][], frame: Frame, round: number): void {
  const { upscaledWidth, frameWidth, frameHeight, subX, subY, cdefOn, restorationTypes } = frame;
  const facts = { round, upscaledWidth, frameWidth, frameHeight, subX, subY, cdefOn, restorationTypes };
  const label = JSON.stringify(facts);
  wanted.forEach((rows, plane) => {
    expect(found[plane]!.length, label).toBe(rows.length);
    rows.forEach((row, y) => expect(found[plane]![y], `${label}, plane ${plane}, row ${y}`).toEqual(row));
  });
}

describe.each([64, 128])("superblocks of %i", (sbSize) => {
  it.each([8, 10, 12])("give what whole frames give, with %i bits", async (bitDepth) => {
    const random = integersOf(sbSize + bitDepth);
    for (let round = 0; round < ROUNDS; round++) {
      const frame = randomFrame(random, sbSize, bitDepth);
      const found = await filtered(frame, sbSize);
      expectPlanes(found, wantedOf(frame), frame, round);
    }
  });

  it.each([8, 10, 12])("get the same film grain, with %i bits", async (bitDepth) => {
    const random = integersOf(100 + sbSize + bitDepth);
    for (let round = 0; round < ROUNDS; round++) {
      const frame = randomFrame(random, sbSize, bitDepth);
      const grain = randomGrain(random, frame);
      const found = await filtered(frame, sbSize, grain);
      const wanted = wantedOf(frame);
      grainFrame(wanted, grain, frame, gaussian);
      expectPlanes(found, wanted, frame, round);
    }
  });
});
