/** JPEG, WebP and AVIF variants: encoded by jSquash from the arena's canvas, in one call. */
import type { CodecPath } from "../../image/plan/choose-encoder.ts";
import type { Quality } from "../../image/model/variant.ts";
import type { Arena } from "../memory/arena.ts";
import type { CodecName } from "../emscripten/symbols.ts";
import type { Size } from "../../image/model/orientation.ts";
import { CodecError } from "../emscripten/emscripten.ts";
import { avifOptions, type EncoderOptions, mozjpegOptions, webpOptions } from "../quality.ts";

/**
 * The canvas (RGBA, of `size`) as a file, in JavaScript's memory.
 * @throws CodecError when it does not fit the arena, or the codec fails
 */
export function encodeCanvas(
  arena: Arena,
  path: Pick<CodecPath, "encoder" | "chroma">,
  size: Size,
  quality: Quality,
): Uint8Array<ArrayBuffer> {
  const { name, settings } = encoderOf(path, quality);
  const codec = arena.start(name);
  const options = codec.options(settings);
  return codec.bytes(codec.call("encode", arena.canvasSpan, size.width, size.height, options)).slice();
}

function encoderOf(
  { encoder, chroma }: Pick<CodecPath, "encoder" | "chroma">,
  quality: Quality,
): { name: CodecName; settings: EncoderOptions } {
  switch (encoder) {
    case "mozjpeg":
      return { name: "mozjpeg-encoder", settings: mozjpegOptions(quality, chroma) };
    case "webp":
      return { name: "webp-encoder", settings: webpOptions(quality) };
    case "avif":
      return { name: "avif-encoder", settings: avifOptions(quality, chroma) };
    default:
      throw new CodecError(`${encoder} takes rows, not a canvas`);
  }
}
