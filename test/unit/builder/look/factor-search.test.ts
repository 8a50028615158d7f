/** The search for the factor on an encoder's steps. */
import { describe, expect, it } from "vitest";
import { FactorSearch } from "../../../../src/builder/look/factor-search.ts";
import { differencesAt } from "../../../../src/builder/look/ssimulacra2.ts";
import { FITTING_FACTORS } from "../../../../src/image/formats/encoding.ts";

/** Returns a picture with `usual` differences at the usual steps, which grow with a power of the factor. */
const pictureOf =
  (usual: number, power: number) =>
  (factor: number): number =>
    usual * factor ** power;

/** Searches, and returns the factor and how often the picture was tried. */
function search(
  differences: (factor: number) => number,
  promised: number,
): { factor: number; trials: number } {
  const searching = new FactorSearch(promised, 1.15);
  let trials = 0;
  for (; !searching.isDone; trials++) {
    const wanted = differences(searching.factor);
    let [low, high] = [0, 100];
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (differencesAt(middle) > wanted) low = middle;
      else high = middle;
    }
    searching.tell(low);
  }
  return { factor: searching.factor, trials };
}

describe("the search for the factor of a picture", () => {
  it.each([0.8, 1, 1.15, 1.4, 1.7])(
    "finds it by two trials when the differences grow with the power %d",
    (power) => {
      for (const promised of [75, 84, 88]) {
        for (const share of [0.65, 0.8, 1.25, 1.5]) {
          const differences = pictureOf(share * differencesAt(promised), power);
          const { factor, trials } = search(differences, promised);
          expect(trials).toBeLessThanOrEqual(2);
          const found = differences(factor) / differencesAt(promised);
          expect(Math.abs(Math.log(found))).toBeLessThan(0.06);
        }
      }
    },
  );

  it("needs one trial where the usual steps nearly fit", () => {
    expect(search(pictureOf(0.95 * differencesAt(75), 1.3), 75).trials).toBe(1);
  });

  it("ends at the coarsest and at the finest factor", () => {
    const { coarsest, finest } = FITTING_FACTORS;
    expect(search(pictureOf(0.01, 1.15), 75).factor).toBeCloseTo(coarsest, 6);
    expect(search(pictureOf(100, 1.15), 75).factor).toBeCloseTo(finest, 6);
  });

  it.each([
    // A smooth photograph as WebP: its loop filter sets in beyond the second trial.
    { direction: "coarser", scores: [88.36, 86.72], most: 1.4 },
    { direction: "finer", scores: [81.3, 81.8], most: 2 },
  ])("goes $most times as far as the mean line says, if two trials hardly differ, to be $direction", (of) => {
    const searching = new FactorSearch(84, 1.1);
    searching.tell(of.scores[0]!);
    const second = searching.factor;
    searching.tell(of.scores[1]!);
    expect(searching.isDone).toBe(true);
    const missing = Math.log(differencesAt(84) / differencesAt(of.scores[1]!));
    expect(Math.log(searching.factor / second)).toBeCloseTo((of.most * missing) / 1.1, 6);
  });

  it("takes a picture that does not react to the quantiser as it is", () => {
    const { factor, trials } = search(() => differencesAt(82), 75);
    expect(trials).toBe(2);
    expect(factor).toBeLessThanOrEqual(FITTING_FACTORS.coarsest);
  });
});
