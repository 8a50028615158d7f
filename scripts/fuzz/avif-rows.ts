/**
 * Encodes small pictures by our own AV1 encoder and decodes them by dav1d, which must be on the PATH:
 * `node scripts/fuzz/avif-rows.ts [seed] [files]`. A picture whose planes are not those that the encoder predicts from
 * ends it with its seed; `node scripts/fuzz/avif-rows.ts <seed> 1` repeats it alone.
 */
import "../wasm/hooks.ts";

const { runAvifRows } = await import("./avif-rows-run.ts");
const [seed = 1, files = 10_000] = process.argv.slice(2).map(Number);
await runAvifRows(seed, files, (done) => console.log(`${done} of ${files} files from seed ${seed}`));
