/** The encoders that ours are compared with. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp, { type Sharp } from "sharp";
import type { Bitmap } from "../../harness/ssim.ts";
import { decodeJpegXl, encodeJpegXl, hasJpegXl } from "./jpeg-xl.ts";

export type LossyFormat = "jpeg" | "webp" | "avif";

/** Encodes the picture at a quality of 1 to 100 on the encoder's own scale. */
type Encode = (picture: Bitmap, quality: number) => Promise<Uint8Array>;

/** A picture as a peer shows it. */
export interface Encoded {
  bytes: number;
  /** A file that sharp reads. */
  readable: Uint8Array;
  /** Processor time of all threads, in ms. */
  ms: number;
}

export type Peer = (picture: Bitmap, quality: number) => Promise<Encoded>;

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

/** Encodes as jSquash's documentation shows, with no option but the quality. */
const jsquash =
  (format: LossyFormat): Encode =>
  async (picture, quality) => {
    let encode = loaded.get(format);
    if (!encode) loaded.set(format, (encode = load(format)));
    const { data, info } = await imageOf(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const pixels = { data: Uint8ClampedArray.from(data), width: info.width, height: info.height };
    return new Uint8Array(await (await encode)(pixels, { quality }));
  };

const MICROSECONDS_PER_MS = 1000;

/** Runs `work`, and measures the processor time of all of this process's threads during it, in ms. */
export async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / MICROSECONDS_PER_MS };
}

const inProcess =
  (encode: Encode): Peer =>
  async (picture, quality) => {
    const { result, ms } = await timed(() => encode(picture, quality));
    return { bytes: result.length, readable: result, ms };
  };

const jpegXl: Peer = async (picture, quality) => {
  const { file, ms } = encodeJpegXl(await imageOf(picture).png({ compressionLevel: 1 }).toBuffer(), quality);
  return { bytes: file.length, readable: decodeJpegXl(file), ms };
};

const SAME_FORMAT: Record<LossyFormat, Record<string, Encode>> = {
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

const peersOf = (format: LossyFormat): Record<string, Peer> =>
  Object.fromEntries(Object.entries(SAME_FORMAT[format]).map(([name, encode]) => [name, inProcess(encode)]));

/** JPEG XL is shown beside AVIF, where its programs are installed. */
export const PEERS: Record<LossyFormat, Record<string, Peer>> = {
  jpeg: peersOf("jpeg"),
  webp: peersOf("webp"),
  avif: { ...peersOf("avif"), ...(hasJpegXl() ? { "JPEG XL (cjxl -e 7)": jpegXl } : {}) },
};
