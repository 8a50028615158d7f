/** The console's reader of ThumbHash against an independent one, and its BMP byte by byte. */
import { rgbaToThumbHash } from "thumbhash";
import { describe, expect, it } from "vitest";
import { thumbHashAddress } from "../../../src/console/media/placeholder.ts";
import { pixelsOf } from "../../../src/console/media/thumb-hash.ts";
import { patterns } from "../../support/placeholders/thumb-hash-patterns.ts";
import { renderThumbHash } from "../../support/placeholders/thumb-hash.ts";

const names = Object.keys(patterns) as (keyof typeof patterns)[];
const hashOf = (name: keyof typeof patterns): Uint8Array => {
  const { width, height, rgba } = patterns[name];
  return rgbaToThumbHash(width, height, rgba);
};

describe("a ThumbHash on the wall", () => {
  it.each(names)("has the pixels that the format describes: %s", (name) => {
    const hash = hashOf(name);
    const shown = pixelsOf(hash);
    expect(Math.max(shown.width, shown.height)).toBe(16);
    const expected = renderThumbHash(Buffer.from(hash).toString("base64"), shown.width, shown.height);
    const farthest = shown.rgba.reduce(
      (max, value, i) => Math.max(max, Math.abs(value - expected.rgba[i]!)),
      0,
    );
    // Single floats against doubles, each rounded.
    expect(farthest).toBeLessThanOrEqual(1);
  });

  it("is a BMP of 32 bits with alpha, its first row the top one", () => {
    const hash = hashOf("a square with soft alpha");
    const { width, height, rgba } = pixelsOf(hash);
    const [head, body] = thumbHashAddress(Buffer.from(hash).toString("base64")).split(",");
    expect(head).toBe("data:image/bmp;base64");
    const file = Buffer.from(body!, "base64");
    expect(file.toString("latin1", 0, 2)).toBe("BM");
    expect(file.readUInt32LE(2)).toBe(file.length);
    expect([file.readInt32LE(18), file.readInt32LE(22), file.readUInt16LE(28)]).toEqual([width, -height, 32]);
    expect(file.subarray(file.readUInt32LE(10))).toEqual(Buffer.from(rgba));
    const masks = [54, 58, 62, 66].map((at) => file.readUInt32LE(at));
    expect(masks).toEqual([0xff, 0xff00, 0xff0000, 0xff000000]);
  });

  it("shows something of a hash that is damaged", () => {
    for (const bytes of [[], [1], [255, 255, 255, 255, 255]])
      expect(pixelsOf(Uint8Array.from(bytes)).rgba.length).toBeGreaterThan(0);
  });
});
