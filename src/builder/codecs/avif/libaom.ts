/** AVIF by libaom: masters of one item decoded whole in the arena, variants encoded from its canvas. */
import type { AvifFacts } from "../../../image/model/facts.ts";
import type { EncoderOptions } from "../../../image/model/encoder-options.ts";
import type { Arena } from "../../memory/arena.ts";
import { BitmapRows, RGBA_BYTES } from "../../pixels/bitmap-rows.ts";
import { encodeCanvas } from "../../pixels/encode-canvas.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import { readAll } from "../../streams/source.ts";
import type { Rect, Size } from "../../../image/model/size.ts";
import { CodecError } from "../../emscripten/errors.ts";
import { InvalidImageError } from "../../../image/bytes/errors.ts";
import { widenApertures } from "./whole-aperture.ts";

/** The decoder brings samples of 10 and 12 bits to this depth. */
const BITS_PER_SAMPLE = 8;

/**
 * Reads the master into the arena and decodes it there. The clean aperture is applied,
 * orientation is not.
 * @param crop of what the clean aperture leaves; null for all of it
 * @throws SourceLost when the master does not arrive
 * @throws CodecError when the codec gives no picture of the size that the header stated, or does not fit
 */
export async function decodeLibaom(
  { memory: { arena }, source }: BuildContext,
  facts: AvifFacts,
  crop: Rect | null = null,
): Promise<RowSource> {
  const codec = arena.start("avif-decoder");
  const file = codec.malloc(source.byteLength);
  await readAll(source.stream, (chunk, offset) => codec.bytes(file).set(chunk, offset));
  const { codedWidth: width, codedHeight: height } = facts;
  widenWhereSound(codec.bytes(file), { width, height });
  const pixels = codec.call("decode", file, BITS_PER_SAMPLE);
  if (pixels.length !== width * height * RGBA_BYTES) {
    throw new CodecError(`the picture is not ${width} x ${height} as its header says`);
  }
  return new BitmapRows(arena, pixels, width, codedCrop(facts, crop), facts.hasAlpha);
}

/** What is seen, in the picture as coded. */
export function codedCrop(facts: AvifFacts, crop: Rect | null): Rect {
  const aperture = facts.crop ?? { left: 0, top: 0, width: facts.codedWidth, height: facts.codedHeight };
  return crop ? { ...crop, left: aperture.left + crop.left, top: aperture.top + crop.top } : aperture;
}

/** @throws CodecError when it does not fit the arena, or the codec fails */
export const encodeLibaom = (arena: Arena, size: Size, options: EncoderOptions): Uint8Array =>
  encodeCanvas(arena, "avif-encoder", size, options);

/** A file whose boxes cannot be read is left as it is: what is wrong with it, the decoder says. */
function widenWhereSound(file: Uint8Array, size: Size): void {
  try {
    widenApertures(file, size);
  } catch (error) {
    if (!(error instanceof InvalidImageError)) throw error;
  }
}
