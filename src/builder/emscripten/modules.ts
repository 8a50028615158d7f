/** jSquash's codecs as compiled modules that import their memory (scripts/wasm/build.ts makes them). */
import avifDecoder from "../wasm/avif-decoder.wasm";
import webpDecoder from "../wasm/webp-decoder.wasm";
import webpEncoder from "../wasm/webp-encoder.wasm";
import type { CodecName } from "./symbols.ts";

export const MODULES: Readonly<Record<CodecName, WebAssembly.Module>> = {
  "avif-decoder": avifDecoder,
  "webp-decoder": webpDecoder,
  "webp-encoder": webpEncoder,
};
