/** Encodes the arena's canvas with an encoder of jSquash, which writes the file in one call. */
import type { EncoderOptions } from "../../image/model/encoder-options.ts";
import type { CodecName } from "../emscripten/symbols.ts";
import type { Arena } from "../memory/arena.ts";
import type { Size } from "../../image/model/size.ts";

/**
 * The file of the canvas (RGBA, of `size`). It lies in the arena until the arena is used again.
 * @throws CodecError when it does not fit the arena, or the codec fails
 */
export function encodeCanvas(
  arena: Arena,
  name: CodecName,
  size: Size,
  settings: EncoderOptions,
): Uint8Array {
  const codec = arena.start(name);
  const options = codec.options(settings);
  return codec.bytes(codec.call("encode", arena.canvasSpan, size.width, size.height, options));
}
