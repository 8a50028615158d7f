/** Runs the decoder that the plan names. Afterwards the canvas may be laid out above what it took. */
import type { MasterFacts, MasterFormat } from "../image/model/facts.ts";
import type { DecoderPlan } from "../image/plan/build-plan.ts";
import { decodeGrid } from "./codecs/avif/grid-reader.ts";
import { decodeLibaom } from "./codecs/avif/libaom.ts";
import { decodeGif } from "./codecs/gif/still.ts";
import { decodeJpeg } from "./codecs/jpeg/decoder.ts";
import { decodePng } from "./codecs/png/decoder.ts";
import { decodeSoleFrame } from "./codecs/png/sole-frame.ts";
import { drawSvg } from "./codecs/svg/draw.ts";
import { decodeWebp } from "./codecs/webp/still.ts";
import { atDecoding, BuildError } from "./failures/build-error.ts";
import { cropRows } from "./pixels/crop-rows.ts";
import type { RowSource } from "./pixels/row-source.ts";
import { arenaWorkspace, type BuildContext } from "./streams/build-context.ts";
import type { Rect, Size } from "../image/geometry/size.ts";

export interface Decoding {
  decoder: DecoderPlan;
  /** As stored, for decoders that bring the rows to their size themselves. */
  to: Size;
  /** That the arena must keep free. */
  canvasBytes: number;
  /** What of the picture is wanted, in the rows of the decoder; absent or null for all of it. */
  crop?: Rect | null | undefined;
}

/**
 * Rows of the master, or of a part of it, as stored, not yet upright: at its own size, or at `to` already where the
 * decoder scales.
 * @throws BuildError when the picture is at fault, SourceLost when it does not arrive; so does `next` of the rows
 */
export async function decodeMaster(context: BuildContext, decoding: Decoding): Promise<RowSource> {
  try {
    const rows = await opened(context, decoding);
    const next = rows.next.bind(rows);
    return {
      width: rows.width,
      height: rows.height,
      layout: rows.layout,
      next: async () => {
        try {
          return await next();
        } catch (error) {
          throw atDecoding(error);
        }
      },
    };
  } catch (error) {
    throw atDecoding(error);
  }
}

async function opened(
  context: BuildContext,
  { decoder, to, canvasBytes, crop = null }: Decoding,
): Promise<RowSource> {
  const { source } = context;
  const { arena, meter } = context.memory;
  switch (decoder.name) {
    case "jpeg": {
      const facts = factsOf(context, "jpeg");
      const budgetBytes = Math.min(decoder.budgetBytes, arena.roomBeside(canvasBytes));
      const reading = { ...decoder, ...(crop && { crop }) };
      const rows = await decodeJpeg(arenaWorkspace(context), source.stream, facts, to, budgetBytes, reading);
      arena.lent(rows.peakBytes());
      return rows;
    }
    case "png": {
      const facts = factsOf(context, "png");
      const again = decoder.sideBySide ? source.readAgain : undefined;
      if (again) meter.hold("buffers").set(decoder.sideBySide?.bufferBytes ?? 0);
      const rows = facts.hidesDefault
        ? await decodeSoleFrame(context, facts)
        : await decodePng(arenaWorkspace(context), source.stream, facts, again);
      arena.lent(rows.memoryBytes);
      return crop ? cropRows(rows, crop, () => rows.cancel()) : rows;
    }
    case "vp8":
    case "vp8l":
      return decodeWebp(context, factsOf(context, "webp"), crop);
    case "libaom":
      return decodeLibaom(context, factsOf(context, "avif"), crop);
    case "libaom-grid":
      return decodeGrid(context, factsOf(context, "avif"), canvasBytes, crop);
    case "gif":
      meter.hold("buffers").set(decoder.bufferBytes);
      return decodeGif(context, factsOf(context, "gif"), crop);
    case "resvg": {
      const { drawn, drawsCrop, bandRows, inlinesStyles } = decoder;
      const options = { drawn, drawsCrop, bandRows, inlinesStyles, crop, canvasBytes };
      return drawSvg(context, factsOf(context, "svg"), options);
    }
  }
}

/** @throws BuildError when the plan is not for this master */
function factsOf<Format extends MasterFormat>(
  { facts }: BuildContext,
  format: Format,
): Extract<MasterFacts, { format: Format }> {
  if (facts.format === format) return facts as Extract<MasterFacts, { format: Format }>;
  throw new BuildError("internal", "plan", `the plan reads ${format} and the master is ${facts.format}`);
}
