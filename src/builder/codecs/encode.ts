/** JPEG, WebP and AVIF variants: encoded by jSquash from the arena's canvas, in one call. */
import type { CodecPath } from "../../image/codec-path.ts";
import type { Quality } from "../../image/variant.ts";
import type { Arena } from "../arena.ts";
import type { Size } from "../orient.ts";
import { CodecError } from "./emscripten.ts";
import { avifOptions, mozjpegOptions, webpOptions } from "../quality.ts";

/**
 * The canvas (RGBA, of `size`) as a file, in JavaScript's memory.
 * @throws CodecError when it does not fit the arena, or the codec fails
 */
export function encodeCanvas(
  arena: Arena,
  { encoder, chroma }: CodecPath,
  size: Size,
  quality: Quality,
): Uint8Array<ArrayBuffer> {
  if (encoder !== "mozjpeg" && encoder !== "webp" && encoder !== "avif") throw new CodecError("takes rows");
  const codec = arena.start(`${encoder}-encoder`);
  const settings = { mozjpeg: mozjpegOptions, webp: webpOptions, avif: avifOptions }[encoder];
  const options = codec.options(settings(quality, chroma));
  return codec.bytes(codec.call("encode", arena.canvasSpan, size.width, size.height, options)).slice();
}
