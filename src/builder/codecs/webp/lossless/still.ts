/** Finds the lossless picture of a WebP as the file arrives: that of a still, or of an only frame. */
import type { ByteFeed, Parsing } from "../../../../image/bytes/byte-feed.ts";
import { countUpTo } from "../../../../image/bytes/errors.ts";
import { type Chunk, nextChunk, skipRest } from "../../../../image/formats/webp/chunk-walk.ts";
import type { Rect, Size } from "../../../../image/geometry/size.ts";
import { AnimationError } from "../../../animation/animation.ts";
import { ParsedStream } from "../../../streams/parsed-stream.ts";
import { ANIMATION, ANMF_HEAD_BYTES, CHUNK_HEAD_BYTES, frameOf, RIFF_HEAD_BYTES } from "../chunks.ts";
import { WebpDecodeError } from "../decoder-module.ts";

const MAX_CHUNKS = 262_144;
const VP8X_BYTES = 10;

/** A chunk VP8L whose content comes next in the stream. */
export interface LosslessPicture {
  stream: ParsedStream;
  /** The length of the content. */
  bytes: number;
  /** The place of the picture on the canvas. */
  frame: Rect;
  /** Checks what follows the picture. @throws AnimationError when it has more than one frame (RULES 6.3) */
  end: () => Promise<void>;
}

/**
 * Reads up to the picture.
 * @throws SourceLost when the master does not arrive
 * @throws InvalidImageError | AnimationError | WebpDecodeError when there is none
 */
export async function openLossless(
  master: ReadableStream<Uint8Array>,
  canvas: Size,
): Promise<LosslessPicture> {
  const stream = new ParsedStream(master);
  const { feed } = stream;
  const count = countUpTo(MAX_CHUNKS, "WebP chunks");
  /** The chunk around the picture. */
  let around: Chunk | null = null;
  let frame: Rect = { left: 0, top: 0, ...canvas };

  function* find(): Parsing<Chunk> {
    yield* feed.skip(RIFF_HEAD_BYTES, "WebP");
    let isAnimation = false;
    for (;;) {
      count();
      const chunk = yield* nextChunk(feed, around?.end ?? Infinity);
      if (chunk.type === "VP8X" && chunk.size >= VP8X_BYTES) {
        isAnimation = ((yield* feed.take(VP8X_BYTES, "WebP chunk VP8X"))[0]! & ANIMATION) !== 0;
      }
      if (chunk.type === "VP8L" && isAnimation === (around !== null)) return chunk;
      if (chunk.type === "VP8 ") throw new WebpDecodeError("CORRUPT", "The picture is not lossless");
      if (chunk.type === "ANMF" && isAnimation && !around) {
        frame = frameOf(yield* feed.take(ANMF_HEAD_BYTES, "WebP frame"), 0, canvas);
        around = chunk;
      } else yield* skipRest(feed, chunk, Infinity);
    }
  }

  function* refuseFrames(): Parsing<void> {
    if (around) yield* pass(feed, around.end + (around.size & 1) - feed.position);
    while ((yield* feed.peek(CHUNK_HEAD_BYTES)).length === CHUNK_HEAD_BYTES) {
      count();
      const chunk = yield* nextChunk(feed, Infinity);
      if (chunk.type === "ANMF")
        throw new AnimationError("The WebP is an animation and would lose its frames");
      yield* pass(feed, chunk.size + (chunk.size & 1));
    }
  }
  const { size } = await stream.run(find());
  const end = () => (around ? stream.run(refuseFrames()) : Promise.resolve());
  return { stream, bytes: size, frame, end };
}

/** Skips `bytes`, or what the file has of them. */
function* pass(feed: ByteFeed, bytes: number): Parsing<void> {
  let left = bytes;
  while (left > 0 && (yield* feed.hasMore())) {
    const step = Math.min(left, (yield* feed.window("WebP")).length);
    feed.drop(step);
    left -= step;
  }
}
