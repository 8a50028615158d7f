/** Reads the chunks of an animated PNG (PNG 3rd edition section 11.3.6) as its bytes arrive, and writes chunks. */
import type { ByteFeed, Parsing } from "../../../image/bytes/byte-feed.ts";
import { latin1, printable, u16be, u32be } from "../../../image/bytes/numbers.ts";
import { AnimationError, type Disposal, type FrameHead } from "../../animation/animation.ts";
import { END } from "./chunks.ts";
import { crc32 } from "../../../image/bytes/crc32.ts";

const LONGEST = 0x7fffffff;
const FRAME_CONTROL_BYTES = 26;
/** Most bytes of a chunk whose content is held, which is a palette or a header. */
const MAX_HELD = 768;

/** The meaning of each value of `dispose_op` (section 11.3.6.2). */
const DISPOSALS: readonly Disposal[] = ["keep", "clear", "restore"];

export interface PngChunk {
  type: string;
  size: number;
}

/** The data of a chunk fcTL about a frame. */
export interface ApngFrame extends FrameHead {
  delayMs: number;
  /** Whether the frame is blended with the canvas, or replaces its pixels. */
  isBlended: boolean;
}

/** Reads the length and type of the next chunk. A file that ends here has lost its IEND. */
export function* readChunkHead(feed: ByteFeed): Parsing<PngChunk> {
  if (!(yield* feed.hasMore())) return { type: END, size: 0 };
  const head = yield* feed.take(8, "PNG, before its IEND chunk");
  const size = u32be(head, 0);
  const type = latin1(head, 4);
  if (size > LONGEST || !/^[A-Za-z]{4}$/.test(type)) {
    throw new AnimationError(`PNG has "${printable(type)}" where a chunk begins`);
  }
  return { type, size };
}

export function* skipChunk(feed: ByteFeed, { type, size }: PngChunk): Parsing<void> {
  yield* feed.skip(size + 4, `PNG chunk ${type}`);
}

/** Returns the content of a small chunk. @throws AnimationError when it is too long or its check sum does not match */
export function* readContent(feed: ByteFeed, chunk: PngChunk): Parsing<Uint8Array<ArrayBuffer>> {
  const content = yield* readSoundContent(feed, chunk);
  if (content === null) {
    throw new AnimationError(`PNG chunk ${chunk.type} is too long or does not match its check sum`);
  }
  return content;
}

/** Returns the content of a small chunk; null when it is too long or its check sum does not match. */
export function* readSoundContent(
  feed: ByteFeed,
  { type, size }: PngChunk,
): Parsing<Uint8Array<ArrayBuffer> | null> {
  if (size > MAX_HELD) {
    yield* skipChunk(feed, { type, size });
    return null;
  }
  const body = yield* feed.take(size + 4, `PNG chunk ${type}`);
  const content = body.slice(0, size);
  return u32be(body, size) === crc32(content, crc32(letters(type))) ? content : null;
}

/** Parses the content of fcTL. @throws AnimationError for a frame that does not fit its canvas */
export function parseFrameControl(body: Uint8Array, canvas: { width: number; height: number }): ApngFrame {
  if (body.length !== FRAME_CONTROL_BYTES) throw new AnimationError("PNG chunk fcTL has a wrong length");
  const [width, height, left, top] = [u32be(body, 4), u32be(body, 8), u32be(body, 12), u32be(body, 16)];
  const disposal = DISPOSALS[body[24] as number];
  const blend = body[25] as number;
  const isOutside = left + width > canvas.width || top + height > canvas.height;
  if (width === 0 || height === 0 || isOutside || !disposal || blend > 1) {
    throw new AnimationError("An APNG frame does not fit its canvas");
  }
  // A denominator of 0 means 100.
  const delayMs = (1000 * u16be(body, 20)) / (u16be(body, 22) || 100);
  return { left, top, width, height, disposal, delayMs, isBlended: blend === 1 };
}

/** Returns a chunk with its length and check sum, in three pieces, so that the content is not copied. */
export function pngChunk(type: string, content: Uint8Array): Uint8Array[] {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, content.length);
  head.set(letters(type), 4);
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, crc32(content, crc32(head.subarray(4))));
  return [head, content, tail];
}

export const letters = (type: string): Uint8Array => Uint8Array.from(type, (letter) => letter.charCodeAt(0));
