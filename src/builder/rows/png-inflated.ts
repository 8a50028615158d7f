/** The filtered rows of a PNG: its IDAT chunks as one zlib stream, inflated (PNG specification, clause 10). */
import { PlatformTransform } from "./platform-transform.ts";
import { type ChunkReader, isCritical } from "./png-chunks.ts";
import { PngDecodeError } from "./png-error.ts";

/** Inflated bytes after the last row that are forgiven; some encoders pad. */
const TOLERATED_BYTES = 1_024;

export class InflatedData {
  readonly #chunks: ChunkReader;
  readonly #inflater: PlatformTransform;
  #rest: Uint8Array = new Uint8Array();

  /** @param chunks stands before the data of the first IDAT */
  constructor(chunks: ChunkReader, turn: () => Promise<void>) {
    this.#chunks = chunks;
    const supply = (most: number): Promise<Uint8Array | null> => this.#nextPiece(most);
    this.#inflater = new PlatformTransform(new DecompressionStream("deflate"), supply, turn);
  }

  /** Hands the next `wanted` bytes to `place`, in pieces, each with the number of bytes before it. */
  async fill(wanted: number, place: (piece: Uint8Array, have: number) => void): Promise<void> {
    for (let have = 0; have < wanted;) {
      if (this.#rest.length === 0) {
        const inflated = await this.#inflater.read();
        if (!inflated) throw corrupt("Its compressed data end before the last row");
        this.#rest = inflated;
      }
      const piece = this.#rest.subarray(0, wanted - have);
      place(piece, have);
      this.#rest = this.#rest.subarray(piece.length);
      have += piece.length;
    }
  }

  /** Sees to it that the compressed data end with the rows, and the file with IEND. */
  async finish(): Promise<void> {
    let extra = this.#rest.length;
    while (extra <= TOLERATED_BYTES) {
      const inflated = await this.#inflater.read();
      if (!inflated) {
        this.#chunks.cancel();
        return;
      }
      extra += inflated.length;
    }
    throw corrupt("Its compressed data are longer than the picture");
  }

  async cancel(): Promise<void> {
    this.#chunks.cancel();
    await this.#inflater.cancel(new Error("The picture is given up"));
  }

  /** The next compressed bytes; null after the last, with the file read to its end. */
  async #nextPiece(most: number): Promise<Uint8Array | null> {
    for (;;) {
      const piece = await this.#chunks.read(most);
      if (piece) return piece;
      const { type } = await this.#chunks.next();
      if (type !== "IDAT") return this.#passOver(type);
    }
  }

  /** What follows the pixels, from a chunk `first` up to IEND. */
  async #passOver(first: string): Promise<null> {
    let type = first;
    while (type !== "IEND") {
      if (type === "IDAT") throw corrupt("Its IDAT chunks are not in a row");
      if (isCritical(type)) throw corrupt(`${type} is out of place`);
      await this.#chunks.skip();
      ({ type } = await this.#chunks.next());
    }
    await this.#chunks.readAll();
    return null;
  }
}

function corrupt(message: string): PngDecodeError {
  return new PngDecodeError("CORRUPT", message);
}
