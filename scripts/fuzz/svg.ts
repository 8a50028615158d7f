/**
 * Sanitizes mutated drawings: `node scripts/fuzz/svg.ts [seed] [files]`. It fails with the seed of a drawing whose
 * result is unsafe, or changes when it is sanitized again; `node scripts/fuzz/svg.ts <seed> 1` repeats that drawing
 * alone.
 */
import { runSvgMutations } from "./svg-mutations.ts";

const [seed = 1, files = 20_000] = process.argv.slice(2).map(Number);
console.log(`${files} files from seed ${seed}:`, runSvgMutations(seed, files));
