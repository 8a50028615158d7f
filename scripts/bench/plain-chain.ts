/**
 * Runs the plain jSquash chain in a separate process, as its documentation shows: decode, resize with the default
 * options, encode. The parent process sends the work and gets time and memory back.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { PeerFormat } from "./peer-formats.ts";

export interface ChainOrder {
  path: string;
  from: "jpeg" | "png";
  /** With null, the run stops after the resize. */
  to: PeerFormat | null;
  width: number;
  height: number;
}

/** Counts memory as the builder does: every WebAssembly memory, the file, and pixels outside of these memories. */
export type ChainAnswer = { ms: number; peakBytes: number } | { error: string };

type Pixels = { data: Uint8ClampedArray; width: number; height: number };
type Init = (module: WebAssembly.Module) => Promise<unknown>;

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

/** The memories that instances export. */
const memories = new Set<WebAssembly.Memory>();

/** Records each instance, however the package's glue code creates it. */
function watchInstances(): void {
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  const note = <T>(made: T): T => {
    const instance = made instanceof WebAssembly.Instance ? made : (made as { instance?: unknown }).instance;
    if (!(instance instanceof WebAssembly.Instance)) return made;
    for (const value of Object.values(instance.exports)) {
      if (value instanceof WebAssembly.Memory) memories.add(value);
    }
    return made;
  };
  const watched = async (...given: Parameters<typeof instantiate>): Promise<unknown> =>
    note(await instantiate(...given));
  WebAssembly.instantiate = watched as typeof WebAssembly.instantiate;
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct: (target, given: ConstructorParameters<typeof WebAssembly.Instance>) =>
      note(new target(...given)),
  });
}

async function encoder(to: NonNullable<ChainOrder["to"]>): Promise<(pixels: Pixels) => Promise<ArrayBuffer>> {
  const { default: encode, init } = (await {
    jpeg: () => import("@jsquash/jpeg/encode.js"),
    png: () => import("@jsquash/png/encode.js"),
    webp: () => import("@jsquash/webp/encode.js"),
    avif: () => import("@jsquash/avif/encode.js"),
  }[to]()) as unknown as { default: (pixels: Pixels) => Promise<ArrayBuffer>; init: Init };
  await init(compile(`${to}Encoder`));
  return encode;
}

async function decoder(from: ChainOrder["from"]): Promise<(file: ArrayBuffer) => Promise<Pixels>> {
  const { decode, init } = (await (from === "jpeg"
    ? import("@jsquash/jpeg/decode.js").then((made) => ({ decode: made.default, init: made.init }))
    : import("@jsquash/png/decode.js"))) as unknown as {
    decode: (file: ArrayBuffer) => Promise<Pixels>;
    init: Init;
  };
  await init(compile(`${from}Decoder`));
  return decode;
}

async function prepare(order: ChainOrder): Promise<() => Promise<ChainAnswer>> {
  const decode = await decoder(order.from);
  const { default: resize, initResize } = await import("@jsquash/resize");
  await initResize(compile("resize"));
  const encode = order.to && (await encoder(order.to));
  const file = new Uint8Array(readFileSync(order.path)).buffer;
  return async () => {
    const started = performance.now();
    const pixels = await decode(file);
    const small = (await resize(pixels as ImageData, { width: order.width, height: order.height })) as Pixels;
    await encode?.(small);
    const ms = performance.now() - started;
    let peakBytes = file.byteLength + pixels.data.length + small.data.length;
    for (const { buffer } of memories) peakBytes += buffer.byteLength;
    return { ms, peakBytes };
  };
}

/** Runs one piece of work per message of the parent and answers with its result. */
function serve(): void {
  Object.assign(globalThis, { ImageData: PlainImageData });
  watchInstances();
  let ready: Promise<() => Promise<ChainAnswer>> | null = null;
  process.on("message", (order: ChainOrder) => {
    ready ??= prepare(order);
    ready
      .then((run) => run())
      .catch((error: unknown): ChainAnswer => ({
        error: error instanceof Error ? error.message : String(error),
      }))
      .then((answer) => process.send?.(answer))
      .catch(() => process.exit(1));
  });
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) serve();
