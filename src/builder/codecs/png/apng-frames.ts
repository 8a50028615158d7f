/**
 * Reads the frames of an animated PNG (PNG 3rd edition section 11.3.6), and hands each out as the file of a still of the
 * frame's size, with the palette of the animation.
 */
import type { ByteFeed, Parsing } from "../../../image/bytes/byte-feed.ts";
import { crc32 } from "../../../image/bytes/crc32.ts";
import { u32be } from "../../../image/bytes/numbers.ts";
import type { Size } from "../../../image/geometry/size.ts";
import { AnimationError } from "../../animation/animation.ts";
import { ParsedStream } from "../../streams/parsed-stream.ts";
import {
  type ApngFrame,
  letters,
  parseFrameControl,
  type PngChunk,
  pngChunk,
  readChunkHead,
  readContent,
  readSoundContent,
  skipChunk,
} from "./apng-chunks.ts";
import { END } from "./chunks.ts";
import { SIGNATURE } from "./module.ts";

const ACTL_BYTES = 8;
const PIECE_BYTES = 16_384;
const NOTHING = new Uint8Array();

export class ApngFrames {
  readonly #stream: ParsedStream;
  readonly #canvas: Size;
  #plays: number | null = null;
  #claimed = 0;
  #begun = 0;
  #sequence = 0;
  #ihdr: Uint8Array = NOTHING;
  /** The chunks PLTE and tRNS, which every frame needs. */
  #shared: Uint8Array[] = [];
  /** The chunk whose header was read, and its content not yet. */
  #chunk: PngChunk | null = null;
  #hasPicture = false;

  constructor(master: ReadableStream<Uint8Array>, canvas: Size) {
    this.#stream = new ParsedStream(master);
    this.#canvas = canvas;
  }

  get plays(): number {
    return this.#plays ?? 1;
  }

  /** Reads up to the data of the next frame; null after the last. @throws AnimationError | InvalidImageError */
  async next(): Promise<ApngFrame | null> {
    const { feed } = this.#stream;
    if (this.#ihdr.length === 0) await this.#stream.run(this.#header(feed));
    return this.#stream.run(this.#nextFrame(feed));
  }

  /** Yields the frame that `next` has just returned as a PNG file. Its data are consecutive IDAT or fdAT chunks. */
  async *still({ width, height }: Size): AsyncGenerator<Uint8Array> {
    const ihdr = this.#ihdr.slice();
    const view = new DataView(ihdr.buffer);
    view.setUint32(0, width);
    view.setUint32(4, height);
    yield SIGNATURE;
    yield* pngChunk("IHDR", ihdr);
    yield* this.#shared;
    const { type } = this.#chunk as PngChunk;
    while (this.#chunk?.type === type) {
      yield* this.#data(this.#chunk);
      this.#chunk = await this.#stream.run(readChunkHead(this.#stream.feed));
    }
    yield* pngChunk(END, NOTHING);
  }

  /** Yields the content of an IDAT or fdAT in pieces, each as an IDAT. The check sum of the chunk is verified. */
  async *#data({ type, size }: PngChunk): AsyncGenerator<Uint8Array> {
    const { feed } = this.#stream;
    const where = `PNG chunk ${type}`;
    let crc = crc32(letters(type));
    let left = size;
    if (type === "fdAT") {
      if (left < 4) throw new AnimationError("A PNG chunk fdAT is too short");
      const number = await this.#stream.run(feed.take(4, where));
      this.#number(number);
      crc = crc32(number, crc);
      left -= 4;
    }
    while (left > 0) {
      const piece = await this.#stream.run(feed.takeUpTo(Math.min(left, PIECE_BYTES)));
      if (piece.length === 0) throw new AnimationError(`The file ends inside ${where}`);
      crc = crc32(piece, crc);
      left -= piece.length;
      yield* pngChunk("IDAT", piece);
    }
    if (u32be(await this.#stream.run(feed.take(4, where)), 0) !== crc) {
      throw new AnimationError(`${where} does not match its check sum`);
    }
  }

  *#header(feed: ByteFeed): Parsing<void> {
    const signature = yield* feed.take(SIGNATURE.length, "PNG signature");
    const first = yield* readChunkHead(feed);
    if (signature.some((byte, i) => byte !== SIGNATURE[i]) || first.type !== "IHDR" || first.size !== 13) {
      throw new AnimationError("The file does not begin as a PNG does");
    }
    this.#ihdr = yield* readContent(feed, first);
    if (u32be(this.#ihdr, 0) !== this.#canvas.width || u32be(this.#ihdr, 4) !== this.#canvas.height) {
      throw new AnimationError("The PNG does not have the size that was probed");
    }
  }

  /** Reads up to the data of the next frame. Null at the end. A picture before the first fcTL is not a frame. */
  *#nextFrame(feed: ByteFeed): Parsing<ApngFrame | null> {
    let frame: ApngFrame | null = null;
    for (;;) {
      const chunk = (this.#chunk ??= yield* readChunkHead(feed));
      if (chunk.type === "IDAT") this.#hasPicture = true;
      if (frame && (chunk.type === "IDAT" || chunk.type === "fdAT")) return frame;
      this.#chunk = null;
      if (chunk.type === "acTL") this.#begin(yield* readSoundContent(feed, chunk));
      else if (chunk.type === "fcTL" && this.#plays !== null) {
        if (frame) throw new AnimationError("An APNG frame has no data");
        const body = yield* readContent(feed, chunk);
        this.#number(body);
        frame = parseFrameControl(body, this.#canvas);
        this.#begun += 1;
      } else if (chunk.type === "PLTE" && !this.#hasPicture) {
        this.#shared.push(...pngChunk(chunk.type, yield* readContent(feed, chunk)));
      } else if (chunk.type === "tRNS" && !this.#hasPicture) {
        const body = yield* readSoundContent(feed, chunk);
        if (body !== null) this.#shared.push(...pngChunk(chunk.type, body));
      } else if (chunk.type === "fdAT") throw new AnimationError("APNG data belong to no frame");
      else if (chunk.type === END) {
        if (frame || this.#begun !== this.#claimed) throw new AnimationError("An APNG frame has no data");
        return null;
      } else yield* skipChunk(feed, chunk);
    }
  }

  /** Reads acTL. Browsers ignore a second one, and one that is damaged or claims no frames. */
  #begin(body: Uint8Array | null): void {
    const frames = body?.length === ACTL_BYTES ? u32be(body, 0) : 0;
    if (frames === 0 || this.#plays !== null || this.#hasPicture) return;
    this.#claimed = frames;
    this.#plays = u32be(body!, 4);
  }

  /** Checks the sequence number that fcTL and fdAT share (section 11.3.6.1), which shows that a chunk was lost. */
  #number(body: Uint8Array): void {
    if (u32be(body, 0) !== this.#sequence++)
      throw new AnimationError("APNG chunks are missing or out of order");
  }
}
