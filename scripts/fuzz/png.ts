/**
 * Decodes damaged PNG files. Each must be decoded or refused with a PngDecodeError, without a trap or a hang, and an
 * undamaged file must be decoded correctly afterwards.
 *
 *   node scripts/fuzz/png.ts [seed] [files]
 *
 * Prints the seed of each failing file; `node scripts/fuzz/png.ts <seed> 1` repeats it alone.
 */
import "../wasm/hooks.ts";

const { damagedPngs, outcomeOfPng } = await import("./png-damage.ts");
const { decodeWhole } = await import("../harness/png-rows.ts");
const { writePng } = await import("../samples/png-writer.ts");

const [firstSeed = 1, count = 10_000] = process.argv.slice(2).map(Number);
/** Much longer than the slowest file takes, so that only a hang exceeds it. */
const HANG_MS = 30_000;

const samples = Array.from({ length: 3 * 64 * 48 }, (_, i) => (i * 31 + (i >> 7)) & 255);
const sound = writePng({ width: 64, height: 48, bitDepth: 8, colourType: 2, samples });
const outcomes = new Map<string, number>();
let failures = 0;

function fail(seed: number, what: string): void {
  failures++;
  console.error(`seed ${seed}: ${what}`);
}

for (const { seed, png } of damagedPngs(firstSeed, count)) {
  let watch: ReturnType<typeof setTimeout> | undefined;
  const hang = new Promise<string>((resolve) => (watch = setTimeout(() => resolve("hangs"), HANG_MS)));
  const outcome = await Promise.race([outcomeOfPng(png), hang]);
  clearTimeout(watch);
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if (!/^(sound|CORRUPT|TRUNCATED|UNSUPPORTED|OUT_OF_MEMORY)$/.test(outcome)) fail(seed, outcome);
  if (seed % 100 === 0) {
    const { data } = await decodeWhole(sound);
    if (!data.every((value, i) => value === samples[i]))
      fail(seed, "a sound file is decoded wrong afterwards");
  }
}
console.log(Object.fromEntries(outcomes));
if (failures > 0) process.exitCode = 1;
