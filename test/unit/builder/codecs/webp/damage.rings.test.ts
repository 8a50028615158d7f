import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeVp8 } from "../../../../../src/builder/codecs/webp/decoder.ts";
import { streamOf } from "../../../../../scripts/harness/builds.ts";
import { collectRows, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import {
  fileOf,
  frameIn,
  lengthsAt,
  runWebpDamage,
  webpSpecimens,
  type WebpSpecimen,
} from "../../../../../scripts/fuzz/webp-damage.ts";
import { rounds } from "../../../../support/ring.ts";

it("damaged lossy WebP is refused where libwebp refuses it, and else the same (a run of scripts/fuzz/webp.ts)", async () => {
  const { refused, compared } = await runWebpDamage(1, rounds(600, 10_000));
  expect(refused).toBeGreaterThan(200);
  expect(compared).toBeGreaterThan(200);
});

describe("a frame is refused, as by libwebp, when there is nothing in", async () => {
  const specimens = await webpSpecimens();

  async function expectRefusal({ width, height }: WebpSpecimen, frame: Uint8Array): Promise<void> {
    const file = fileOf(frame);
    await expect(sharp(file).raw().toBuffer()).rejects.toThrow();
    const facts = { codedWidth: width, codedHeight: height };
    const rows = decodeVp8(workspaceIn(), streamOf(file), file.length, facts, () => frameIn(frame));
    await expect(rows.then(collectRows)).rejects.toMatchObject({ code: "TRUNCATED" });
  }

  it("its last partition, even with fewer rows of macroblocks than partitions", async () => {
    const specimen = specimens.find(({ height, partitions }) => height <= 48 && partitions === 4)!;
    const frame = Uint8Array.from(specimen.frame);
    // The third is stated to go on to the end; the fourth, of no row, is left with nothing.
    frame.set([255, 255, 255], lengthsAt(frame) + 6);
    await expectRefusal(specimen, frame);
  });

  it("a partition of which nothing would be read, as all its macroblocks are skipped", async () => {
    const specimen = specimens.find(({ height, partitions }) => height > 128 && partitions === 8)!;
    const frame = Uint8Array.from(specimen.frame);
    const fifth = lengthsAt(frame) + 12;
    expect(frame[fifth]).toBe(2);
    frame[fifth] = 0;
    await expectRefusal(specimen, frame);
  });
});
