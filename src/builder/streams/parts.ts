/** A variant's file on its way from the encoder: whole, or where its length is not known before its end, in parts. */
import { MULTIPART } from "../../limits.ts";
import type { BuildMemory } from "../memory/build-memory.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Part {
  /** Nobody else has them: each is all of its buffer. */
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
 * What a row encoder gives, in chunks that nobody else has. It rests while a part is on its way out: so much of the
 * file is held and no more.
 * @throws CodecError when there is no room for a part
 */
export async function* inParts(shop: BuildMemory, chunks: AsyncIterable<Bytes>): Parts {
  let pieces: Bytes[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    shop.holdOutput(heldBytes + chunk.length);
    shop.countArena();
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
