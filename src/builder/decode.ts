/** Which decoder reads a master, and where. Afterwards the canvas may be laid out above what it took. */
import { GIF_DECODER_BYTES } from "../image/animation-cost.ts";
import type { BuildOrder } from "../image/build.ts";
import { isSideBySide, pngRangeBytes } from "../image/memory/png.ts";
import { decodeGif } from "./animation/gif-still.ts";
import { decodeWebp } from "./animation/webp-still.ts";
import { decodeGrid } from "./avif/grid-reader.ts";
import { decodeInArena } from "./codecs/decode.ts";
import type { Size } from "../image/orient.ts";
import { decodeJpeg } from "./rows/jpeg-decoder.ts";
import { decodePng } from "./rows/png-decoder.ts";
import type { ReadAgain } from "./rows/png-inflated.ts";
import type { RowSource } from "./rows/row-source.ts";
import { drawSvg } from "./svg/draw.ts";
import type { Turn } from "./turn.ts";
import type { Workshop } from "./workshop.ts";

export interface DecodingRoom {
  /** That the arena must keep free. */
  canvasBytes: number;
  /** What a decoder may take of it that can do with less. */
  budgetBytes: number;
}

/**
 * Rows of the master as stored, not yet upright: at its own size, or at `out` already where the decoder scales.
 * @param readAgain for masters of which parts are needed twice (`isReadAgain`)
 * @throws Error of the decoder when the picture is at fault, SourceLost when it does not arrive
 */
export async function decodeMaster(
  shop: Workshop,
  master: ReadableStream<Uint8Array>,
  { facts, sourceBytes }: Pick<BuildOrder, "facts" | "sourceBytes">,
  out: Size,
  { canvasBytes, budgetBytes }: DecodingRoom,
  turn: Turn,
  readAgain?: ReadAgain,
): Promise<RowSource> {
  const { arena, tally } = shop;
  switch (facts.format) {
    case "jpeg": {
      const memoryBudgetBytes = Math.min(budgetBytes, arena.roomBeside(canvasBytes));
      const rows = await decodeJpeg(arena.lend(), master, sourceBytes, facts, out, {
        memoryBudgetBytes,
        turn,
      });
      arena.lent(rows.peakBytes());
      return rows;
    }
    case "png": {
      const again = isSideBySide(facts) ? readAgain : undefined;
      if (again) tally.set("parts read again", pngRangeBytes(facts, sourceBytes));
      const rows = await decodePng(arena.lend(), master, facts, turn, again);
      arena.lent(rows.memoryBytes);
      return rows;
    }
    case "webp":
      return decodeWebp(arena, master, sourceBytes, facts, turn);
    case "avif":
      if (facts.grid) return decodeGrid(arena, master, sourceBytes, facts, canvasBytes, turn);
      return decodeInArena(arena, master, sourceBytes, facts);
    case "gif":
      tally.set("reader", GIF_DECODER_BYTES);
      return decodeGif(arena, master, facts, turn);
    case "svg":
      return drawSvg(shop, master, sourceBytes, facts, out, canvasBytes, turn);
  }
}
