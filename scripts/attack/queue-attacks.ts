/** An attack on a queue: the places of the victim's space, asked for by one visitor. */
import { pause } from "./caller.ts";
import { attempt, repeat, type Attack, type Scene } from "./scene.ts";

const CROPS_AT_ONCE = 105;
const PAUSE_BETWEEN_MS = 2000;
const FOCAL_POINTS = Array.from({ length: 13 }, (_, n) => `${(4 + n) / 20},0.5`);
/** Upright ones, so that each focal point is another crop of the victim's picture, which is broad. */
const RATIOS = ["1:1", "4:5", "3:4", "2:3", "9:16"];
const QUALITIES = [80, 90, 95, 100];

/** Crops by a number: each is another one until every ratio has had every focal point and quality at every width. */
function cropOf(n: number, widths: number[]): string {
  let rest = n;
  const next = <T>(list: T[]): T => {
    const chosen = list[rest % list.length] as T;
    rest = Math.floor(rest / list.length);
    return chosen;
  };
  return `fp=${next(FOCAL_POINTS)}&ar=${next(RATIOS)}&q=${next(QUALITIES)}&w=${next(widths)}`;
}

/** Asks for crops of the victim's picture that no visitor has asked for, all at once, again and again. */
const askForCrops = (scene: Scene, what: string, widths: number[], format: string): Promise<void> =>
  repeat(scene, 1, async (wave) => {
    const { victim, victimPicture } = scene;
    const asked = Array.from({ length: CROPS_AT_ONCE }, (_, i) => {
      const crop = cropOf(wave * CROPS_AT_ONCE + i, widths);
      return attempt(scene, what, `${victim.api}/pictures/${victimPicture}?${crop}&fm=${format}`);
    });
    await Promise.all(asked);
    await pause(PAUSE_BETWEEN_MS);
  });

export const queueAttacks: Attack[] = [
  {
    name: "8 places of the victim's queue, by one visitor",
    run: async (scene) => {
      await Promise.all([
        askForCrops(scene, "105 heavy crops at once", [1000, 750, 500], "avif"),
        askForCrops(scene, "105 light crops at once", [236, 170, 100], "webp"),
      ]);
    },
  },
];
