/** Random parameters of film grain, of all that a bitstream can hold. */
import type { Random } from "./random-frame.ts";
import type { Grain, GrainFormat } from "./reference/grain.ts";

function pointsOf(random: Random, most: number): [number, number][] {
  const values = new Set(Array.from({ length: random(most + 1) }, () => random(256)));
  return [...values].sort((a, b) => a - b).map((value) => [value, random(256)]);
}

/** Returns coefficients near 0, or any. */
function coefficientsOf(random: Random, count: number): number[] {
  const reach = random(3) ? 12 : 128;
  return Array.from({ length: count }, () => 128 - reach + random(2 * reach));
}

export function randomGrain(random: Random, format: GrainFormat): Grain {
  const isGrey = format.planeCount === 1;
  const fromLuma = !isGrey && random(3) === 0;
  const luma = pointsOf(random, 14);
  const hasChroma = !isGrey && !fromLuma && !(format.subX && format.subY && luma.length === 0);
  const lag = random(4);
  const count = 2 * lag * (lag + 1);
  return {
    seed: random(65536),
    points: [luma, ...[1, 2].map(() => (hasChroma ? pointsOf(random, 10) : []))],
    fromLuma,
    scalingMinus8: random(4),
    lag,
    coefficients: [0, 1, 1].map((more) => coefficientsOf(random, count + (luma.length ? more : 0))),
    arShiftMinus6: random(4),
    scaleShift: random(4),
    mixes: [1, 2].map(() => [random(256), random(256), random(512)]),
    hasOverlap: random(2) === 1,
    isClipped: random(2) === 1,
  };
}
