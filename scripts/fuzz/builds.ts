/**
 * Builds variants of damaged masters of every kind: `node scripts/fuzz/builds.ts [seed] [files of each kind]`. It fails
 * with the seed of a master that has an unexpected answer, or after which an undamaged master is built differently.
 */
import "../wasm/hooks.ts";

const { runBuildDamage } = await import("./build-damage.ts");
const [seed = 1, count = 2000] = process.argv.slice(2).map(Number);
console.log(`${count} files of each kind from seed ${seed}:`, await runBuildDamage(seed, count));
