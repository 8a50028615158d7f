/**
 * Reads the frames of an animated WebP (RFC 9649 section 2.7). Each is taken out of its ANMF chunk and decoded as a
 * still.
 */
import { FRAME_COPIES } from "../../../image/formats/webp/decoder-memory.ts";
import type { ByteFeed, Parsing } from "../../../image/bytes/byte-feed.ts";
import { latin1, printable, u16le, u24le, u32le } from "../../../image/bytes/numbers.ts";
import { hasNextChunk } from "../../../image/formats/webp/chunk-walk.ts";
import { HEADER_SIZE, isBitstream, readBitstream } from "../../../image/formats/webp/bitstream.ts";
import { ISOLATE } from "../../../limits.ts";
import { CHANNELS_OF } from "../../../image/memory/rows.ts";
import { FrameRoom } from "./frame-room.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import {
  AnimationError,
  type AnimationReader,
  FrameLimits,
  type FrameHead,
} from "../../animation/animation.ts";
import type { FrameCanvas } from "../../animation/canvas.ts";
import { streamOf } from "../../streams/stream-of.ts";
import { ParsedStream } from "../../streams/parsed-stream.ts";
import { toPixels } from "../../animation/pixels.ts";
import { ANMF_HEAD_BYTES, CHUNK_HEAD_BYTES, type Still } from "./chunks.ts";
import { decodeVp8, type WebpRowSource } from "./decoder.ts";
import { decodeVp8l } from "./lossless/decoder.ts";
import type { Stage } from "../../animation/frame-buffers.ts";

const MAX_CHUNKS = 262_144;

interface Chunk {
  type: string;
  size: number;
  /** Offset in the file where the chunk's content ends. */
  end: number;
}

interface WebpFrame extends FrameHead {
  delayMs: number;
  /** Whether the frame is blended with the canvas, or replaces its pixels. */
  isBlended: boolean;
  still: Still;
}

export class WebpReader implements AnimationReader {
  readonly #stream: ParsedStream;
  readonly #stage: Stage;
  readonly #canvas: FrameCanvas;
  readonly #frame: FrameRoom;
  readonly #work: WorkMeter;
  readonly #limits = new FrameLimits();
  #end = 0;
  #chunks = 0;
  #plays = 1;
  #hasAnim = false;

  constructor({ plan, source, memory, work }: BuildContext, stage: Stage, canvas: FrameCanvas) {
    this.#stream = new ParsedStream(source.stream);
    this.#stage = stage;
    this.#canvas = canvas;
    this.#frame = new FrameRoom(memory, plan.memory.rowCodec);
    this.#work = work;
  }

  get plays(): number {
    return this.#plays;
  }

  /** @throws AnimationError | InvalidImageError | WebpDecodeError */
  async next(): Promise<{ delayMs: number } | null> {
    const { feed } = this.#stream;
    if (this.#end === 0) await this.#stream.run(this.#header(feed));
    const frame = await this.#stream.run(this.#nextFrame(feed));
    if (!frame) return null;
    this.#limits.count(frame);
    this.#canvas.begin(frame);
    await this.#work.yield();
    await this.#draw(frame);
    this.#frame.end();
    return { delayMs: frame.delayMs };
  }

  async #draw({ left, top, width, isBlended, still }: WebpFrame): Promise<void> {
    await this.#stage.decode(async (room) => {
      const rows = await decodeFrame({ ...room, work: this.#work }, still);
      room.counted(rows.peakBytes());
      const rowBytes = width * CHANNELS_OF[rows.layout];
      const line = new Uint32Array(width);
      let y = top;
      for (let batch = await rows.next(); batch; batch = await rows.next()) {
        for (let at = 0; at < batch.length; at += rowBytes, y++) {
          const row = pixelsOf(batch.subarray(at, at + rowBytes), rows.layout, line);
          if (isBlended) this.#canvas.blendRow(row, left, y);
          else this.#canvas.replaceRow(row, left, y);
        }
      }
    });
  }

  *#header(feed: ByteFeed): Parsing<void> {
    const riff = yield* feed.take(12, "WebP header");
    this.#end = 8 + u32le(riff, 4);
    const chunk = yield* this.#nextChunk(feed, this.#end);
    if (latin1(riff, 0, 4) !== "RIFF" || latin1(riff, 8, 12) !== "WEBP" || chunk.type !== "VP8X") {
      throw new AnimationError("The file does not begin as an animated WebP does");
    }
    if (chunk.size < 10) throw new AnimationError("The WebP chunk VP8X is too short");
    const head = yield* feed.take(10, "WebP chunk VP8X");
    const isAnimated = ((head[0] as number) & 0x02) !== 0;
    if (
      !isAnimated ||
      u24le(head, 4) + 1 !== this.#canvas.width ||
      u24le(head, 7) + 1 !== this.#canvas.height
    ) {
      throw new AnimationError("The WebP is not the animation that was probed");
    }
    yield* leave(feed, chunk, this.#end);
  }

  /** Reads up to the next frame. Unknown chunks, and those that are not about frames, are skipped (section 2.7.1.6). */
  *#nextFrame(feed: ByteFeed): Parsing<WebpFrame | null> {
    while (yield* hasNextChunk(feed, this.#end)) {
      const chunk = yield* this.#nextChunk(feed, this.#end);
      if (isBitstream(chunk.type))
        throw new AnimationError("A WebP animation has a picture beside its frames");
      if (chunk.type === "ANIM" && !this.#hasAnim) {
        if (chunk.size < 6) throw new AnimationError("The WebP chunk ANIM is too short");
        this.#plays = u16le(yield* feed.take(6, "WebP chunk ANIM"), 4);
        this.#hasAnim = true;
      }
      const frame = chunk.type === "ANMF" ? yield* this.#readFrame(feed, chunk) : null;
      yield* leave(feed, chunk, this.#end);
      if (frame) return frame;
    }
    return null;
  }

  /** Reads a chunk ANMF (section 2.7.1.1). */
  *#readFrame(feed: ByteFeed, chunk: Chunk): Parsing<WebpFrame> {
    if (!this.#hasAnim) throw new AnimationError("A WebP frame comes before the chunk ANIM");
    if (chunk.size < ANMF_HEAD_BYTES) throw new AnimationError("A WebP frame is too short");
    const head = yield* feed.take(ANMF_HEAD_BYTES, "WebP frame");
    const flags = head[15] as number;
    const frame = {
      left: u24le(head, 0) * 2,
      top: u24le(head, 3) * 2,
      width: u24le(head, 6) + 1,
      height: u24le(head, 9) + 1,
      delayMs: u24le(head, 12),
      disposal: flags & 1 ? ("clear" as const) : ("keep" as const),
      isBlended: (flags & 2) === 0,
    };
    if (frame.left + frame.width > this.#canvas.width || frame.top + frame.height > this.#canvas.height) {
      throw new AnimationError("A WebP frame is not within the canvas");
    }
    return { ...frame, still: yield* this.#readStill(feed, chunk, frame) };
  }

  *#readStill(feed: ByteFeed, { size, end }: Chunk, { width, height }: FrameHead): Parsing<Still> {
    // The plan assumes frames of the mean size, but one may have nearly all bytes of the file.
    const canvasBytes = 4 * this.#canvas.width * this.#canvas.height;
    if (FRAME_COPIES * size + canvasBytes > ISOLATE.buildBytes) {
      throw new AnimationError(`A WebP frame of ${size} bytes is too large to be held`);
    }
    this.#frame.begin(size);
    let alpha: Uint8Array | null = null;
    let picture: { type: string; data: Uint8Array } | null = null;
    while (feed.position < end) {
      const part = yield* this.#nextChunk(feed, end);
      if (part.type === "ALPH" && !alpha && !picture) {
        alpha = yield* feed.fill(this.#frame.part(part.size), "WebP chunk ALPH");
      } else if (isBitstream(part.type)) {
        if (picture) throw new AnimationError("A WebP frame has two pictures");
        const data = yield* feed.fill(this.#frame.part(part.size), `WebP chunk ${part.type}`);
        if (data.length < HEADER_SIZE[part.type]) throw new AnimationError("A WebP frame is too short");
        const size = readBitstream(part.type, data, data.length);
        if (size.width !== width || size.height !== height) {
          throw new AnimationError("The picture of a WebP frame does not have the frame's size");
        }
        picture = { type: part.type, data };
      }
      yield* leave(feed, part, end);
    }
    if (!picture) throw new AnimationError("A WebP frame has no picture");
    return { width, height, ...picture, alpha: picture.type === "VP8 " ? alpha : null };
  }

  *#nextChunk(feed: ByteFeed, limit: number): Parsing<Chunk> {
    if (++this.#chunks > MAX_CHUNKS) throw new AnimationError(`The WebP has more than ${MAX_CHUNKS} chunks`);
    const head = yield* feed.take(CHUNK_HEAD_BYTES, "WebP, before the end of its RIFF chunk");
    const type = latin1(head, 0, 4);
    const size = u32le(head, 4);
    const end = feed.position + size;
    if (end > limit)
      throw new AnimationError(`The WebP chunk ${printable(type)} is longer than the chunk around it`);
    return { type, size, end };
  }
}

/** Skips the rest of a chunk, and the byte that pads an odd one. Some writers omit that byte at the end of the file. */
function* leave(feed: ByteFeed, chunk: Chunk, limit: number): Parsing<void> {
  const next = Math.min(chunk.end + (chunk.size & 1), limit);
  yield* feed.skip(next - feed.position, "WebP chunk");
}

/** Opens the rows of a frame, in RGBA where it may have alpha. @throws WebpDecodeError when it is damaged */
function decodeFrame(workspace: RowWorkspace, still: Still): Promise<WebpRowSource> {
  const { type, data, alpha, width, height } = still;
  if (type === "VP8L") {
    const stream = new ParsedStream(streamOf(data));
    const frame = { left: 0, top: 0, width, height };
    const picture = { stream, bytes: data.length, frame, end: () => Promise.resolve() };
    return decodeVp8l(workspace, picture, true);
  }
  const parts = alpha ? [data, alpha] : [data];
  const bytes = data.length + (alpha?.length ?? 0);
  const size = { codedWidth: width, codedHeight: height };
  return decodeVp8(workspace, streamOf(...parts), bytes, size, () => ({
    from: 0,
    to: data.length,
    ...(alpha && { alpha: { from: data.length, to: bytes } }),
  }));
}

/** Returns a row as pixels: the row itself where it is RGBA, else `line`. */
function pixelsOf(row: Uint8Array, layout: "rgb" | "rgba", line: Uint32Array): Uint32Array {
  if (layout === "rgba") return new Uint32Array(row.buffer, row.byteOffset, line.length);
  toPixels(row, layout, line);
  return line;
}
