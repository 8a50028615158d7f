/** Decodes AVIF masters of one item by libaom, whole in the arena. */
import type { AvifFacts } from "../../../image/model/facts.ts";
import { BitmapRows, RGBA_BYTES } from "../../pixels/bitmap-rows.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import { readAll } from "../../streams/source.ts";
import type { Rect, Size } from "../../../image/geometry/size.ts";
import { CodecError } from "../../emscripten/errors.ts";
import { InvalidImageError } from "../../../image/bytes/errors.ts";
import { checkFrames } from "./frame-check.ts";
import { widenApertures } from "./whole-aperture.ts";

/** The decoder converts samples of 10 and 12 bits to this depth. */
const BITS_PER_SAMPLE = 8;

/**
 * Reads the master into the arena and decodes it there. The clean aperture is applied, orientation is not.
 * @param crop the rectangle within the clean aperture to hand out; null for all of it
 * @throws SourceLost when the master does not arrive
 * @throws InvalidImageError for an item with more frames than a picture needs
 * @throws CodecError when the codec fails, does not fit, or returns a picture of another size than the header states
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
  checkFrames(codec.bytes(file));
  widenWhereSound(codec.bytes(file), { width, height });
  const pixels = codec.call("decode", file, BITS_PER_SAMPLE);
  if (pixels.length !== width * height * RGBA_BYTES) {
    throw new CodecError(`The decoded picture is not ${width} x ${height} pixels as its header says`);
  }
  return new BitmapRows(arena, pixels, width, codedCrop(facts, crop), facts.hasAlpha);
}

/**
 * Returns the rectangle of the coded picture that is handed out. @param crop within the clean aperture; null for all of
 * it
 */
export function codedCrop(facts: AvifFacts, crop: Rect | null): Rect {
  const aperture = facts.crop ?? { left: 0, top: 0, width: facts.codedWidth, height: facts.codedHeight };
  return crop ? { ...crop, left: aperture.left + crop.left, top: aperture.top + crop.top } : aperture;
}

/** Widens the apertures of a file. One whose boxes cannot be read is left as it is; the decoder reports the error. */
function widenWhereSound(file: Uint8Array, size: Size): void {
  try {
    widenApertures(file, size);
  } catch (error) {
    if (!(error instanceof InvalidImageError)) throw error;
  }
}
