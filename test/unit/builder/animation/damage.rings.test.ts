/** Damaged animations: refused by name or read whole, never a trap, and the next one is right. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { makePlaceholder } from "../../../../src/builder/build-placeholder.ts";
import { buildVariant } from "../../../../src/builder/build.ts";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import { INITIAL_MEMORY } from "../../../../src/image/memory/isolate.ts";
import { planPlaceholder } from "../../../../src/image/plan/plan-placeholder.ts";
import { damaged, outcomeOfAnimation, wholeAnimations } from "../../../../scripts/fuzz/animation-damage.ts";
import { framesOf } from "../../../../scripts/harness/animation-frames.ts";
import { contextOf, wholeOf } from "../../../../scripts/harness/builds.ts";
import { outcomeOf, probe } from "../../../../scripts/harness/probe-run.ts";
import {
  anmf,
  FLAGS,
  riffChunk,
  vp8x,
  anim,
  webpChunk,
  webpOf,
} from "../../../../scripts/samples/probe/webp.ts";
import { rounds } from "../../../support/ring.ts";

const FIRST_FRAME_BYTES = 38_000_000;

it("damaged ones of each kind end as what they are, and sound ones are read right afterwards", async () => {
  for (const sound of await wholeAnimations()) {
    const before = await framesOf(sound.file);
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= rounds(60, 1000); seed++) {
      const outcome = await outcomeOfAnimation(sound, damaged(sound, seed));
      expect(outcome, `${sound.name}, seed ${seed}`).not.toMatch(/^fault/);
      outcomes.add(outcome);
    }
    expect(outcomes.size, sound.name).toBeGreaterThan(1);
    expect(await framesOf(sound.file)).toEqual(before);
  }
});

it("a file that ends anywhere is refused", async () => {
  for (const sound of await wholeAnimations()) {
    for (let length = 1; length < sound.file.length; length += rounds(111, 37)) {
      const cut = sound.file.subarray(0, length);
      const outcome = await outcomeOfAnimation(sound, cut);
      // A GIF may end after any of its frames. The build compares their number with that of the probe.
      const isWhole = sound.name === "gif" && "facts" in outcomeOf(cut);
      expect(outcome, `${sound.name}, ${length} bytes`).toMatch(isWhole ? /^sound$/ : /Error$/);
    }
  }
});

it("a WebP whose first frame has nearly all of its bytes is built where they fit, and else refused", async () => {
  const place = { width: 64, height: 64 };
  const noise = sharp({
    create: {
      ...place,
      channels: 3,
      background: "#808080",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });
  const picture = riffChunk("VP8 ", webpChunk(await noise.webp().toBuffer(), "VP8 "));
  const alpha = riffChunk("ALPH", new Uint8Array(FIRST_FRAME_BYTES));
  const frames = Array.from({ length: 100 }, (_, n) => ({
    ...place,
    picture: n === 0 ? [alpha, picture] : picture,
  }));
  const file = webpOf(vp8x(FLAGS.animated | FLAGS.alpha, 64, 64), anim, frames.map(anmf));
  // Memories of their own: those of the isolate are as large as the builds before have made them, and stay so.
  const context = contextOf(file);
  expect((await wholeOf(buildVariant(context))).byteLength).toBeGreaterThan(0);
  await context.source.close();
  const plan = planPlaceholder(probe(file), file.length);
  if (!plan.ok) throw new Error(plan.reason);
  const first = contextOf(file);
  expect(await makePlaceholder({ ...first, plan })).toMatchObject({ placeholder: {} });
  await first.source.close();
  const memory = new BuildMemory();
  memory.budgetBytes -= memory.roomBytes - FIRST_FRAME_BYTES;
  await expect(wholeOf(buildVariant(contextOf(file, { memory })))).rejects.toThrow("too large to be held");
  expect(memory.memoryBytes.arena).toBe(INITIAL_MEMORY.arena);
});
