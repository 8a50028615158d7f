/**
 * Decodes lossless WebP and WebP with alpha by our own decoder and by libwebp:
 * `node scripts/fuzz/webp-lossless/index.ts [pictures | cwebp | damage] [seed] [files]`. `pictures` are encoded by jSquash's
 * libwebp, `cwebp` by the programs of Debian's package webp; `damage` changes files of the first kind. It fails with the
 * seed of a file that only one decoder refuses, whose pixels differ, or that traps; `<seed> 1` repeats that file alone.
 */
import "../../wasm/hooks.ts";

const { runCwebpPictures, runLosslessDamage, runLosslessPictures } = await import("./runs.ts");
const RUNS = { pictures: runLosslessPictures, cwebp: runCwebpPictures, damage: runLosslessDamage } as const;
const [kind = "pictures", ...numbers] = process.argv.slice(2);
const [seed = 1, files = 10_000] = numbers.map(Number);
const run = RUNS[kind as keyof typeof RUNS];
console.log(`${files} files from seed ${seed}:`, await run(seed, files));
