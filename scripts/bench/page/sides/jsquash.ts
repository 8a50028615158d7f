/** The plain jSquash chain, as its documentation shows: decode, resize with the default options, encode. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Run } from "../side-process.ts";
import type { Work } from "../works.ts";

type Pixels = { data: Uint8ClampedArray; width: number; height: number };
type Init = (module: WebAssembly.Module) => Promise<unknown>;
type Decode = (file: ArrayBuffer) => Promise<Pixels>;
type Encode = (pixels: Pixels, options?: { quality: number }) => Promise<ArrayBuffer>;

class PlainImageData implements Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

const WASM = {
  jpegDecoder: "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm",
  jpegEncoder: "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm",
  pngDecoder: "@jsquash/png/codec/pkg/squoosh_png_bg.wasm",
  pngEncoder: "@jsquash/png/codec/pkg/squoosh_png_bg.wasm",
  resize: "@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm",
  webpEncoder: "@jsquash/webp/codec/enc/webp_enc_simd.wasm",
  avifEncoder: "@jsquash/avif/codec/enc/avif_enc.wasm",
};

const compile = (name: keyof typeof WASM): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve(WASM[name]))));

async function encoder(to: Work["to"]): Promise<Encode> {
  const { default: encode, init } = (await {
    jpeg: () => import("@jsquash/jpeg/encode.js"),
    png: () => import("@jsquash/png/encode.js"),
    webp: () => import("@jsquash/webp/encode.js"),
    avif: () => import("@jsquash/avif/encode.js"),
  }[to]()) as unknown as { default: Encode; init: Init };
  await init(compile(`${to}Encoder`));
  return encode;
}

async function decoder(from: Work["from"]): Promise<Decode> {
  const { decode, init } = (await (from === "jpeg"
    ? import("@jsquash/jpeg/decode.js").then((made) => ({ decode: made.default, init: made.init }))
    : import("@jsquash/png/decode.js"))) as unknown as { decode: Decode; init: Init };
  await init(compile(`${from}Decoder`));
  return decode;
}

export async function prepare(
  { from, to, width, height }: Work,
  file: Buffer,
  { quality }: { quality: number },
): Promise<Run> {
  Object.assign(globalThis, { ImageData: PlainImageData });
  const decode = await decoder(from);
  const { default: resize, initResize } = await import("@jsquash/resize");
  await initResize(compile("resize"));
  const encode = await encoder(to);
  const bytes = new Uint8Array(file).buffer;
  return async () => {
    const pixels = await decode(bytes);
    const small = (await resize(pixels as ImageData, { width, height })) as Pixels;
    return (await encode(small, to === "png" ? undefined : { quality })).byteLength;
  };
}
