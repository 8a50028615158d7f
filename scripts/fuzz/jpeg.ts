/**
 * Decodes damaged JPEG files: `node scripts/fuzz/jpeg.ts [runs] [seed]`. It fails, with the seed and the run, on a
 * trap, on an error without a name, and if an undamaged file is decoded wrongly afterwards.
 */
import "../wasm/hooks.ts";

const { runMutations } = await import("./jpeg-mutations.ts");
const runs = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 1);
console.log(`${runs} runs with seed ${seed}:`, await runMutations(seed, runs));
