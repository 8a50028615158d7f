/**
 * Decodes damaged lossy WebP files by our own decoder and by libwebp: `node scripts/fuzz/webp.ts [seed] [files]`. It
 * fails with the seed of a file that only one of them refuses, whose pixels differ, or that traps;
 * `node scripts/fuzz/webp.ts <seed> 1` repeats that file alone.
 */
import "../wasm/hooks.ts";

const { runWebpDamage } = await import("./webp-damage.ts");
const [seed = 1, files = 10_000] = process.argv.slice(2).map(Number);
console.log(`${files} files from seed ${seed}:`, await runWebpDamage(seed, files));
