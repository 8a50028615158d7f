import { describe, expect, it } from "vitest";
import { orientationOf } from "../../../../src/image/formats/exif.ts";
import { be, bytes, exifBlock, le } from "../../../../scripts/samples/probe/bytes.ts";

describe("orientationOf", () => {
  it.each(["II", "MM"] as const)(
    "reads all eight in %s order, but not behind the prefix of JPEG",
    (order) => {
      for (let orientation = 1; orientation <= 8; orientation += 1) {
        const block = exifBlock(orientation, order);
        expect(orientationOf(block)).toBe(orientation);
        expect(orientationOf(bytes("Exif\0\0", block))).toBe(1);
      }
    },
  );

  it("reads it after other entries and as a LONG", () => {
    const other = [be(2, 0x010f), be(2, 2), be(4, 4), "abc\0"];
    const entry = [be(2, 0x0112), be(2, 4), be(4, 1), be(4, 3)];
    expect(orientationOf(bytes("MM", be(2, 42), be(4, 8), be(2, 2), other, entry))).toBe(3);
  });

  it.each([
    ["nothing", new Uint8Array(0)],
    ["no TIFF", bytes("hello, this is text")],
    ["another magic number", bytes("II", le(2, 43), le(4, 8), le(2, 0))],
    ["a directory out of the block", bytes("II", le(2, 42), le(4, 0xffffffff), le(2, 1))],
    ["an entry cut off", exifBlock(6).subarray(0, 16)],
    ["no such tag", bytes("II", le(2, 42), le(4, 8), le(2, 0))],
    ["0", exifBlock(0)],
    ["9", exifBlock(9)],
  ])("is 1 for %s", (_, block) => {
    expect(orientationOf(block)).toBe(1);
  });
});
