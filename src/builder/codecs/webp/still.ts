/** Decodes a WebP as a still, in rows. A file in the format of animations is one if it has a single frame. */
import type { WebpFacts } from "../../../image/model/facts.ts";
import { latin1 } from "../../../image/bytes/numbers.ts";
import { cropRows } from "../../pixels/crop-rows.ts";
import { placeRows } from "../../pixels/place-rows.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { decodeVp8, type Located, WebpDecodeError, type WebpRowSource } from "./decoder.ts";
import { decodeVp8l } from "./lossless/decoder.ts";
import { openLossless } from "./lossless/still.ts";
import { arenaWorkspace, type BuildContext } from "../../streams/build-context.ts";
import { AnimationError } from "../../animation/animation.ts";
import { ANIMATION, ANMF_HEAD_BYTES, type ChunkSpan, chunksIn, frameOf, RIFF_HEAD_BYTES } from "./chunks.ts";
import type { Rect, Size } from "../../../image/geometry/size.ts";

/** Rows of the picture, or of the only frame, and where that is on the canvas. */
interface Decoded {
  rows: WebpRowSource;
  frame: Rect;
}

/**
 * Decodes a picture, and hands out the rows of `crop`; of the whole when that is null.
 * @throws AnimationError when it has more than one frame (RULES 6.3), or is damaged
 * @throws SourceLost | WebpDecodeError | InvalidImageError as decodeVp8 and decodeVp8l do
 */
export async function decodeWebp(
  context: BuildContext,
  facts: WebpFacts,
  crop: Rect | null = null,
): Promise<RowSource> {
  const canvas = { width: facts.codedWidth, height: facts.codedHeight };
  const { rows, frame } = await (facts.lossless ? decodeLossless : decodeLossy)(context, facts, canvas);
  context.memory.arena.lent(rows.peakBytes());
  const whole = placeRows(rows, frame, canvas);
  return crop ? cropRows(whole, crop) : whole;
}

async function decodeLossless(context: BuildContext, facts: WebpFacts, canvas: Size): Promise<Decoded> {
  const picture = await openLossless(context.source.stream, canvas);
  const rows = await decodeVp8l(arenaWorkspace(context), picture, facts.hasAlpha);
  return { rows, frame: picture.frame };
}

async function decodeLossy(context: BuildContext, facts: WebpFacts, canvas: Size): Promise<Decoded> {
  const { stream, byteLength } = context.source;
  let frame: Rect = { left: 0, top: 0, ...canvas };
  const rows = await decodeVp8(arenaWorkspace(context), stream, byteLength, facts, (file) => {
    const chunk = soleFrame(file);
    if (chunk) frame = frameOf(file, chunk.from, canvas);
    return { ...pictureIn(file, chunk, facts.hasAlpha), size: frame };
  });
  return { rows, frame };
}

/** Returns the chunk of the only frame of a file in the format of animations; null for a file that is a still. */
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

/** Returns the content of the chunk VP8 of a still, or of an only frame, and of the chunk ALPH before it. */
function pictureIn(file: Uint8Array, frame: ChunkSpan | null, hasAlpha: boolean): Located {
  const [start, end] = frame ? [frame.from + ANMF_HEAD_BYTES, frame.to] : [RIFF_HEAD_BYTES, file.length];
  let alpha: ChunkSpan | null = null;
  for (const chunk of chunksIn(file, start, end)) {
    const { type, from, to } = chunk;
    if (to > end) break;
    if (type === "VP8 ") return { from, to, ...(hasAlpha && { alpha }) };
    if (type === "ALPH") alpha ??= chunk;
  }
  throw new WebpDecodeError("TRUNCATED", "The file has no complete chunk VP8");
}
