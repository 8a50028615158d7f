/**
 * Decodes a HEIC file where the browser cannot, beside the page: libheif as WebAssembly. A Worker of its own keeps the
 * page alive, has a policy of its own that lets WebAssembly run (the page's does not), and gives all memory back when
 * it ends. libheif is under the LGPL: it is a file of its own, unchanged, next to this one.
 */
import libheif from "libheif-js/libheif-wasm/libheif.js";
import wasmUrl from "libheif-js/libheif-wasm/libheif.wasm?url";
import { isDisplayP3 } from "./colour.ts";

export type Decoded = { blob: Blob } | { fault: string };

const JPEG_QUALITY = 0.95;

async function decode(file: Uint8Array): Promise<Blob> {
  const wasm = await fetch(wasmUrl);
  if (!wasm.ok) throw new Error("The decoder could not be loaded.");
  const { HeifDecoder } = libheif({ wasmBinary: await wasm.arrayBuffer() });
  const images = new HeifDecoder().decode(file);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (!image) throw new Error("The file is damaged, or not the picture that it says it is.");
  const [width, height] = [image.get_width(), image.get_height()];
  const colorSpace = isDisplayP3(file) ? "display-p3" : "srgb";
  const pixels = new ImageData(width, height, { colorSpace });
  const isShown = await new Promise<boolean>((resolve) => {
    image.display(pixels, (shown) => resolve(shown !== null));
  });
  if (!isShown) throw new Error("The file is damaged, or not the picture that it says it is.");
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d", { colorSpace })?.putImageData(pixels, 0, 0);
  // What can be seen through stays so.
  return image.has_alpha_channel()
    ? canvas.convertToBlob({ type: "image/png" })
    : canvas.convertToBlob({ type: "image/jpeg", quality: JPEG_QUALITY });
}

self.onmessage = async ({ data }: MessageEvent<ArrayBuffer>): Promise<void> => {
  const answer: Decoded = await decode(new Uint8Array(data)).then(
    (blob) => ({ blob }),
    (error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }),
  );
  self.postMessage(answer);
};
