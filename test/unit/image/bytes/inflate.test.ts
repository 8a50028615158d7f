import { constants, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inflated } from "../../../../src/image/bytes/inflate.ts";

const text = Buffer.from(Array.from({ length: 20_000 }, (_, i) => ((i * i) >> 5) % 97));

describe("inflated", () => {
  it.each([
    ["stored", { level: 0 }],
    ["fixed codes", { strategy: constants.Z_FIXED }],
    ["own codes", { level: 9 }],
    ["run lengths", { strategy: constants.Z_RLE }],
  ])("gives what zlib deflated with %s", (_, options) => {
    expect(Buffer.from(inflated(deflateSync(text, options), text.length)!).equals(text)).toBe(true);
  });

  it("takes data of exactly the most bytes, and none of one more", () => {
    const data = deflateSync(text);
    expect(inflated(data, text.length)).toHaveLength(text.length);
    expect(inflated(data, text.length - 1)).toBeNull();
  });

  it("gives nothing for data that are cut off, damaged or of another method", () => {
    const data = deflateSync(text);
    for (let end = 0; end < data.length - 8; end += end < 8 ? 1 : 37)
      expect(inflated(data.subarray(0, end), 1e5)).toBeNull();
    for (let at = 2; at < data.length - 6; at += 11) {
      const damaged = Buffer.from(data);
      damaged[at] = data[at]! ^ 0x55;
      const result = inflated(damaged, 1e5);
      expect(result === null || result.length <= 1e5).toBe(true);
    }
    expect(inflated(Buffer.from("no zlib"), 100)).toBeNull();
  });
});
