/** Decodes AVIF masters: by our decoder in rows, and what that does not support by libaom, where it fits. */
import { avifFallbackBytes } from "../../../image/formats/avif/decoder-memory.ts";
import type { AvifFacts } from "../../../image/model/facts.ts";
import type { Rect } from "../../../image/geometry/size.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { type BuildContext, withStream } from "../../streams/build-context.ts";
import { AvifFile } from "./decoder/avif-file.ts";
import { Av1DecodeError } from "./decoder/errors.ts";
import { decodeGrid } from "./grid-reader.ts";
import { decodeLibaom } from "./libaom.ts";

/**
 * Reads the master, and hands out its rows. The clean aperture is applied, orientation is not.
 * @param canvasBytes bytes of the canvas, which the arena must have room for
 * @param part the rectangle within the clean aperture to hand out; null for all of it
 * @throws SourceLost when the master does not arrive
 * @throws InvalidImageError | CodecError | Av1DecodeError here or from `next`, when the file is damaged or does not fit
 */
export async function decodeAvif(
  context: BuildContext,
  facts: AvifFacts,
  canvasBytes: number,
  part: Rect | null = null,
): Promise<RowSource> {
  const file = await AvifFile.read(context);
  const { arena } = context.memory;
  const room = arena.roomBeside(canvasBytes);
  try {
    return file.open(facts, part, room);
  } catch (error) {
    const isUnsupported = error instanceof Av1DecodeError && error.code === "UNSUPPORTED";
    if (!isUnsupported || avifFallbackBytes(facts, file.span.length, part?.width) > room) throw error;
    console.warn("an AVIF is decoded by libaom:", error.message);
  }
  // The codec begins on an empty arena, so the file waits outside of it.
  const copy = arena.bytes(file.span).slice();
  const again = withStream(context, streamOf(copy));
  return facts.grid ? decodeGrid(again, facts, canvasBytes, part) : decodeLibaom(again, facts, part);
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
