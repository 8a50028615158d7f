/**
 * Sanitizes mutated drawings: `node scripts/fuzz/svg.ts [seed] [files]`. One that comes out unsafe, or different
 * when it is sanitized again, ends it with its seed; `node scripts/fuzz/svg.ts <seed> 1` repeats it alone.
 */
import { runSvgMutations } from "./svg-mutations.ts";

const [seed = 1, files = 20_000] = process.argv.slice(2).map(Number);
console.log(`${files} files from seed ${seed}:`, runSvgMutations(seed, files));
