/**
 * Reads damaged GIF, animated WebP and APNG files by the builder's readers. Each must be read or refused with an
 * expected error, without a trap or a hang, and an undamaged file must be read correctly afterwards.
 *
 *   node scripts/fuzz/animation.ts [seed] [files]
 *
 * Prints the seed of each failing file; `node scripts/fuzz/animation.ts <seed> 1` repeats it alone.
 */
import "../wasm/hooks.ts";

const { damaged, outcomeOfAnimation, wholeAnimations } = await import("./animation-damage.ts");
const { framesOf } = await import("../harness/animation-frames.ts");

const [firstSeed = 1, count = 3000] = process.argv.slice(2).map(Number);
/** Much longer than the slowest file takes, so that only a hang exceeds it. */
const HANG_MS = 30_000;

const whole = await wholeAnimations();
const right: string[] = [];
// One after the other, because they share an arena.
for (const { file } of whole) right.push(JSON.stringify(await framesOf(file)));
const outcomes = new Map<string, number>();
let failures = 0;

function fail(seed: number, what: string): void {
  failures++;
  console.error(`seed ${seed}: ${what}`);
}

for (let seed = firstSeed; seed < firstSeed + count; seed++) {
  for (const [i, sound] of whole.entries()) {
    let watch: ReturnType<typeof setTimeout> | undefined;
    const hang = new Promise<string>(
      (resolve) => (watch = setTimeout(() => resolve("fault: hangs"), HANG_MS)),
    );
    const outcome = await Promise.race([outcomeOfAnimation(sound, damaged(sound, seed)), hang]);
    clearTimeout(watch);
    const key = `${sound.name}: ${outcome}`;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    if (outcome.startsWith("fault")) fail(seed, key);
    if (seed % 100 === 0 && JSON.stringify(await framesOf(sound.file)) !== right[i]) {
      fail(seed, `a sound ${sound.name} is read wrong afterwards`);
    }
  }
}
console.log(Object.fromEntries(outcomes));
if (failures > 0) process.exitCode = 1;
