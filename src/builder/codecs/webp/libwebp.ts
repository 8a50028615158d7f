/** WebP by libwebp: decodes masters whole in the arena. */
import type { WebpFacts } from "../../../image/model/facts.ts";
import { BitmapRows, RGBA_BYTES } from "../../pixels/bitmap-rows.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import { readAll } from "../../streams/source.ts";
import type { Rect } from "../../../image/geometry/size.ts";
import { CodecError } from "../../emscripten/errors.ts";

/** A picture for the decoder, in the first `bytes` bytes of the span that contains it. */
export interface Still {
  bytes: number;
  width: number;
  height: number;
}

/**
 * Reads the master into the arena and decodes it there. Orientation is not applied.
 * @param unwrap may replace the file by a still, written at its start; null when the file is a still already
 * @param crop the part that is handed out of a file that is a still already; null for the whole
 * @throws SourceLost when the master does not arrive
 * @throws CodecError when the codec fails, does not fit, or returns a picture of another size than the header states
 */
export async function decodeLibwebp(
  { memory: { arena }, source }: BuildContext,
  facts: WebpFacts,
  unwrap: (file: Uint8Array) => Still | null,
  crop: Rect | null = null,
): Promise<RowSource> {
  const codec = arena.start("webp-decoder");
  const file = codec.malloc(source.byteLength);
  await readAll(source.stream, (chunk, offset) => codec.bytes(file).set(chunk, offset));
  const { codedWidth, codedHeight } = facts;
  const unwrapped = unwrap(codec.bytes(file));
  const still = unwrapped ?? { bytes: source.byteLength, width: codedWidth, height: codedHeight };
  const { width, height } = still;
  const pixels = codec.call("decode", { pointer: file.pointer, length: still.bytes });
  if (pixels.length !== width * height * RGBA_BYTES) {
    throw new CodecError(`The decoded picture is not ${width} x ${height} pixels as its header says`);
  }
  const seen = (unwrapped ? null : crop) ?? { left: 0, top: 0, width, height };
  return new BitmapRows(arena, pixels, width, seen, facts.hasAlpha);
}
