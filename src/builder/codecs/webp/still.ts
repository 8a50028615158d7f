/** Decodes a WebP as a still. A file in the format of animations is one if it has a single frame. */
import type { WebpFacts } from "../../../image/model/facts.ts";
import { latin1, u24le } from "../../../image/bytes/numbers.ts";
import { cropRows } from "../../pixels/crop-rows.ts";
import { placeRows } from "../../pixels/place-rows.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { decodeVp8, WebpDecodeError } from "./decoder.ts";
import { decodeLibwebp, type Still } from "./libwebp.ts";
import { arenaWorkspace, type BuildContext } from "../../streams/build-context.ts";
import { AnimationError } from "../../animation/animation.ts";
import { type ChunkSpan, chunksIn, extendedHead, riffHead, RIFF_HEAD_BYTES } from "./chunks.ts";
import type { Rect, Size } from "../../../image/geometry/size.ts";

const VP8X_BYTES = 18;
const ANMF_HEAD_BYTES = 16;
const ANIMATION = 0x02;

/**
 * Decodes a lossy picture without alpha, in rows.
 * @throws AnimationError when it has more than one frame (RULES 6.3), or is damaged
 * @throws SourceLost | WebpDecodeError as decodeVp8 does
 */
export async function decodeWebpInRows(context: BuildContext, facts: WebpFacts): Promise<RowSource> {
  const { stream, byteLength } = context.source;
  const rows = await decodeVp8(arenaWorkspace(context), stream, byteLength, facts, keyFrameIn);
  context.memory.arena.lent(rows.peakBytes());
  return rows;
}

/**
 * Decodes any other picture whole, in the arena, and hands out the rows of `crop`; of the whole when that is null.
 * @throws AnimationError when it has more than one frame (RULES 6.3), or is damaged
 * @throws SourceLost | CodecError as decodeLibwebp does
 */
export async function decodeWebpWhole(
  context: BuildContext,
  facts: WebpFacts,
  crop: Rect | null = null,
): Promise<RowSource> {
  const canvas = { width: facts.codedWidth, height: facts.codedHeight };
  const sole: { frame?: Rect } = {};
  const unwrap = (file: Uint8Array): Still | null => {
    const unwrapped = unwrapFrame(file, canvas);
    if (unwrapped) sole.frame = unwrapped.frame;
    // libwebp refuses a file that ends before its RIFF chunk. The probe has seen that the picture is there.
    else file.set(riffHead(file.length - RIFF_HEAD_BYTES));
    return unwrapped?.still ?? null;
  };
  const rows = await decodeLibwebp(context, facts, unwrap, crop);
  if (!sole.frame) return rows;
  const whole = placeRows(rows, sole.frame, canvas);
  return crop ? cropRows(whole, crop) : whole;
}

/** The chunk of the only frame of a file in the format of animations; null for a file that is a still. */
function soleFrame(file: Uint8Array): ChunkSpan | null {
  const isAnimation = latin1(file, 12, 16) === "VP8X" && ((file[20] ?? 0) & ANIMATION) !== 0;
  if (!isAnimation) return null;
  const frames = [...chunksIn(file, RIFF_HEAD_BYTES, file.length)].filter(({ type }) => type === "ANMF");
  const [chunk] = frames;
  if (!chunk) throw new AnimationError("The animation has no frames");
  if (frames.length > 1) throw new AnimationError("The WebP is an animation and would lose its frames");
  if (chunk.to > file.length || chunk.to - chunk.from < ANMF_HEAD_BYTES) {
    throw new AnimationError("The file ends within a WebP frame");
  }
  return chunk;
}

/** The content of the chunk VP8 of a still, or of an only frame, which covers the canvas. */
function keyFrameIn(file: Uint8Array): { from: number; to: number } {
  const frame = soleFrame(file);
  const [start, end] = frame ? [frame.from + ANMF_HEAD_BYTES, frame.to] : [RIFF_HEAD_BYTES, file.length];
  for (const { type, from, to } of chunksIn(file, start, end)) {
    if (type === "VP8 " && to <= end) return { from, to };
  }
  throw new WebpDecodeError("TRUNCATED", "The file has no complete chunk VP8");
}

/**
 * Moves the only frame of a file in the format of animations (RFC 9649 section 2.7.1.1) to the start of the file, as a
 * still. Null for a file that is a still already.
 */
function unwrapFrame(file: Uint8Array, canvas: Size): { still: Still; frame: Rect } | null {
  const chunk = soleFrame(file);
  if (!chunk) return null;
  const frame = {
    left: u24le(file, chunk.from) * 2,
    top: u24le(file, chunk.from + 3) * 2,
    width: u24le(file, chunk.from + 6) + 1,
    height: u24le(file, chunk.from + 9) + 1,
  };
  if (frame.left + frame.width > canvas.width || frame.top + frame.height > canvas.height) {
    throw new AnimationError("A WebP frame is not within the canvas");
  }
  return { still: { bytes: moveToFront(file, chunk, frame), ...sizeOf(frame) }, frame };
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

/**
 * Writes the still over the start of the file. It is shorter than the file up to the end of the frame. @returns its
 * bytes
 */
function moveToFront(file: Uint8Array, { from, to }: ChunkSpan, size: Size): number {
  const parts = [...chunksIn(file, from + ANMF_HEAD_BYTES, to)];
  const picture = parts.find(({ type }) => type === "VP8 " || type === "VP8L");
  // Only a lossy picture has alpha in a chunk of its own.
  const alpha = picture?.type === "VP8 " ? parts.find(({ type }) => type === "ALPH") : undefined;
  if (!picture || Math.max(picture.to, alpha?.to ?? 0) > to || (alpha && alpha.start > picture.start)) {
    throw new AnimationError("A WebP frame has no picture");
  }
  let end = RIFF_HEAD_BYTES + (alpha ? VP8X_BYTES : 0);
  for (const { start, next } of alpha ? [alpha, picture] : [picture]) {
    file.copyWithin(end, start, next);
    end += Math.min(next, file.length) - start;
  }
  file.set(riffHead(end - RIFF_HEAD_BYTES));
  if (alpha) file.set(extendedHead(size, { animation: false, alpha: true }), RIFF_HEAD_BYTES);
  return end;
}
