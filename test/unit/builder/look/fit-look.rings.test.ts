/** Variants of photographs, whose look is what their quality promises (RULES 9.8). */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { ssimulacra2 } from "../../../../scripts/bench/bytes/ssimulacra2.ts";
import { type Ask, askedOrder, bitmap, build, partsOf, take } from "../../../../scripts/harness/builds.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import type { LookPlan } from "../../../../src/image/plan/plan-look.ts";
import { PROMISED_LOOK } from "../../../../src/image/model/promised-look.ts";
import { ofRing } from "../../../support/ring.ts";

const FORMATS = ["jpeg", "webp", "avif"] as const;
const MOST = { below: 1.5, above: 2.5 } as const;
/** WebP has colours at half the resolution, which no quantiser makes up for. */
const WEBP_MOST_BELOW = 4;

/** Returns the score of a variant, read by sharp, against the PNG variant of the same size. */
async function scoreOf(master: Buffer, ask: Ask): Promise<number> {
  const [{ bytes }, png] = [
    await build(master, ask),
    await build(master, { ...ask, format: "png", effort: "quick" }),
  ];
  return ssimulacra2(await bitmap(sharp(png.bytes), 3), await bitmap(sharp(bytes), 3));
}

function lookOf(master: Buffer, ask: Ask): LookPlan | undefined {
  const { plan } = askedOrder(master, ask);
  return plan.kind === "still" ? plan.look : undefined;
}

describe("a photograph", () => {
  let grainy: Buffer;
  let smooth: Buffer;
  beforeAll(async () => {
    const picture = image(await photo(640, 480));
    grainy = await picture.clone().jpeg({ quality: 96 }).toBuffer();
    smooth = await picture.clone().blur(2).jpeg({ quality: 96 }).toBuffer();
  });

  const asked = FORMATS.flatMap((format) => ([80, 90, 95] as const).map((quality) => ({ format, quality })));
  // In the first ring, each format and each quality once.
  for (const { format, quality } of ofRing(asked, 4)) {
    it(`has the promised look as ${format} at q ${quality}, grainy or smooth (RULES 9.8)`, async () => {
      const promised = PROMISED_LOOK[quality]!;
      const below = format === "webp" ? WEBP_MOST_BELOW : MOST.below;
      for (const master of [grainy, smooth]) {
        const score = await scoreOf(master, { format, quality, width: 400 });
        expect(score).toBeGreaterThan(promised - below);
        expect(score).toBeLessThan(promised + MOST.above);
      }
    });
  }

  it("has it when it is turned, and when it is gray", async () => {
    const turned = await sharp(grainy).withMetadata({ orientation: 6 }).jpeg({ quality: 96 }).toBuffer();
    const gray = await sharp(grainy).grayscale().jpeg({ quality: 96 }).toBuffer();
    for (const master of [turned, gray]) {
      const score = await scoreOf(master, { format: "jpeg", quality: 80, width: 300 });
      expect(score).toBeGreaterThan(PROMISED_LOOK[80]! - MOST.below);
      expect(score).toBeLessThan(PROMISED_LOOK[80]! + MOST.above);
    }
  });

  it("is built the same twice", async () => {
    const ask = { format: "jpeg", quality: 80, width: 300 } as const;
    expect((await build(grainy, ask)).bytes.equals((await build(grainy, ask)).bytes)).toBe(true);
  });

  it("is not fitted at q 100, nor where it has alpha", async () => {
    expect(lookOf(grainy, { format: "jpeg", quality: 100, width: 400 })).toBeUndefined();
    const alpha = await sharp(grainy).ensureAlpha(0.5).webp({ quality: 95 }).toBuffer();
    expect(lookOf(alpha, { format: "webp", width: 400 })).toBeUndefined();
    expect(lookOf(grainy, { format: "webp", width: 400 })).toBeDefined();
  });

  it("is built with the usual quantiser when the file of a trial does not fit below the canvas", async () => {
    const ask = { format: "webp", quality: 80, width: 400 } as const;
    const fitted = await build(smooth, ask);
    const cramped = askedOrder(smooth, ask);
    if (cramped.plan.kind !== "still") throw new Error("There is no plan of a still");
    cramped.plan.canvas = { ...cramped.plan.canvas, floorBytes: 0 };
    const unfitted = { ...cramped.plan };
    delete unfitted.look;
    const usual = { ...cramped, plan: unfitted };
    const [one, two] = [await bytesOf(cramped, smooth), await bytesOf(usual, smooth)];
    expect(one.equals(two)).toBe(true);
    expect(one.equals(fitted.bytes)).toBe(false);
  });
});

async function bytesOf(asked: ReturnType<typeof askedOrder>, master: Buffer): Promise<Buffer> {
  const answer = await take(asked, master);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return Buffer.concat((await partsOf(answer)).parts);
}
