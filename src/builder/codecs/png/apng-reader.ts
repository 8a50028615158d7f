/**
 * Reads the frames of an animated PNG (PNG 3rd edition section 11.3.6). Each frame is handed to the PNG decoder as a
 * still of the frame's size, with the palette of the file.
 */
import type { ByteFeed, Parsing } from "../../../image/bytes/byte-feed.ts";
import { u32be } from "../../../image/bytes/numbers.ts";
import type { PngFacts } from "../../../image/model/facts.ts";
import { decodePng } from "./decoder.ts";
import { SIGNATURE } from "./module.ts";
import { type BuildContext, workspaceOf } from "../../streams/build-context.ts";
import { AnimationError, type AnimationReader, FrameLimits } from "../../animation/animation.ts";
import {
  type ApngFrame,
  letters,
  parseFrameControl,
  type PngChunk,
  pngChunk,
  readChunkHead,
  readContent,
  skipChunk,
} from "./apng-chunks.ts";
import type { FrameCanvas } from "../../animation/canvas.ts";
import { crc32 } from "../../../image/bytes/crc32.ts";
import { ParsedStream } from "../../streams/parsed-stream.ts";
import { toPixels } from "../../animation/pixels.ts";

const PIECE_BYTES = 16_384;
const NOTHING = new Uint8Array();

export class ApngReader implements AnimationReader {
  readonly #stream: ParsedStream;
  readonly #context: BuildContext;
  readonly #canvas: FrameCanvas;
  readonly #facts: PngFacts;
  readonly #limits = new FrameLimits();
  #plays: number | null = null;
  #claimed = 0;
  #sequence = 0;
  #ihdr: Uint8Array = NOTHING;
  /** The chunks PLTE and tRNS, which every frame needs. */
  #shared: Uint8Array[] = [];
  /** The chunk whose header was read, and its content not yet. */
  #chunk: PngChunk | null = null;
  #hasPicture = false;
  /**
   * What rounding to milliseconds took from the delays so far. It is added to the next one, so that their sum is
   * right.
   */
  #carriedMs = 0;

  constructor(context: BuildContext, canvas: FrameCanvas, facts: PngFacts) {
    this.#stream = new ParsedStream(context.source.stream);
    this.#context = context;
    this.#canvas = canvas;
    this.#facts = facts;
  }

  get plays(): number {
    return this.#plays ?? 1;
  }

  /** @throws AnimationError | InvalidImageError | PngDecodeError */
  async next(): Promise<{ delayMs: number } | null> {
    const { feed } = this.#stream;
    if (this.#ihdr.length === 0) await this.#stream.run(this.#header(feed));
    const frame = await this.#stream.run(this.#nextFrame(feed));
    if (!frame) return null;
    this.#limits.count(frame);
    this.#canvas.begin(frame);
    await this.#draw(frame);
    const exact = frame.delayMs + this.#carriedMs;
    const delayMs = Math.round(exact);
    this.#carriedMs = exact - delayMs;
    return { delayMs };
  }

  async #draw(frame: ApngFrame): Promise<void> {
    this.#context.memory.rowCodec.wipe();
    const workspace = workspaceOf(this.#context, "rowCodec");
    const facts = { ...this.#facts, codedWidth: frame.width, codedHeight: frame.height };
    const rows = await decodePng(workspace, this.#still(frame), facts);
    workspace.counted?.(rows.memoryBytes);
    const line = new Uint32Array(frame.width);
    const rowBytes = { gray: 1, "gray-alpha": 2, rgb: 3, rgba: 4, cmyk: 4 }[rows.layout] * frame.width;
    let y = frame.top;
    for (let batch = await rows.next(); batch; batch = await rows.next()) {
      for (let at = 0; at < batch.length; at += rowBytes, y++) {
        toPixels(batch.subarray(at, at + rowBytes), rows.layout, line);
        if (frame.isBlended) this.#canvas.blendRow(line, frame.left, y);
        else this.#canvas.replaceRow(line, frame.left, y);
      }
    }
  }

  /** The frame as a PNG file. Its data are consecutive IDAT or fdAT chunks. */
  async *#still({ width, height }: ApngFrame): AsyncGenerator<Uint8Array> {
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
    yield* pngChunk("IEND", NOTHING);
  }

  /** The content of an IDAT or fdAT in pieces, each as an IDAT. The check sum of the chunk is verified. */
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

  /** Reads up to the data of the next frame. Null after IEND. A picture before the first fcTL is not a frame. */
  *#nextFrame(feed: ByteFeed): Parsing<ApngFrame | null> {
    let frame: ApngFrame | null = null;
    for (;;) {
      const chunk = (this.#chunk ??= yield* readChunkHead(feed));
      if (chunk.type === "IDAT") this.#hasPicture = true;
      if (frame && (chunk.type === "IDAT" || chunk.type === "fdAT")) return frame;
      this.#chunk = null;
      if (chunk.type === "acTL") this.#begin(yield* readContent(feed, chunk));
      else if (chunk.type === "fcTL" && this.#plays !== null) {
        if (frame) throw new AnimationError("An APNG frame has no data");
        const body = yield* readContent(feed, chunk);
        this.#number(body);
        frame = parseFrameControl(body, this.#canvas);
      } else if ((chunk.type === "PLTE" || chunk.type === "tRNS") && !this.#hasPicture) {
        this.#shared.push(...pngChunk(chunk.type, yield* readContent(feed, chunk)));
      } else if (chunk.type === "fdAT") throw new AnimationError("APNG data belong to no frame");
      else if (chunk.type === "IEND") {
        if (frame || this.#limits.frames !== this.#claimed)
          throw new AnimationError("An APNG frame has no data");
        yield* readContent(feed, chunk);
        return null;
      } else yield* skipChunk(feed, chunk);
    }
  }

  #begin(body: Uint8Array): void {
    if (body.length !== 8 || this.#plays !== null) throw new AnimationError("The PNG chunk acTL is damaged");
    this.#claimed = u32be(body, 0);
    this.#plays = u32be(body, 4);
  }

  /** Checks the sequence number that fcTL and fdAT share (section 11.3.6.1), which shows that a chunk was lost. */
  #number(body: Uint8Array): void {
    if (u32be(body, 0) !== this.#sequence++)
      throw new AnimationError("APNG chunks are missing or out of order");
  }
}
