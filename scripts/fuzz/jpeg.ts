/**
 * Decodes damaged JPEG files: `node scripts/fuzz/jpeg.ts [runs] [seed]`. A trap, an error without a name, or a
 * decode that comes out wrong after one ends it with the seed and the run that did it.
 */
import "../wasm/hooks.ts";

const { runMutations } = await import("./jpeg-mutations.ts");
const runs = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 1);
console.log(`${runs} runs with seed ${seed}:`, await runMutations(seed, runs));
