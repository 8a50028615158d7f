/**
 * Reads and writes the RIFF chunks of WebP (RFC 9649 section 2.3): four letters, a length, content, padding to even.
 */
import { latin1, u24le, u32le } from "../../../image/bytes/numbers.ts";
import type { Rect, Size } from "../../../image/geometry/size.ts";
import { AnimationError } from "../../animation/animation.ts";

export const CHUNK_HEAD_BYTES = 8;
export const RIFF_HEAD_BYTES = 12;
/** The part of a chunk ANMF before the chunks of the frame. */
export const ANMF_HEAD_BYTES = 16;
/** The flag of VP8X that says that the file is in the format of animations. */
export const ANIMATION = 0x02;
const ALPHA = 0x10;

type Bytes = Uint8Array<ArrayBuffer>;
/** Writes `value` in `bytes` bytes, little-endian. */
export function putLittle(target: Uint8Array, at: number, value: number, bytes: number): void {
  for (let i = 0; i < bytes; i++) target[at + i] = (value / 2 ** (8 * i)) & 255;
}

function putType(target: Uint8Array, at: number, type: string): void {
  for (let i = 0; i < 4; i++) target[at + i] = type.charCodeAt(i);
}

const chunkBytes = (size: number): number => CHUNK_HEAD_BYTES + size + (size & 1);
const totalLength = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

/** Writes a chunk whose content is the concatenated `parts`. @returns the offset of the next chunk */
function putChunk(target: Uint8Array, start: number, type: string, ...parts: Uint8Array[]): number {
  const size = totalLength(parts);
  putType(target, start, type);
  putLittle(target, start + 4, size, 4);
  let at = start + CHUNK_HEAD_BYTES;
  for (const part of parts) {
    target.set(part, at);
    at += part.length;
  }
  return start + chunkBytes(size);
}

/** Returns a chunk whose content is the concatenated `parts`. */
export function chunk(type: string, ...parts: Uint8Array[]): Bytes {
  const bytes = new Uint8Array(chunkBytes(totalLength(parts)));
  putChunk(bytes, 0, type, ...parts);
  return bytes;
}

/** Returns the header of a file. `contentBytes` is the length of all chunks that follow it. */
export function riffHead(contentBytes: number): Bytes {
  const head = new Uint8Array(RIFF_HEAD_BYTES);
  putType(head, 0, "RIFF");
  putLittle(head, 4, contentBytes + 4, 4);
  putType(head, 8, "WEBP");
  return head;
}

/** Returns the chunk VP8X (section 2.7.1, figure 7). */
export function extendedHead({ width, height }: Size, has: { animation: boolean; alpha: boolean }): Bytes {
  const content = new Uint8Array(10);
  content[0] = (has.animation ? ANIMATION : 0) | (has.alpha ? ALPHA : 0);
  putLittle(content, 4, width - 1, 3);
  putLittle(content, 7, height - 1, 3);
  return chunk("VP8X", content);
}

/** A picture, and its alpha if that has a chunk of its own. */
export interface Still extends Size {
  /** The name of the picture's chunk. */
  type: string;
  data: Uint8Array;
  alpha: Uint8Array | null;
}

export interface ChunkSpan {
  type: string;
  /** Offsets where the header begins, the content begins, the content ends, and the next chunk begins. */
  start: number;
  from: number;
  to: number;
  next: number;
}

/** Yields the chunks between two offsets of `file`. The last one may claim to reach past the end. */
export function* chunksIn(file: Uint8Array, start: number, end: number): Generator<ChunkSpan> {
  for (let at = start; at + CHUNK_HEAD_BYTES <= end;) {
    const size = u32le(file, at + 4);
    const from = at + CHUNK_HEAD_BYTES;
    const next = from + size + (size & 1);
    yield { type: latin1(file, at, at + 4), start: at, from, to: from + size, next };
    at = next;
  }
}

/** Returns the place of the frame whose chunk (RFC 9649 section 2.7.1.1) has its content at `from`. */
export function frameOf(file: Uint8Array, from: number, canvas: Size): Rect {
  const frame = {
    left: u24le(file, from) * 2,
    top: u24le(file, from + 3) * 2,
    width: u24le(file, from + 6) + 1,
    height: u24le(file, from + 9) + 1,
  };
  if (frame.left + frame.width > canvas.width || frame.top + frame.height > canvas.height) {
    throw new AnimationError("A WebP frame is not within the canvas");
  }
  return frame;
}

/**
 * Returns the chunks of a still that make up its picture (ALPH, VP8, VP8L), with header and padding, as they are in
 * `file`.
 */
export function pictureChunks(file: Uint8Array): { type: string; bytes: Uint8Array }[] {
  return [...chunksIn(file, RIFF_HEAD_BYTES, file.length)]
    .filter(({ type }) => type === "ALPH" || type === "VP8 " || type === "VP8L")
    .map(({ type, start, next }) => ({ type, bytes: file.subarray(start, next) }));
}
