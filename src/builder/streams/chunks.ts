/** The chunks of a master, in the order of the file, by whichever way it comes. */
import type { ByobReader } from "../../image/bytes/byob-reader.ts";
import type { MasterPieces } from "../../image/protocol/build.ts";
import { MASTER_PIECES } from "../../limits.ts";

/**
 * What one read of a stream waits for. Each leaves some kilobytes of garbage that only a full collection takes, and
 * unasked a stream of the runtime brings 4 KB: at that, the reads of a few large masters left more than an isolate has.
 */
export const READ_BYTES = MASTER_PIECES.bytes;

/** A chunk keeps its content until the next but one is asked for. */
export interface Chunks {
  /** Null at the end. */
  read(): Promise<Uint8Array | null>;
  cancel(): Promise<void>;
}

/** The two buffers that all streams are read through in turn: new ones would be garbage for long. */
export class ReadBuffers {
  /** Those that no read has now, the one used last at the end. */
  readonly #idle: ArrayBuffer[] = [];

  take(): ArrayBuffer {
    return (this.#idle.length === 2 && this.#idle.shift()) || new ArrayBuffer(READ_BYTES);
  }

  /** A stream that ends may come back with an empty one. */
  giveBack(bytes: ArrayBuffer): void {
    if (bytes.byteLength === READ_BYTES && this.#idle.length < 2) this.#idle.push(bytes);
  }

  /** Leaves nothing of a master behind. */
  wipe(): void {
    for (const bytes of this.#idle) new Uint8Array(bytes).fill(0);
  }
}

/**
 * Returns the chunks of pieces that are asked for ahead, of a byte stream in large reads, or of any other stream as
 * they come.
 */
export function chunksOf(
  master: ReadableStream<Uint8Array> | MasterPieces,
  expectedBytes: number,
  buffers: ReadBuffers,
): Chunks {
  if (!(master instanceof ReadableStream)) return new Pieces(master, expectedBytes);
  const byob = byobReader(master);
  if (!byob) {
    const reader = master.getReader();
    return {
      read: async () => (await reader.read()).value ?? null,
      cancel: () => reader.cancel(),
    };
  }
  return {
    async read() {
      const { value } = await byob.read(new Uint8Array(buffers.take()), { min: READ_BYTES });
      if (value) buffers.giveBack(value.buffer);
      // The last bytes may come with the end or before it.
      return value?.length ? value : null;
    },
    cancel: () => byob.cancel(),
  };
}

/** Null for a stream that is not of bytes. */
function byobReader(master: ReadableStream<Uint8Array>): ByobReader | null {
  try {
    return master.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

type Piece = Uint8Array<ArrayBuffer>;

/** Asks for pieces ahead, so that they are read and sent while the one before is worked on. */
class Pieces implements Chunks {
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
