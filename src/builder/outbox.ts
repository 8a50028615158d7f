/**
 * A variant while it is made, when it comes in rows. It is held beside the memories as long as the isolate has room
 * there. The arena may have grown for an earlier build, and it never shrinks: then what this build does not use of
 * it takes the rest.
 */
import type { Workshop } from "./workshop.ts";

export class Outbox {
  readonly pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #shop: Workshop;
  #heldBytes = 0;
  #stowedBytes = 0;

  constructor(shop: Workshop) {
    this.#shop = shop;
  }

  /**
   * Keeps `chunk`, which nobody else has.
   * @throws CodecError when there is no room for it at all
   */
  add(chunk: Uint8Array<ArrayBuffer>): void {
    const { arena, tally, roomBytes } = this.#shop;
    if (chunk.length <= roomBytes) {
      this.pieces.push(chunk);
      this.#heldBytes += chunk.length;
      tally.set("output", this.#heldBytes);
      return;
    }
    this.pieces.push(arena.stow(chunk));
    this.#stowedBytes += chunk.length;
    tally.raise("output in the arena", this.#stowedBytes);
  }
}
