/** A variant's file on its way from the encoder: whole, or where its length is not known before its end, in parts. */
import { MULTIPART } from "../../limits.ts";
import type { BuildMemory } from "../memory/build-memory.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Part {
  /** The arrays own their whole buffers, so they can be transferred without a copy. */
  pieces: Bytes[];
  byteLength: number;
}

/** Gives the parts before the last one, each of MULTIPART.partBytes, and returns the last. */
export type Parts<Last extends Part = Part> = AsyncGenerator<Part, Last, undefined>;

export const partOf = (pieces: Bytes[]): Part => ({
  pieces,
  byteLength: pieces.reduce((sum, { length }) => sum + length, 0),
});

/**
 * Yields the chunks of a row encoder in parts that own their buffers. It rests while a part is on its way out, so that
 * no more of the file is held.
 * @throws CodecError when there is no room for a part
 */
export async function* inParts(memory: BuildMemory, chunks: AsyncIterable<Bytes>): Parts {
  let pieces: Bytes[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    memory.holdPart(heldBytes + chunk.length);
    memory.countArena();
    const missing = MULTIPART.partBytes - heldBytes;
    if (chunk.length <= missing) {
      pieces.push(chunk);
      heldBytes += chunk.length;
      continue;
    }
    if (missing > 0) pieces.push(chunk.slice(0, missing));
    yield { pieces, byteLength: MULTIPART.partBytes };
    pieces = [chunk.slice(missing)];
    heldBytes = chunk.length - missing;
  }
  return { pieces, byteLength: heldBytes };
}

/**
 * Yields a variant whose pieces were all kept: as one part, or where some of them lie in memories that the build gives
 * back when it ends, in parts that are copied out of there.
 * @throws CodecMemoryError when a codec took those memories
 */
export function* heldParts(memory: BuildMemory, pieces: Bytes[]): Generator<Part, Part, undefined> {
  if (!pieces.some((piece) => memory.isInSpare(piece))) return partOf(pieces);
  memory.demandIntact();
  let part: Part = { pieces: [], byteLength: 0 };
  for (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      if (part.byteLength === MULTIPART.partBytes) {
        yield part;
        part = { pieces: [], byteLength: 0 };
      }
      const copy = piece.slice(at, at + MULTIPART.partBytes - part.byteLength);
      part.pieces.push(copy);
      part.byteLength += copy.length;
      memory.holdPart(part.byteLength);
      at += copy.length;
    }
    memory.letGo(piece);
  }
  return part;
}
