/** WebP by libwebp: masters decoded whole in the arena, variants encoded from its canvas. */
import type { WebpFacts } from "../../../image/model/facts.ts";
import type { EncoderOptions } from "../../../image/model/encoder-options.ts";
import type { Arena } from "../../memory/arena.ts";
import { BitmapRows, RGBA_BYTES } from "../../pixels/bitmap-rows.ts";
import { encodeCanvas } from "../../pixels/encode-canvas.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import { readAll } from "../../streams/source.ts";
import type { Size } from "../../../image/model/size.ts";
import { CodecError } from "../../emscripten/errors.ts";

/** A picture that the decoder takes, in the first `bytes` of the span that holds it. */
export interface Still {
  bytes: number;
  width: number;
  height: number;
}

/**
 * Reads the master into the arena and decodes it there. Orientation is not applied.
 * @param unwrap may put a still in the place of the file, at its start; null when the file is a still already
 * @throws SourceLost when the master does not arrive
 * @throws CodecError when the codec gives no picture of the size that the header stated, or does not fit
 */
export async function decodeLibwebp(
  { memory: { arena }, source }: BuildContext,
  facts: WebpFacts,
  unwrap: (file: Uint8Array) => Still | null,
): Promise<RowSource> {
  const codec = arena.start("webp-decoder");
  const file = codec.malloc(source.byteLength);
  await readAll(source.stream, (chunk, offset) => codec.bytes(file).set(chunk, offset));
  const { codedWidth, codedHeight } = facts;
  const still = unwrap(codec.bytes(file)) ?? {
    bytes: source.byteLength,
    width: codedWidth,
    height: codedHeight,
  };
  const { width, height } = still;
  const pixels = codec.call("decode", { pointer: file.pointer, length: still.bytes });
  if (pixels.length !== width * height * RGBA_BYTES) {
    throw new CodecError(`the picture is not ${width} x ${height} as its header says`);
  }
  return new BitmapRows(arena, pixels, width, { left: 0, top: 0, width, height }, facts.hasAlpha);
}

/** @throws CodecError when it does not fit the arena, or the codec fails */
export const encodeLibwebp = (arena: Arena, size: Size, options: EncoderOptions): Uint8Array =>
  encodeCanvas(arena, "webp-encoder", size, options);
