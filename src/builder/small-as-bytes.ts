/** A small file leaves in the answer itself: a stream would cost the reader another call. */
import { BUILDER } from "../limits.ts";
import type { Send } from "./parted-build.ts";

/** Sends a file of up to BUILDER.answeredBytesMax as bytes, and a larger one by `send`. */
export const smallAsBytes =
  (send: Send): Send =>
  (pieces, byteLength, sending) => {
    if (byteLength > BUILDER.answeredBytesMax) return send(pieces, byteLength, sending);
    const bytes = new Uint8Array(byteLength);
    let filled = 0;
    for (const piece of pieces) {
      bytes.set(piece, filled);
      filled += piece.length;
      piece.buffer.transfer(0);
    }
    sending.ended();
    return bytes;
  };
