/**
 * Reads the header of a frame as far as its quantiser (AV1 specification sections 5.9.2, 5.9.12 and 5.9.15), for the memory
 * that its decoder takes.
 */
import type { FrameNeeds } from "../../../model/facts.ts";
import { Av1Error, BitReader } from "./bits.ts";
import { CHOSEN_PER_FRAME, type SequenceHeader } from "./sequence-header.ts";

const [KEY_FRAME, INTRA_ONLY_FRAME, SWITCH_FRAME] = [0, 2, 3];
const ALL_FRAMES = 255;
const MOST_TILE_WIDTH = 4096;
const MOST_TILE_AREA = 4096 * 2304;
const MOST_TILES = 64;
const SUPERRES_NUMERATOR = 8;
/** Frames narrower than that are not reduced further, as libaom and dav1d have it. */
const LEAST_SCALED_COLUMNS = 16;

/** The needs of frames that the decoder takes the least memory for. */
export const LEAST_NEEDS: FrameNeeds = {
  tileColumns: 1,
  copiedRows: 0,
  isEnlarged: false,
  hasMatrices: false,
  hasScreenTools: false,
};

/** Returns the most that two frames need. */
export const mostNeeds = (a: FrameNeeds, b: FrameNeeds): FrameNeeds => ({
  tileColumns: Math.max(a.tileColumns, b.tileColumns),
  copiedRows: Math.max(a.copiedRows, b.copiedRows),
  isEnlarged: a.isEnlarged || b.isEnlarged,
  hasMatrices: a.hasMatrices || b.hasMatrices,
  hasScreenTools: a.hasScreenTools || b.hasScreenTools,
});

/**
 * Returns the needs of an intra frame; the least for another one, for one whose header ends early, and for one with a model
 * of the decoder, which no still has.
 * @param header the first bytes of the header of the frame
 */
export function needsOf(sequence: SequenceHeader, header: Uint8Array): FrameNeeds {
  const bits = new BitReader(header);
  try {
    const frame = readFrame(sequence, bits);
    if (frame === null) return LEAST_NEEDS;
    const { superblock } = sequence;
    const { columns, tallest } = readTiles(bits, frame, superblock);
    const copiedRows = frame.copies ? superblock * tallest : 0;
    const { isEnlarged, hasScreenTools } = frame;
    const hasMatrices = readsMatrices(bits, sequence);
    return { tileColumns: columns, copiedRows, isEnlarged, hasMatrices, hasScreenTools };
  } catch (error) {
    if (!(error instanceof Av1Error)) throw error;
    return LEAST_NEEDS;
  }
}

/** A frame up to its tiles. */
interface Frame {
  /** The size that is coded: before super-resolution enlarges it. */
  width: number;
  height: number;
  isEnlarged: boolean;
  /** allow_screen_content_tools. */
  hasScreenTools: boolean;
  /** allow_intrabc. */
  copies: boolean;
}

/** Reads up to tile_info. @returns null for a frame that is predicted from others */
function readFrame(sequence: SequenceHeader, bits: BitReader): Frame | null {
  const { isReduced, orderHintBits, frameIdBits, screenTools, integerMotion, hasDecoderModel } = sequence;
  if (hasDecoderModel) return null;
  let type = KEY_FRAME;
  let isShown = true;
  let isResilient = true;
  if (!isReduced) {
    if (bits.flag()) return null; // show_existing_frame
    type = bits.read(2);
    isShown = bits.flag();
    if (!isShown) bits.skip(1); // showable_frame
    isResilient = type === SWITCH_FRAME || (type === KEY_FRAME && isShown) || bits.flag();
  }
  if (type !== KEY_FRAME && type !== INTRA_ONLY_FRAME) return null;
  const isFixed = bits.flag(); // disable_cdf_update
  const hasScreenTools = screenTools === CHOSEN_PER_FRAME ? bits.flag() : screenTools !== 0;
  if (hasScreenTools && integerMotion === CHOSEN_PER_FRAME) bits.skip(1); // force_integer_mv
  bits.skip(frameIdBits);
  const isOverridden = !isReduced && bits.flag(); // frame_size_override_flag
  bits.skip(orderHintBits);
  const refreshed = type === KEY_FRAME && isShown ? ALL_FRAMES : bits.read(8);
  if (refreshed !== ALL_FRAMES && isResilient) bits.skip(8 * orderHintBits);
  const { widthBits, heightBits, width, height } = sequence;
  const full = isOverridden ? bits.read(widthBits) + 1 : width;
  const rows = isOverridden ? bits.read(heightBits) + 1 : height;
  const usesSuperres = sequence.hasSuperres && bits.flag(); // use_superres
  const denominator = usesSuperres ? bits.read(3) + SUPERRES_NUMERATOR + 1 : SUPERRES_NUMERATOR;
  const scaled = Math.floor((full * SUPERRES_NUMERATOR + (denominator >> 1)) / denominator);
  const columns = Math.max(scaled, Math.min(full, LEAST_SCALED_COLUMNS));
  if (bits.flag()) bits.skip(32); // render_and_frame_size_different
  const copies = hasScreenTools && columns === full && bits.flag(); // allow_intrabc
  if (!isReduced && !isFixed) bits.skip(1); // disable_frame_end_update_cdf
  return { width: columns, height: rows, isEnlarged: columns < full, hasScreenTools, copies };
}

/** Returns the least k with `size << k` at least `target`. */
function log2Of(size: number, target: number): number {
  let k = 0;
  while (size * 2 ** k < target) k++;
  return k;
}

interface Tiles {
  columns: number;
  rows: number;
  /** Rows of superblocks of the tallest. */
  tallest: number;
}

/** Reads tile_info. */
function readTiles(bits: BitReader, frame: Frame, superblock: number): Tiles {
  const tiles = readTileSizes(bits, frame, superblock);
  const log2 = log2Of(1, tiles.columns) + log2Of(1, tiles.rows);
  if (log2 > 0) bits.skip(log2 + 2); // context_update_tile_id, tile_size_bytes_minus_1
  return tiles;
}

function readTileSizes(bits: BitReader, frame: Frame, superblock: number): Tiles {
  const columns = Math.ceil(frame.width / superblock);
  const rows = Math.ceil(frame.height / superblock);
  const mostWidth = MOST_TILE_WIDTH / superblock;
  const leastColumnsLog2 = log2Of(mostWidth, columns);
  const leastLog2 = Math.max(leastColumnsLog2, log2Of(MOST_TILE_AREA / superblock ** 2, rows * columns));
  const readLog2 = (least: number, most: number): number => {
    let log2 = least;
    while (log2 < most && bits.flag()) log2++;
    return log2;
  };
  if (bits.flag()) {
    const columnsLog2 = readLog2(leastColumnsLog2, log2Of(1, Math.min(columns, MOST_TILES)));
    const least = Math.max(leastLog2 - columnsLog2, 0);
    const rowsLog2 = readLog2(least, log2Of(1, Math.min(rows, MOST_TILES)));
    const [widest, tallest] = [Math.ceil(columns / 2 ** columnsLog2), Math.ceil(rows / 2 ** rowsLog2)];
    return { columns: Math.ceil(columns / widest), rows: Math.ceil(rows / tallest), tallest };
  }
  const across = readSizes(bits, columns, mostWidth);
  const area = leastLog2 > 0 ? Math.floor((rows * columns) / 2 ** (leastLog2 + 1)) : rows * columns;
  const down = readSizes(bits, rows, Math.max(Math.floor(area / across.largest), 1));
  return { columns: across.count, rows: down.count, tallest: down.largest };
}

/** Reads quantization_params up to using_qmatrix, which it returns. */
function readsMatrices(bits: BitReader, { isGray, hasSeparateDeltas }: SequenceHeader): boolean {
  bits.skip(8); // base_q_idx
  const skipDelta = (): void => {
    if (bits.flag()) bits.skip(7);
  };
  skipDelta();
  if (!isGray) {
    const differ = hasSeparateDeltas && bits.flag(); // diff_uv_delta
    for (let n = differ ? 4 : 2; n > 0; n--) skipDelta();
  }
  return bits.flag();
}

/** Reads sizes of at most `most` that make up `total`. */
function readSizes(bits: BitReader, total: number, most: number): { count: number; largest: number } {
  let [count, largest] = [0, 0];
  for (let start = 0; start < total; count++) {
    const size = bits.readBelow(Math.min(total - start, most)) + 1;
    largest = Math.max(largest, size);
    start += size;
  }
  return { count, largest };
}
