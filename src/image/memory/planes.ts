/**
 * A picture between decoder and encoder that is yet to be turned: in planes as its rows come, and read back upright
 * (src/builder/pixels/orient-rows.ts). Chroma at half its resolution halves what a picture takes.
 */
import type { Orientation } from "../model/facts.ts";
import { isMirrored, isUpwards, swapsAxes, turned } from "../model/orientation.ts";
import { CHANNELS_OF, type RowLayout } from "./rows.ts";
import type { Size } from "../model/size.ts";

/** Upright rows that are read at a time: columns as stored, whose lines are then in the caches. An even number. */
export const STRIP_ROWS = 16;

const ALIGNMENT = 16;
/** What vector loops touch past an end, at most. */
const SLACK_BYTES = 32;
const align = (bytes: number): number => Math.ceil((bytes + SLACK_BYTES) / ALIGNMENT) * ALIGNMENT;

/** Bytes from the beginning of the canvas. */
export interface Planes {
  /** At full resolution: all channels, or luma and alpha; `fullBytes` apart. */
  full: number;
  fullBytes: number;
  fullCount: number;
  /** Two planes, `bytes` apart; null where every channel has full resolution. Sizes are as stored. */
  chroma: { at: number; bytes: number; width: number; height: number } | null;
  /** Pixels that stand for themselves at the left and top, so that pairs are those of the upright picture. */
  lead: { x: 0 | 1; y: 0 | 1 };
  /** A row on its way in; four lines of chroma, `lineBytes` apart. */
  row: number;
  lines: number;
  lineBytes: number;
  /** Upright rows of each plane, `stripBytes` apart; a line a channel, `channelBytes` apart; rows on their way out. */
  strip: number;
  stripBytes: number;
  channels: number;
  channelBytes: number;
  out: number;
  /** Of the whole canvas. */
  bytes: number;
}

/** @param stored the size of the rows that come */
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

/** An odd side that is seen from its other end begins with half a pair. */
function leadOf({ width, height }: Size, orientation: Orientation): Planes["lead"] {
  const ends = [isMirrored(orientation), isUpwards(orientation)];
  const [fromRight, fromBottom] = swapsAxes(orientation) ? ends.reverse() : ends;
  return { x: fromRight && width % 2 === 1 ? 1 : 0, y: fromBottom && height % 2 === 1 ? 1 : 0 };
}
