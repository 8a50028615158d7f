/** The settings of the encoders for each quality and effort. A change of them changes ENCODER_VERSION. */
import { describe, expect, it } from "vitest";
import type { AvifEncoderPlan } from "../../../../src/image/formats/avif/encoding.ts";
import type { PictureToEncode } from "../../../../src/image/formats/encoding.ts";
import {
  fittingOf,
  stillEncodingOf,
  type StillEncoderPlan,
} from "../../../../src/image/formats/encodings.ts";
import type { JpegEncoderPlan } from "../../../../src/image/formats/jpeg/encoding.ts";
import type { WebpEncoderPlan } from "../../../../src/image/formats/webp/encoding.ts";
import {
  type Effort,
  ENCODER_VERSION,
  QUALITIES,
  type Quality,
} from "../../../../src/image/model/variant.ts";
import { PROMISED_LOOK } from "../../../../src/image/model/promised-look.ts";

const picture = (quality: Quality): PictureToEncode => ({
  ...{ width: 1000, height: 750, quality, layout: "rgb", hasAlpha: false, samples: 3 },
  ...{ isExact: false, isPhotograph: true },
});

const planOf = (format: "jpeg" | "webp" | "avif", quality: Quality, effort: Effort): StillEncoderPlan =>
  stillEncodingOf(format)!.plan(picture(quality), effort);

const each = <Value>(of: (quality: Quality) => Value): Value[] => QUALITIES.map(of);

describe("the settings of encoder version 24", () => {
  it("are written down", () => {
    expect(ENCODER_VERSION).toBe(24);
    expect(each((quality) => PROMISED_LOOK[quality])).toEqual([75, 84, 88, null]);
    const jpeg = (quality: Quality, effort: Effort) =>
      (planOf("jpeg", quality, effort) as JpegEncoderPlan).options;
    expect(each((quality) => jpeg(quality, "thorough").scale)).toEqual([0.455, 0.25, 0.175, 0.1]);
    expect(each((quality) => jpeg(quality, "quick").scale)).toEqual([0.455, 0.25, 0.175, 0.1]);
    expect(each((quality) => jpeg(quality, "quick").chroma)).toEqual(["420", "420", "444", "444"]);
    const webp = (quality: Quality) => (planOf("webp", quality, "quick") as WebpEncoderPlan).options;
    expect(each((quality) => webp(quality).quality)).toEqual([79.3, 88.6, 93, 100]);
    expect(each((quality) => webp(quality).effort)).toEqual(Array(4).fill("quick"));
    const avif = (quality: Quality, effort: Effort) =>
      (planOf("avif", quality, effort) as AvifEncoderPlan).options;
    expect(each((quality) => avif(quality, "thorough").baseIndex)).toEqual([68, 33, 27, 17]);
    expect(each((quality) => avif(quality, "thorough").chroma)).toEqual(Array(4).fill("444"));
    expect(each((quality) => avif(quality, "quick").chroma)).toEqual(["420", "444", "444", "444"]);
  });
});

describe("scaled settings", () => {
  /** Returns the setting that is scaled, as a step of quantisation. */
  function stepOf(plan: StillEncoderPlan): number {
    if (plan.name === "jpeg-rows") return plan.options.scale;
    if (plan.name === "avif-rows") return plan.options.baseIndex + 8;
    if (plan.name !== "webp-rows") throw new Error("PNG has no steps");
    const { quality } = plan.options;
    const compression = quality < 75 ? quality / 150 : quality / 50 - 1;
    return 127 * (1 - Math.cbrt(compression)) + 4;
  }

  it.each(["jpeg", "webp", "avif"] as const)("have so many times the steps in %s", (format) => {
    for (const quality of [80, 90, 95] as const) {
      const plan = planOf(format, quality, "thorough");
      const fitting = fittingOf(plan.name)!;
      for (const factor of [0.55, 0.8, 1, 1.3, 2.2]) {
        const wanted = Math.max(format === "webp" ? 4 : 0, factor * stepOf(plan));
        const rounded = format === "avif" ? 0.5 : 1e-9;
        expect(Math.abs(stepOf(fitting.scaled(plan, factor)) - wanted)).toBeLessThanOrEqual(rounded);
      }
    }
  });
});
