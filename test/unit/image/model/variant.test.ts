import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseVariantFile,
  QUALITIES,
  takesQuality,
  variantFile,
} from "../../../../src/image/model/variant.ts";
import { OUTPUT_FORMATS } from "../../../../src/image/formats/registry.ts";

describe("the identity of a variant (RULES 9.1)", () => {
  it("is a readable name", () => {
    expect(variantFile({ width: 1000, format: "webp", quality: 80 }, 3)).toBe("w1000-q80-e3.webp");
    expect(variantFile({ width: 64, format: "png", quality: null }, 1)).toBe("w64-e1.png");
  });

  it("can be read back from the name", () => {
    const format = fc.constantFrom(...OUTPUT_FORMATS, "gif" as const);
    const width = fc.integer({ min: 1, max: 80_000_000 });
    fc.assert(
      fc.property(
        width,
        format,
        fc.constantFrom(...QUALITIES),
        fc.integer({ min: 1, max: 999 }),
        (w, f, q, e) => {
          const quality = takesQuality(f) ? q : null;
          const parsed = parseVariantFile(variantFile({ width: w, format: f, quality }, e));
          expect(parsed).toEqual({ width: w, format: f, quality, encoderVersion: e, crop: null });
        },
      ),
    );
  });

  it("of a crop begins with its ratio in lowest terms and its focus", () => {
    const crop = (width: number, height: number, focus: number) => ({ ratio: { width, height }, focus });
    const picture = { width: 1000, format: "webp", quality: 80 } as const;
    const name = "r16x9-f25-w1000-q80-e3.webp";
    expect(variantFile({ ...picture, crop: crop(16, 9, 25) }, 3)).toBe(name);
    expect(variantFile({ ...picture, crop: crop(32, 18, 25) }, 3)).toBe(name);
    expect(parseVariantFile(name)).toEqual({ ...picture, encoderVersion: 3, crop: crop(16, 9, 25) });
    for (const focus of [0, 7, 100]) {
      const file = variantFile({ width: 64, format: "png", quality: null, crop: crop(1, 9999, focus) });
      expect(parseVariantFile(file)?.crop).toEqual(crop(1, 9999, focus));
    }
  });

  it("of a padded picture begins with the ratio of its canvas, and has the background of one that is not the format's", () => {
    const picture = { width: 1000, format: "webp", quality: 80 } as const;
    const pad = { ratio: { width: 32, height: 18 } };
    const names = [
      variantFile({ ...picture, pad }, 3),
      variantFile({ ...picture, pad, background: "00ff7f" }, 3),
      variantFile({ width: 64, format: "png", quality: null, pad, background: "ffffff" }, 3),
      variantFile({ ...picture, format: "jpeg", background: "000000" }, 3),
    ];
    expect(names).toEqual([
      "p16x9-w1000-q80-e3.webp",
      "p16x9-w1000-q80-b00ff7f-e3.webp",
      "p16x9-w64-bffffff-e3.png",
      "w1000-q80-b000000-e3.jpg",
    ]);
    expect(names.map((name) => parseVariantFile(name)?.pad ?? null)).toEqual([
      ...Array<unknown>(3).fill({ width: 16, height: 9 }),
      null,
    ]);
    expect(names.map((name) => parseVariantFile(name)?.background ?? null)).toEqual([
      ...[null, "00ff7f", "ffffff", "000000"],
    ]);
  });

  it.each([
    "p32x18-w1000-q80-e1.webp",
    "p16x9-f25-w1000-q80-e1.webp",
    "r16x9-f25-p16x9-w1000-q80-e1.webp",
    "p16x9-w1000-q80-bffffff-e1.jpg",
    "p16x9-w1000-q80-bFFFFFF-e1.webp",
    "p16x9-w1000-q80-bfff-e1.webp",
    "p16x9-w1000-b000000-q80-e1.webp",
    "w1000-q80-b000000-b111111-e1.jpg",
    "w1000-q80-btransparent-e1.webp",
    "r32x18-f25-w1000-q80-e1.webp",
    "r16x9-w1000-q80-e1.webp",
    "r16x9-f101-w1000-q80-e1.webp",
    "r16x9-f05-w1000-q80-e1.webp",
    "r0x9-f0-w1000-q80-e1.webp",
    "r10000x1-f0-w1000-q80-e1.webp",
    "r16x9-f25-",
    "w0-q80-e1.webp",
    "w01-q80-e1.webp",
    "w5-q81-e1.webp",
    "w5-e1.webp",
    "w5-q80-e1.png",
    "w5-q80-e1.svg",
    "../x",
    "",
  ])("does not read %s", (file) => expect(parseVariantFile(file)).toBeNull());
});
