/**
 * Encodes random pictures by libaom, SVT-AV1 and rav1e over their options, and decodes them by our decoder, dav1d and, where
 * that differs, libaom. All must be on the PATH: `node scripts/fuzz/av1-decoder.ts [seed] [files] [any | wide | large]`. A
 * picture that differs from both ends it with its seed and the encoder's command line;
 * `node scripts/fuzz/av1-decoder.ts <seed> 1` repeats it alone. Each file is also decoded with damage, which must end in a
 * picture or in an error of ours.
 *
 * any    up to 300 x 300
 * wide   3600 to 9000 columns; all use super-resolution or may use intra block copy
 * large  1 to 80 megapixels, coded by libaom alone
 */
import "../wasm/hooks.ts";

const { runAv1Decoder } = await import("./av1-decoder-run.ts");
const { PICTURE_KINDS } = await import("./av1-encoders.ts");
const [seed = "1", files = "1000", kind = "any"] = process.argv.slice(2);
const pictures = PICTURE_KINDS.find((one) => one === kind);
if (!pictures) throw new Error(`There are: ${PICTURE_KINDS.join(", ")}.`);
const tell = (counts: object): void => console.log(JSON.stringify(counts));
await runAv1Decoder(Number(seed), Number(files), tell, pictures);
