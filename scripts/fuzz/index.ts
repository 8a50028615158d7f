/**
 * `node scripts/run.mjs scripts/fuzz/index.ts [NAME] [seed] [count]`: long runs over damaged or random files. Tests do
 * short ones. A run ends with an error that names the seed; the same command with that seed and a count of 1 repeats the
 * file alone. Without a name, all run but `avif-rows`, which needs dav1d on the PATH.
 *
 * animation    damaged GIF, animated WebP and APNG by the builder's readers
 * builds       variants of damaged masters of every kind
 * jpeg         damaged JPEG by the decoder in rows
 * png          damaged PNG by the decoder in rows, whole and with its passes side by side
 * png-encoder  random pictures through the PNG encoder, read by libpng
 * probe        mutated files of every kind, probed in chunks of any size
 * svg          mutated drawings through the sanitizer, twice
 * webp         damaged lossy WebP by our decoder and by libwebp, which must agree
 * avif-rows    random pictures through the AV1 encoder, whose planes dav1d must see as the encoder predicts them
 */
import "../wasm/hooks.ts";

type Run = (seed: number, count: number) => unknown;

interface Fuzz {
  /** Files, or files of each kind. */
  count: number;
  /** Imported when it runs, because the hooks for WebAssembly must be registered first. */
  load: () => Promise<Run>;
  /** A program that must be on the PATH. */
  needs?: string;
}

const FUZZ: Record<string, Fuzz> = {
  animation: { count: 3000, load: async () => (await import("./animation-damage.ts")).runAnimationDamage },
  builds: { count: 2000, load: async () => (await import("./build-damage.ts")).runBuildDamage },
  jpeg: { count: 10_000, load: async () => (await import("./jpeg-mutations.ts")).runMutations },
  png: { count: 10_000, load: async () => (await import("./png-damage.ts")).runPngDamage },
  "png-encoder": { count: 3000, load: async () => (await import("./png-encoder.ts")).runPngEncoder },
  probe: { count: 100_000, load: async () => (await import("./probe.ts")).runProbe },
  svg: { count: 20_000, load: async () => (await import("./svg-mutations.ts")).runSvgMutations },
  webp: { count: 10_000, load: async () => (await import("./webp-damage.ts")).runWebpDamage },
  "avif-rows": {
    count: 10_000,
    load: async () => (await import("./avif-rows.ts")).runAvifRows,
    needs: "dav1d",
  },
};

const [name, seed = "1", count] = process.argv.slice(2);
if (name !== undefined && !(name in FUZZ)) {
  console.error(`Unknown: ${name}. There are: ${Object.keys(FUZZ).join(", ")}.`);
  process.exit(1);
}
for (const [each, fuzz] of Object.entries(FUZZ)) {
  if (name === undefined ? fuzz.needs !== undefined : name !== each) continue;
  const files = count === undefined ? fuzz.count : Number(count);
  const run = await fuzz.load();
  console.log(`${each}, ${files} from seed ${seed}:`, await run(Number(seed), files));
}
