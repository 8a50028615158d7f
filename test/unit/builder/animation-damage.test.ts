/** Damaged animations: refused by name or read whole, never a trap, and the next one is right. */
import { expect, it } from "vitest";
import { damaged, outcomeOfAnimation, wholeAnimations } from "../../support/animation-damage.ts";
import { framesOf } from "../../support/animation-frames.ts";

it("100 of each kind end as what they are, and sound ones are read right afterwards", async () => {
  for (const sound of await wholeAnimations()) {
    const before = await framesOf(sound.file);
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= 100; seed++) {
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
    for (let length = 1; length < sound.file.length; length += 37) {
      const outcome = await outcomeOfAnimation(sound, sound.file.subarray(0, length));
      expect(outcome, `${sound.name}, ${length} bytes`).toMatch(/Error$/);
    }
  }
});
