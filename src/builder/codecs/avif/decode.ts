/** Decodes AVIF masters: by our decoder in rows, and files that it does not support by libaom, where they fit. */
import { avifFallbackBytes } from "../../../image/formats/avif/decoder-memory.ts";
import type { AvifFacts } from "../../../image/model/facts.ts";
import type { Rect } from "../../../image/geometry/size.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { type BuildContext, withStream } from "../../streams/build-context.ts";
import { streamOf } from "../../streams/stream-of.ts";
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
  const { memory } = context;
  const { arena } = memory;
  const room = arena.roomBeside(canvasBytes);
  try {
    return await file.open(facts, part, room);
  } catch (error) {
    const isUnsupported = error instanceof Av1DecodeError && error.code === "UNSUPPORTED";
    const bytes = avifFallbackBytes(facts, file.span.length, part?.width);
    // The file is held twice until the codec has read it.
    const fits = bytes <= room && memory.hasRoomFor(bytes, file.span.length);
    if (!isUnsupported || !fits) throw error;
    console.warn("an AVIF is decoded by libaom:", error.message);
  }
  // The codec begins on an empty arena, so the file waits outside of it.
  const copy = arena.bytes(file.span).slice();
  const held = memory.meter.hold("buffers");
  held.set(copy.length);
  try {
    memory.demandRoom();
    const again = withStream(context, streamOf(copy));
    return await (facts.grid
      ? decodeGrid(again, facts, canvasBytes, part)
      : decodeLibaom(again, facts, part));
  } finally {
    held.set(0);
  }
}
