/**
 * Decodes a HEIC file where the browser cannot, beside the page: libheif as WebAssembly. A Worker of its own keeps the
 * page alive, has a policy of its own that lets WebAssembly run (the page's does not), and gives all memory back when
 * it ends. libheif is under the LGPL: it is a file of its own, unchanged, next to this one.
 */
import libheif from "libheif-js/libheif-wasm/libheif.js";
import wasmUrl from "libheif-js/libheif-wasm/libheif.wasm?url";
import { isDisplayP3, toSrgb } from "./colour.ts";

export type Decoded = { blob: Blob } | { fault: string };

const JPEG_QUALITY = 0.95;

/** Returns the same pixels under their colours' name; null where the browser (Firefox 153) knows sRGB alone. */
function asDisplayP3({ data, width, height }: ImageData): ImageData | null {
  try {
    const pixels = new ImageData(data, width, height, { colorSpace: "display-p3" });
    // A browser that does not know the option may pass it over.
    return (pixels.colorSpace as string | undefined) === "display-p3" ? pixels : null;
  } catch {
    return null;
  }
}

function draw(pixels: ImageData, isP3: boolean): OffscreenCanvas {
  const named = isP3 ? asDisplayP3(pixels) : null;
  if (isP3 && !named) toSrgb(pixels.data);
  const { width, height } = pixels;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { colorSpace: named ? "display-p3" : "srgb" });
  context?.putImageData(named ?? pixels, 0, 0);
  return canvas;
}

async function decode(file: Uint8Array): Promise<Blob> {
  const wasm = await fetch(wasmUrl);
  if (!wasm.ok) throw new Error("The decoder could not be loaded.");
  const { HeifDecoder } = libheif({ wasmBinary: await wasm.arrayBuffer() });
  const images = new HeifDecoder().decode(file);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (!image) throw new Error("The file is damaged, or not the picture that it says it is.");
  const [width, height] = [image.get_width(), image.get_height()];
  const pixels = await new Promise<ImageData | null>((resolve) => {
    image.display(new ImageData(width, height), resolve);
  });
  if (!pixels) throw new Error("The file is damaged, or not the picture that it says it is.");
  const canvas = draw(pixels, isDisplayP3(file));
  // Transparent parts stay transparent.
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
