/** JPEG, WebP and AVIF variants: encoded by jSquash from the arena's canvas, in one call. */
import type { Quality } from "../../image/variant.ts";
import type { Arena } from "../arena.ts";
import type { Size } from "../orient.ts";
import { avifOptions, mozjpegOptions, webpOptions } from "../quality.ts";

/**
 * The canvas (RGBA, of `size`) as a file, in JavaScript's memory.
 * @throws CodecError when it does not fit the arena, or the codec fails
 */
export function encodeCanvas(
  arena: Arena,
  format: "jpeg" | "webp" | "avif",
  size: Size,
  quality: Quality,
): Uint8Array<ArrayBuffer> {
  const codec = arena.start(format === "jpeg" ? "mozjpeg-encoder" : `${format}-encoder`);
  const settings = { jpeg: mozjpegOptions, webp: webpOptions, avif: avifOptions }[format](quality);
  const options = codec.options(settings);
  return codec.bytes(codec.call("encode", arena.canvasSpan, size.width, size.height, options)).slice();
}
