/**
 * The memory layout of a picture that is turned between decoder and encoder: stored rows are written to planes, which
 * are then read as upright rows (src/builder/pixels/orient-rows.ts). Chroma at half resolution halves the memory.
 */
import type { Orientation } from "../model/facts.ts";
import { isMirrored, isUpwards, swapsAxes, turned } from "../model/orientation.ts";
import { CHANNELS_OF, type RowLayout } from "./rows.ts";
import type { Size } from "../geometry/size.ts";

/**
 * Upright rows that are read together. They are stored columns, so reading several at once uses each cache line fully.
 * The number is even.
 */
export const STRIP_ROWS = 16;

const ALIGNMENT = 16;
/** The most that vector loops read or write past the end of a buffer. */
const SLACK_BYTES = 32;
const align = (bytes: number): number => Math.ceil((bytes + SLACK_BYTES) / ALIGNMENT) * ALIGNMENT;

/** The parts of the canvas, as byte offsets from its beginning. */
export interface Planes {
  /** `fullCount` planes at full resolution, `fullBytes` apart: all channels, or luma and alpha if chroma is halved. */
  full: number;
  fullBytes: number;
  fullCount: number;
  /** The two planes of halved chroma, `bytes` apart, in stored size; null if all channels have full resolution. */
  chroma: { at: number; bytes: number; width: number; height: number } | null;
  /** 1 if the first stored column or row is a pair by itself, so that pairs match those of the upright picture. */
  lead: { x: 0 | 1; y: 0 | 1 };
  /** The incoming row. */
  row: number;
  /** Four lines of chroma, `lineBytes` apart. */
  lines: number;
  lineBytes: number;
  /** STRIP_ROWS upright rows of each plane, `stripBytes` apart. */
  strip: number;
  stripBytes: number;
  /** One line per channel, `channelBytes` apart. */
  channels: number;
  channelBytes: number;
  /** The outgoing rows. */
  out: number;
  /** The length of the whole canvas. */
  bytes: number;
}

/**
 * Lays out the canvas.
 * @param stored the size of the picture as its rows arrive
 * @param isHalved whether chroma has half resolution
 */
export function planesOf(
  stored: Size,
  layout: RowLayout,
  orientation: Orientation,
  isHalved: boolean,
): Planes {
  const { width, height } = stored;
  const upright = turned(stored, orientation);
  const channels = CHANNELS_OF[layout];
  const fullCount = isHalved ? channels - 2 : channels;
  const lead = isHalved ? leadOf(stored, orientation) : ({ x: 0, y: 0 } as const);
  const half = { width: (width + lead.x + 1) >> 1, height: (height + lead.y + 1) >> 1 };
  let bytes = 0;
  const take = (count: number, each: number): number => {
    const at = bytes;
    bytes += count * each;
    return at;
  };
  const fullBytes = align(width * height);
  const chromaBytes = align(half.width * half.height);
  const lineBytes = align(2 * half.width);
  const stripBytes = upright.width;
  const channelBytes = align(upright.width);
  const full = take(fullCount, fullBytes);
  const chroma = isHalved ? { at: take(2, chromaBytes), bytes: chromaBytes, ...half } : null;
  return {
    ...{ full, fullBytes, fullCount, chroma, lead, lineBytes, stripBytes, channelBytes },
    row: take(1, align(width * channels)),
    lines: chroma ? take(4, lineBytes) : 0,
    strip: take(1, align(STRIP_ROWS * stripBytes * (fullCount + (chroma ? 1 : 0)))),
    channels: chroma ? take(channels, channelBytes) : 0,
    out: take(1, align(STRIP_ROWS * upright.width * channels)),
    bytes,
  };
}

/** Returns the first samples of a side of odd length that is mirrored: it begins with an incomplete pair. */
function leadOf({ width, height }: Size, orientation: Orientation): Planes["lead"] {
  const ends = [isMirrored(orientation), isUpwards(orientation)];
  const [fromRight, fromBottom] = swapsAxes(orientation) ? ends.reverse() : ends;
  return { x: fromRight && width % 2 === 1 ? 1 : 0, y: fromBottom && height % 2 === 1 ? 1 : 0 };
}
