/** The chunks of a master, in the order of the file. */
import type { MasterPieces } from "../../image/protocol/build.ts";
import { MASTER_PIECES } from "../../limits.ts";

/** A chunk keeps its content until the next but one is asked for. */
export interface Chunks {
  /** Null at the end. */
  read(): Promise<Uint8Array | null>;
  cancel(): Promise<void>;
}

type Piece = Uint8Array<ArrayBuffer>;

/** Asks for pieces ahead, so that they are read and sent while the one before is worked on. */
export class Pieces implements Chunks {
  readonly #master: MasterPieces;
  readonly #asked: Promise<Piece>[];
  #unasked: number;
  /** The last MASTER_PIECES.heldMax that were handed out. */
  readonly #held: Piece[] = [];
  #isOver = false;

  constructor(master: MasterPieces, expectedBytes: number) {
    this.#master = master;
    this.#asked = [Promise.resolve(master.first)];
    this.#unasked = Math.ceil(expectedBytes / MASTER_PIECES.bytes) - 1;
  }

  async read(): Promise<Uint8Array | null> {
    this.#askAhead();
    const piece = await this.#asked[0];
    void this.#asked.shift();
    if (!piece?.length) return null;
    if (this.#isOver) {
      letGo(piece);
      return null;
    }
    this.#held.push(piece);
    // For the place of the one that came.
    this.#askAhead();
    if (this.#held.length > MASTER_PIECES.heldMax) letGo(this.#held.shift());
    return piece;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- what a disposal throws rejects
  async cancel(): Promise<void> {
    this.#isOver = true;
    for (const piece of this.#held.splice(0)) letGo(piece);
    for (const piece of this.#asked.splice(0)) piece.then(letGo, () => undefined);
    this.#master[Symbol.dispose]?.();
  }

  #askAhead(): void {
    while (!this.#isOver && this.#unasked > 0 && this.#asked.length < MASTER_PIECES.aheadMax) {
      const piece = this.#master.next();
      piece.catch(() => undefined);
      this.#asked.push(piece);
      this.#unasked -= 1;
    }
  }
}

/** Gives the memory back now, not when V8 next collects. */
function letGo(piece: Piece | undefined): void {
  if (piece && !piece.buffer.detached) piece.buffer.transfer(0);
}
