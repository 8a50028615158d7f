/** The encoders that ours are compared with. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp, { type Sharp } from "sharp";
import type { Bitmap } from "../../harness/ssim.ts";

export type LossyFormat = "jpeg" | "webp" | "avif";

/** Encodes the picture at a quality of 1 to 100 on the encoder's own scale. */
export type Encode = (picture: Bitmap, quality: number) => Promise<Uint8Array>;

type Pixels = { data: Uint8ClampedArray; width: number; height: number };
type Chain = { default: (pixels: Pixels, options: object) => Promise<ArrayBuffer>; init: Init };
type Init = (module: WebAssembly.Module) => Promise<unknown>;

export const imageOf = ({ data, width, height, channels }: Bitmap): Sharp =>
  sharp(data, { raw: { width, height, channels: channels as 3 | 4 } });

const compile = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve(name))));

const CHAINS: Record<LossyFormat, { load: () => Promise<unknown>; module: string }> = {
  jpeg: { load: () => import("@jsquash/jpeg/encode.js"), module: "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm" },
  webp: {
    load: () => import("@jsquash/webp/encode.js"),
    module: "@jsquash/webp/codec/enc/webp_enc_simd.wasm",
  },
  avif: { load: () => import("@jsquash/avif/encode.js"), module: "@jsquash/avif/codec/enc/avif_enc.wasm" },
};
const loaded = new Map<LossyFormat, Promise<Chain["default"]>>();

async function load(format: LossyFormat): Promise<Chain["default"]> {
  const { load, module } = CHAINS[format];
  const chain = (await load()) as Chain;
  await chain.init(compile(module));
  return chain.default;
}

/** As its documentation shows, with no option but the quality. */
const jsquash =
  (format: LossyFormat): Encode =>
  async (picture, quality) => {
    let encode = loaded.get(format);
    if (!encode) loaded.set(format, (encode = load(format)));
    const { data, info } = await imageOf(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const pixels = { data: Uint8ClampedArray.from(data), width: info.width, height: info.height };
    return new Uint8Array(await (await encode)(pixels, { quality }));
  };

export const PEERS: Record<LossyFormat, Record<string, Encode>> = {
  jpeg: {
    "sharp mozjpeg": (picture, quality) => imageOf(picture).jpeg({ quality, mozjpeg: true }).toBuffer(),
    jSquash: jsquash("jpeg"),
  },
  webp: {
    "sharp WebP 4": (picture, quality) => imageOf(picture).webp({ quality, effort: 4 }).toBuffer(),
    "sharp WebP 6": (picture, quality) => imageOf(picture).webp({ quality, effort: 6 }).toBuffer(),
    jSquash: jsquash("webp"),
  },
  avif: {
    "sharp AVIF 4": (picture, quality) => imageOf(picture).avif({ quality, effort: 4 }).toBuffer(),
    jSquash: jsquash("avif"),
  },
};
