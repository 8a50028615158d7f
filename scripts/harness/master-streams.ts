/** A master as a builder reads it. */
import type { Chunks } from "../../src/builder/streams/chunks.ts";
import type { MasterPieces, ReadRange } from "../../src/image/protocol/build.ts";
import { MASTER_PIECES } from "../../src/limits.ts";

/** Returns the file in pieces, as the queue hands it over. */
export function piecesOf(file: Uint8Array): MasterPieces {
  let at = 0;
  const take = (): Uint8Array<ArrayBuffer> => Uint8Array.from(file.subarray(at, (at += MASTER_PIECES.bytes)));
  return { first: take(), next: () => Promise.resolve(take()) };
}

/** Returns the file in chunks of `chunkBytes`, which may be smaller than pieces are. */
export function chunksOf(file: Uint8Array, chunkBytes: number): Chunks {
  let at = 0;
  return {
    read: () =>
      Promise.resolve(at < file.length ? Uint8Array.from(file.subarray(at, (at += chunkBytes))) : null),
    cancel: () => Promise.resolve(),
  };
}

/** Returns the file as a byte stream in pieces, like a body of R2. Its reader may bring its own buffers. */
export function streamOf(file: Uint8Array, pieceBytes = 16_384): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (at < file.length) {
        controller.enqueue(Uint8Array.from(file.subarray(at, (at += pieceBytes))));
        return;
      }
      controller.close();
      // Resolves a read that still waits for bytes (Streams standard, "respond in the closed state").
      controller.byobRequest?.respond(0);
    },
  });
}

/** Reads ranges of the file, like the function that the queue passes to a builder. */
export const rangesOf =
  (file: Uint8Array): ReadRange =>
  (offset, length) =>
    Promise.resolve(streamOf(file.subarray(offset, offset + length)));
