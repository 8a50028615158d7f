/** Runs the decoder that the plan names. */
import type { DecoderPlan } from "../image/formats/decodings.ts";
import type { Rect } from "../image/geometry/size.ts";
import type { WantedRows } from "./codecs/codec.ts";
import { decodeWith } from "./codecs/decoders.ts";
import { atDecoding } from "./failures/build-error.ts";
import type { RowSource } from "./pixels/row-source.ts";
import type { BuildContext } from "./streams/build-context.ts";

export interface Decoding extends Omit<WantedRows, "crop"> {
  decoder: DecoderPlan;
  /** Absent or null for all of the picture. */
  crop?: Rect | null | undefined;
}

/**
 * Opens the master, and returns its rows as stored, not yet upright: at its own size, or at `to` if the decoder resizes.
 * Afterwards the canvas may be laid out above what the decoder took.
 * @throws BuildError when the picture is at fault, SourceLost when it does not arrive; so does `next` of the rows
 */
export async function decodeMaster(
  context: BuildContext,
  { decoder, to, canvasBytes, crop = null }: Decoding,
): Promise<RowSource> {
  try {
    const rows = await decodeWith(context, decoder, { to, canvasBytes, crop });
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
