/** A JPEG without EOI is whole if its scan codes every block, and is refused if it was cut off. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createProbe, type PostponedScan } from "../../../../../src/image/formats/probe.ts";
import { outcomeOf } from "../../../../../scripts/harness/probe-run.ts";
import { picture } from "../../../../../scripts/samples/probe/samples.ts";
import { writeJpeg } from "../../../../../scripts/samples/jpeg/writer.ts";
import { makePicture } from "../../../../../scripts/samples/jpeg/picture.ts";

const facts = (file: Uint8Array): unknown => {
  const outcome = outcomeOf(file);
  return "facts" in outcome ? outcome.facts : outcome.refused;
};

/** Expects a file to be whole without its EOI and with zeros in its place, and refused where its scan is cut. */
function expectWhole(file: Uint8Array): void {
  const withoutEnd = file.subarray(0, -2);
  expect(facts(withoutEnd)).toEqual(facts(file));
  expect(facts(file.subarray(0, -1))).toEqual(facts(file));
  expect(facts(Buffer.concat([withoutEnd, new Uint8Array(9)]))).toEqual(facts(file));
  for (let bytes = 4; bytes < 60; bytes += 5)
    expect(facts(file.subarray(0, -bytes))).toBe("the file ends inside JPEG scan 1");
}

describe("a JPEG without EOI", () => {
  it.each([
    ["4:2:0", picture(61, 43).jpeg()],
    ["4:4:4", picture(61, 43).jpeg({ chromaSubsampling: "4:4:4" })],
    ["gray", picture(61, 43).toColourspace("b-w").jpeg()],
    ["ink", picture(61, 43).toColourspace("cmyk").jpeg()],
    ["one block", picture(5, 3).jpeg({ quality: 100 })],
    ["tables of its own", picture(200, 150).jpeg({ quality: 95, optimiseCoding: true })],
  ])("is whole: %s", async (_, image) => {
    expectWhole(await image.toBuffer());
  });

  it("is whole with restart markers, and with a scan per component", () => {
    const sampled = makePicture(61, 43, [[2, 2], [1, 1], [1, 1]]); // prettier-ignore
    expectWhole(writeJpeg(sampled, { restartInterval: 3 }));
    const scans = [0, 1, 2].map((index) => ({ components: [index] }));
    const file = writeJpeg(sampled, { scans });
    expect(facts(file.subarray(0, -2))).toEqual(facts(file));
    expect(facts(file.subarray(0, -40))).toBe("the file ends inside JPEG scan 3");
  });

  it("is refused when it is progressive, because its scans refine each other", async () => {
    const file = await picture().jpeg({ progressive: true }).toBuffer();
    expect(facts(file.subarray(0, -2))).toMatch(/the file ends inside JPEG scan/);
  });

  describe("whose scan is too long to be kept", () => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const create = { width: 900, height: 700, channels: 3, background: "#888", noise } as const;
    const long = (options: { progressive?: boolean } = {}) =>
      sharp({ create })
        .jpeg({ quality: 98, chromaSubsampling: "4:4:4", ...options })
        .toBuffer();

    it("is refused, unless its check can be postponed", async () => {
      const file = await long();
      expect(file.length).toBeGreaterThan(1_048_576);
      expect(facts(file.subarray(0, -2))).toBe("the file ends inside JPEG scan 1");
    });

    /** Returns the facts, and whether the postponed scan is whole, read in pieces of `pieceBytes`. */
    function checkLater(file: Uint8Array, pieceBytes: number): { facts: unknown; isWhole: boolean } {
      const postponed: PostponedScan[] = [];
      const probe = createProbe({ postpone: (scan) => postponed.push(scan) });
      probe.push(file.slice());
      const told = probe.finish();
      const [scan] = postponed;
      if (postponed.length !== 1 || !scan) throw new Error("There is not one postponed scan");
      for (let at = scan.dataAt; at < file.length; at += pieceBytes)
        scan.counter.push(file.subarray(at, at + pieceBytes));
      return { facts: told, isWhole: scan.counter.finish() };
    }

    it.each([1_000_000, 65_537, 4099])("is whole in pieces of %i bytes, or cut off", async (pieceBytes) => {
      const file = await long();
      const whole = checkLater(file.subarray(0, -2), pieceBytes);
      expect(whole).toEqual({ facts: facts(file), isWhole: true });
      for (const bytes of [4, 30, 9000])
        expect(checkLater(file.subarray(0, -bytes), pieceBytes).isWhole).toBe(false);
    });

    it("is refused when it is progressive, even if its check could be postponed", async () => {
      const file = await long({ progressive: true });
      expect(() => checkLater(file.subarray(0, -2), 65_536)).toThrow("the file ends inside JPEG scan");
    });
  });
});
