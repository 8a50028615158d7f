/** A master as a builder reads it. */
import type { ReadRange } from "../../src/image/protocol/build.ts";

/** The file as a byte stream in pieces, like one from the network. Its reader may bring its own buffers. */
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
