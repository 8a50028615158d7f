/** Which decoder reads a master, and where. Afterwards the canvas may be laid out above what it took. */
import { GIF_DECODER_BYTES } from "../image/plan/plan-animation.ts";
import type { BuildOrder } from "../image/protocol/build.ts";
import { isSideBySide, pngRangeBytes } from "../image/formats/png/memory.ts";
import { decodeGif } from "./codecs/gif/still.ts";
import { decodeWebp } from "./codecs/webp/still.ts";
import { decodeGrid } from "./codecs/avif/grid-reader.ts";
import { decodeInArena } from "./pixels/bitmap-rows.ts";
import type { Size } from "../image/model/orientation.ts";
import { decodeJpeg } from "./codecs/jpeg/decoder.ts";
import { decodePng } from "./codecs/png/decoder.ts";
import type { ReadAgain } from "./codecs/png/inflated.ts";
import type { RowSource } from "./pixels/row-source.ts";
import { drawSvg } from "./codecs/svg/draw.ts";
import type { Turn } from "./scheduling/turn.ts";
import type { Workshop } from "./memory/build-memory.ts";

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
