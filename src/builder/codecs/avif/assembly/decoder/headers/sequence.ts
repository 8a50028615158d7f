/** The sequence header (AV1 specification section 5.5), which all frames of a stream share. */
import { FAULT_CORRUPT, FAULT_TRUNCATED } from "../../../decoder-status";
import { hasOverrun, readBit, readBits, readFlag, skipVariable } from "./bits";

/** Value of seq_force_screen_content_tools and seq_force_integer_mv that leaves the choice to frames. */
export const CHOSEN_PER_FRAME: i32 = 2;
const IDENTITY_MATRIX: i32 = 0;
const BT709_PRIMARIES: i32 = 1;
const SRGB_TRANSFER: i32 = 13;
const UNSPECIFIED: i32 = 2;

export let hasSequence = false;
export let bitDepth: i32 = 8;
export let planeCount: i32 = 3;
/** Shifts from luma to chroma positions; 1 where chroma has half the resolution. */
export let subX: i32 = 1;
export let subY: i32 = 1;
/** Samples of luma on a side of a superblock: 64 or 128. */
export let sbSize: i32 = 64;
export let matrixCoefficients: i32 = UNSPECIFIED;
export let isFullRange = false;
export let enableFilterIntra = false;
export let enableEdgeFilter = false;
export let enableSuperres = false;
export let enableCdef = false;
export let enableRestoration = false;
export let hasFilmGrain = false;
export let hasSeparateDeltas = false;

export let isReduced = false;
export let hasDecoderModel = false;
export let isEqualInterval = false;
export let removalTimeBits: i32 = 0;
export let presentationTimeBits: i32 = 0;
export let operatingPoints: i32 = 1;
/** operating_point_idc of the chosen point. */
export let chosenLayers: i32 = 0;
/** Address of operating_point_idc (u16) and whether the decoder model is present (u16), of up to 32 points. */
export let pointTable: usize = 0;
export let widthBits: i32 = 0;
export let heightBits: i32 = 0;
export let mostWidth: i32 = 0;
export let mostHeight: i32 = 0;
/** Bits of frame ids; 0 when frames have none. */
export let frameIdBits: i32 = 0;
export let orderHintBits: i32 = 0;
export let screenTools: i32 = CHOSEN_PER_FRAME;
export let integerMotion: i32 = CHOSEN_PER_FRAME;

/** Bytes of `pointTable`. */
export const POINT_TABLE_BYTES: u64 = 32 * 4;

/** Sets the memory for operating points, before the first header is read. */
export function placePoints(at: usize): void {
  pointTable = at;
}

function readTiming(): void {
  readBits(32);
  readBits(32);
  isEqualInterval = readFlag();
  if (isEqualInterval) skipVariable();
}

/** Reads operating_points_cnt_minus_1 and the fields that follow per point. */
function readPoints(delayBits: i32): void {
  const hasDelays = readFlag();
  operatingPoints = readBits(5) + 1;
  for (let i = 0; i < operatingPoints; i++) {
    const point = pointTable + ((<usize>i) << 2);
    store<u16>(point, readBits(12));
    store<u16>(point, 0, 2);
    if (readBits(5) > 7) readBit();
    if (hasDecoderModel && readFlag()) {
      store<u16>(point, 1, 2);
      readBits(delayBits);
      readBits(delayBits);
      readBit();
    }
    if (hasDelays && readFlag()) readBits(4);
  }
}

/** Reads the tools that only frames with full headers have. */
function readInterTools(): void {
  readBits(4);
  const hasOrderHints = readFlag();
  if (hasOrderHints) readBits(2);
  screenTools = readFlag() ? CHOSEN_PER_FRAME : readBit();
  integerMotion = CHOSEN_PER_FRAME;
  if (screenTools > 0 && !readFlag()) integerMotion = readBit();
  orderHintBits = hasOrderHints ? readBits(3) + 1 : 0;
}

/** Implements color_config(). */
function readColour(profile: i32): i32 {
  const isHigh = readFlag();
  bitDepth = isHigh ? 10 : 8;
  if (profile == 2 && isHigh && readFlag()) bitDepth = 12;
  planeCount = profile != 1 && readFlag() ? 1 : 3;
  let primaries = UNSPECIFIED;
  let transfer = UNSPECIFIED;
  matrixCoefficients = UNSPECIFIED;
  if (readFlag()) {
    primaries = readBits(8);
    transfer = readBits(8);
    matrixCoefficients = readBits(8);
  }
  hasSeparateDeltas = false;
  subX = 1;
  subY = 1;
  if (planeCount == 1) {
    isFullRange = readFlag();
    return 0;
  }
  if (primaries == BT709_PRIMARIES && transfer == SRGB_TRANSFER && matrixCoefficients == IDENTITY_MATRIX) {
    isFullRange = true;
    subX = 0;
    subY = 0;
    // Only profiles with 4:4:4 may have it.
    if (profile == 0 || (profile == 2 && bitDepth != 12)) return FAULT_CORRUPT;
  } else {
    isFullRange = readFlag();
    if (profile == 1) {
      subX = 0;
      subY = 0;
    } else if (profile == 2) {
      subX = bitDepth == 12 ? readBit() : 1;
      subY = bitDepth == 12 && subX ? readBit() : 0;
    }
    if (subX && subY) readBits(2);
  }
  hasSeparateDeltas = readFlag();
  return 0;
}

/** Reads a sequence header. @param operatingPoint the point that is decoded @returns 0 or a fault */
export function readSequence(operatingPoint: i32): i32 {
  const profile = readBits(3);
  if (profile > 2) return FAULT_CORRUPT;
  readBit();
  isReduced = readFlag();
  hasDecoderModel = false;
  isEqualInterval = false;
  operatingPoints = 1;
  store<u32>(pointTable, 0);
  if (isReduced) {
    readBits(5);
  } else {
    let delayBits = 0;
    if (readFlag()) {
      readTiming();
      hasDecoderModel = readFlag();
      if (hasDecoderModel) {
        delayBits = readBits(5) + 1;
        readBits(32);
        removalTimeBits = readBits(5) + 1;
        presentationTimeBits = readBits(5) + 1;
      }
    }
    readPoints(delayBits);
  }
  const point = operatingPoint < operatingPoints ? operatingPoint : 0;
  chosenLayers = load<u16>(pointTable + ((<usize>point) << 2));
  widthBits = readBits(4) + 1;
  heightBits = readBits(4) + 1;
  mostWidth = readBits(widthBits) + 1;
  mostHeight = readBits(heightBits) + 1;
  frameIdBits = 0;
  if (!isReduced && readFlag()) {
    const deltaBits = readBits(4) + 2;
    frameIdBits = deltaBits + readBits(3) + 1;
  }
  sbSize = readFlag() ? 128 : 64;
  enableFilterIntra = readFlag();
  enableEdgeFilter = readFlag();
  screenTools = CHOSEN_PER_FRAME;
  integerMotion = CHOSEN_PER_FRAME;
  orderHintBits = 0;
  if (!isReduced) readInterTools();
  enableSuperres = readFlag();
  enableCdef = readFlag();
  enableRestoration = readFlag();
  const fault = readColour(profile);
  if (fault < 0) return fault;
  hasFilmGrain = readFlag();
  if (hasOverrun) return FAULT_TRUNCATED;
  hasSequence = true;
  return 0;
}
