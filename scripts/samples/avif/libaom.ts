/**
 * Encodes AVIF by libaom, as jSquash has it: in every depth and chroma, which our own encoder does not have. It is ready
 * when this module is.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** jSquash's options. */
interface Options {
  quality: number;
  qualityAlpha: number;
  denoiseLevel: number;
  tileColsLog2: number;
  tileRowsLog2: number;
  speed: number;
  /** 0 gray, 1 4:2:0, 2 4:2:2, 3 4:4:4. */
  subsample: number;
  chromaDeltaQ: boolean;
  sharpness: number;
  tune: number;
  enableSharpYUV: boolean;
  bitDepth: number;
}

interface Module {
  encode(pixels: Uint8Array, width: number, height: number, options: Options): Uint8Array | null;
}

const DEFAULTS: Options = {
  quality: 64,
  qualityAlpha: -1,
  denoiseLevel: 0,
  tileColsLog2: 0,
  tileRowsLog2: 0,
  speed: 8,
  subsample: 1,
  chromaDeltaQ: false,
  sharpness: 0,
  tune: 0,
  enableSharpYUV: false,
  bitDepth: 8,
};

const { init } = (await import("@jsquash/avif/encode.js")) as unknown as {
  init: (module: WebAssembly.Module) => Promise<Module>;
};
const file = fileURLToPath(import.meta.resolve("@jsquash/avif/codec/enc/avif_enc.wasm"));
const libaom = await init(new WebAssembly.Module(readFileSync(file)));

/** @param pixels RGBA, 8 bits each, or 16 at the scale of the depth if it is larger */
export function encodeLibaom(
  pixels: Uint8Array,
  width: number,
  height: number,
  options: Partial<Options>,
): Uint8Array {
  const encoded = libaom.encode(pixels, width, height, { ...DEFAULTS, ...options });
  if (!encoded) throw new Error(`libaom does not encode ${width} x ${height}`);
  return Uint8Array.from(encoded);
}
