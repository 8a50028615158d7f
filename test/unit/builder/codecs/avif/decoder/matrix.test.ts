/** The factors of AVIF's conversion to RGB, against the equations that ITU-R BT.601, BT.709 and BT.2020 print. */
import { describe, expect, it } from "vitest";
import { factorsOf } from "../../../../../../src/builder/codecs/avif/decoder/matrix.ts";

/** Cr in red, Cb and Cr in green, Cb in blue, as the recommendations round them. */
const PRINTED = {
  "BT.709": { matrix: 1, red: 1.5748, green: [-0.1873, -0.4681], blue: 1.8556 },
  "BT.601": { matrix: 6, red: 1.402, green: [-0.344136, -0.714136], blue: 1.772 },
  "BT.2020": { matrix: 9, red: 1.4746, green: [-0.16455, -0.57135], blue: 1.8814 },
} as const;
const FRACTION_BITS = 21;
const CHROMA_PARTS = 16;
const clamp = (value: number): number => Math.min(255, Math.max(0, value));

describe.each(Object.entries(PRINTED))("the factors of %s", (_, { matrix, red, green, blue }) => {
  for (const bitDepth of [8, 10, 12] as const) {
    for (const fullRange of [false, true]) {
      it(`of ${bitDepth} bits in ${fullRange ? "full" : "limited"} range are those of its equations`, () => {
        const format = { bitDepth, planes: 3, chromaShiftX: 0 } as const;
        const factors = factorsOf(format, { matrix, primaries: matrix, fullRange })!;
        const unit = 2 ** (bitDepth - 8);
        const most = 2 ** bitDepth - 1;
        const [black, luma, chroma] = fullRange ? [0, most, most] : [16 * unit, 219 * unit, 224 * unit];
        for (const y of [0, 16, 41, 128, 200, 235, 255]) {
          for (const cb of [0, 16, 100, 128, 212, 240, 255]) {
            for (const cr of [0, 16, 110, 128, 212, 240, 255]) {
              const got = [factors.red, factors.green, factors.blue].map(([f = 0, u = 0, v = 0, sum = 0]) =>
                clamp(
                  Math.floor(
                    (f * y * unit + (u * cb + v * cr) * unit * CHROMA_PARTS + sum) / 2 ** FRACTION_BITS,
                  ),
                ),
              );
              const [l, b, r] = [
                (y * unit - black) / luma,
                (cb * unit - 128 * unit) / chroma,
                (cr * unit - 128 * unit) / chroma,
              ];
              [l + red * r, l + green[0] * b + green[1] * r, l + blue * b].forEach((value, channel) => {
                // Half a step of rounding, and the digits that the recommendations leave away.
                expect(Math.abs(got[channel]! - clamp(255 * value)), `${y} ${cb} ${cr}`).toBeLessThan(0.52);
              });
            }
          }
        }
      });
    }
  }
});

describe("blue of BT.709 in limited range", () => {
  it("is as strong as its equation, though libyuv cuts a factor of 2.11 to 2 there", () => {
    const format = { bitDepth: 8, planes: 3, chromaShiftX: 0 } as const;
    const [luma = 0, cb = 0, cr = 0, sum = 0] = factorsOf(format, {
      matrix: 1,
      primaries: 1,
      fullRange: false,
    })!.blue;
    expect(cr).toBe(0);
    // (80 - 16) · 255 / 219 + 1.8556 · (211 - 128) · 255 / 224 = 249.85. With the factor of 2, it were 240.5.
    expect(Math.floor((luma * 80 + cb * 211 * CHROMA_PARTS + sum) / 2 ** FRACTION_BITS)).toBe(250);
  });
});
