/**
 * Decodes damaged lossy WebP files by the own decoder and by libwebp: `node scripts/fuzz/webp.ts [seed] [files]`. One
 * that only one of them refuses, that they see differently, or that traps ends it with its seed;
 * `node scripts/fuzz/webp.ts <seed> 1` repeats it alone.
 */
import "../wasm/hooks.ts";

const { runWebpDamage } = await import("./webp-damage.ts");
const [seed = 1, files = 10_000] = process.argv.slice(2).map(Number);
console.log(`${files} files from seed ${seed}:`, await runWebpDamage(seed, files));
