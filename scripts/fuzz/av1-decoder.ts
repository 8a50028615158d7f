/**
 * Encodes random pictures by libaom, SVT-AV1 and rav1e over their options, and decodes them by our decoder, dav1d and, where
 * that differs, libaom. All must be on the PATH: `node scripts/fuzz/av1-decoder.ts [seed] [files]`. A picture that differs
 * from both ends it with its seed and the encoder's command line; `node scripts/fuzz/av1-decoder.ts <seed> 1` repeats it
 * alone. Each file is also decoded with damage, which must end in a picture or in an error of ours.
 */
import "../wasm/hooks.ts";

const { runAv1Decoder } = await import("./av1-decoder-run.ts");
const [seed = 1, files = 1000] = process.argv.slice(2).map(Number);
await runAv1Decoder(seed, files, (counts) => console.log(JSON.stringify(counts)));
