/** The plan of a placeholder, and pictures that have none. */
import { describe, expect, it } from "vitest";
import { planPlaceholder } from "../../../../src/image/plan/plan-placeholder.ts";
import { ISOLATE } from "../../../../src/limits.ts";
import { writeWebpAnimation } from "../../../../scripts/samples/animation/writers.ts";
import { build } from "../../../../scripts/harness/builds.ts";
import {
  avifFacts,
  gifFacts,
  jpegFacts,
  pngFacts,
  svgFacts,
  webpFacts,
} from "../../../../scripts/samples/facts.ts";
import { image, photo, type Picture } from "../../../../scripts/samples/pictures.ts";
import {
  placeholderAnswer,
  placeholderOf,
  placeholderOrder,
} from "../../../support/placeholders/placeholders.ts";
import { scene, drawn, rgba, GROUND } from "../../../support/placeholders/placeholder-scenes.ts";
import { ofRing } from "../../../support/ring.ts";

describe("the plan", () => {
  it("does not exist for a master that is not transformed", () => {
    expect(planPlaceholder(jpegFacts(9000, 9000), 1e6)).toMatchObject({ ok: false });
    expect(planPlaceholder(jpegFacts(900, 900), 41 * 1024 * 1024)).toMatchObject({ ok: false });
    expect(planPlaceholder(gifFacts(9000, 9000, 2), 1e6)).toMatchObject({ ok: false });
    expect(
      planPlaceholder(
        { ...svgFacts(10, 10), drawing: { ...svgFacts(1, 1).drawing, undrawable: "no" } },
        1000,
      ),
    ).toEqual({
      ok: false,
      reason: "no",
    });
  });

  it("fits an isolate", () => {
    for (const facts of [gifFacts(8000, 8000, 2), webpFacts(6000, 6000, 2)]) {
      expect(planPlaceholder(facts, 1e6)).toMatchObject({
        ok: false,
        reason: expect.stringContaining("bytes of") as string,
      });
    }
    for (const facts of [
      gifFacts(3000, 3000, 500),
      jpegFacts(10_000, 8000),
      pngFacts(10_000, 8000),
      avifFacts(10_000, 8000),
    ]) {
      const plan = planPlaceholder(facts, 1e6);
      expect(plan.ok && plan.memory.peak).toBeLessThanOrEqual(ISOLATE.buildBytes);
    }
  });

  it("predicts at least the memory that is used", async () => {
    const picture: Picture = await photo(1500, 1000);
    const whole = { left: 0, top: 0, width: 1500, height: 1000, rgba: await rgba(image(picture)) };
    const makers: (() => Uint8Array | Promise<Uint8Array>)[] = [
      () => image(picture).jpeg().toBuffer(),
      () => image(picture).jpeg({ progressive: true }).toBuffer(),
      () => image(picture).png().toBuffer(),
      () => image(picture).webp().toBuffer(),
      () => image(picture).avif({ effort: 0 }).toBuffer(),
      () => image(picture).gif({ effort: 1, colours: 16 }).toBuffer(),
      () => scene(GROUND),
      () => writeWebpAnimation({ width: 1500, height: 1000, frames: [whole, whole], effort: 0 }),
    ];
    for (const make of ofRing(makers, 3)) {
      const file = await make();
      const order = placeholderOrder(file);
      const { peakBytes } = await placeholderOf(file, order);
      expect(peakBytes).toBeGreaterThan(0);
      expect(order.peakBytes / peakBytes, order.facts.format).toBeGreaterThanOrEqual(1);
    }
  });
});

describe("a picture at fault", () => {
  it("has no placeholder, and the next build is right", async () => {
    for (const make of [drawn(GROUND).png(), drawn(GROUND).webp(), drawn(GROUND).avif({ effort: 0 })]) {
      const file = await make.toBuffer();
      const order = placeholderOrder(file);
      const broken = Buffer.from(file);
      for (let i = Math.min(200, file.length >> 1); i < broken.length - 20; i++) broken[i] = (i * 73) & 255;
      const answer = await placeholderAnswer(broken, order);
      if (order.facts.format !== "webp") expect(answer).toMatchObject({ ok: false, code: "failed" });
      expect((await build(file, { width: 100, format: "png" })).bytes.length).toBeGreaterThan(0);
    }
  });
});
