/** Attacks on a queue: the places of the victim's space, asked for by one visitor. */
import { attempt, repeat, type Attack, type Scene } from "./scene.ts";
import { pause } from "./caller.ts";

const CROPS_AT_ONCE = 105;
const PAUSE_BETWEEN_MS = 2000;
const FOCAL_STEPS = 21;

/** Asks for crops of the victim's picture that nobody has asked for, all at once, again and again. */
const askForCrops = (scene: Scene, what: string, query: (n: number) => string): Promise<void> =>
  repeat(scene, 1, async (wave) => {
    const asked = Array.from({ length: CROPS_AT_ONCE }, (_, i) => {
      const n = wave * CROPS_AT_ONCE + i;
      const focalPoint = `${(n % FOCAL_STEPS) / 20},${(Math.floor(n / FOCAL_STEPS) % FOCAL_STEPS) / 20}`;
      const { victim, victimPicture } = scene;
      return attempt(scene, what, `${victim.api}/pictures/${victimPicture}?${query(n)}&fp=${focalPoint}`);
    });
    await Promise.all(asked);
    await pause(PAUSE_BETWEEN_MS);
  });

export const queueAttacks: Attack[] = [
  {
    name: "8 heavy places of the victim's queue, by one visitor",
    run: (scene) => askForCrops(scene, "crops", (n) => `w=${[1000, 750][n % 2]}&ar=1:1&fm=avif&q=90`),
  },
  {
    name: "8 light places of the victim's queue, by one visitor",
    run: (scene) => askForCrops(scene, "crops", (n) => `w=${[236, 170][n % 2]}&ar=1:1&fm=webp&q=90`),
  },
];
