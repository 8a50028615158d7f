/** The header of a frame (AV1 specification section 5.9). Frames that are predicted from others are not supported. */
import { FAULT_CORRUPT, FAULT_TRUNCATED, FAULT_UNSUPPORTED } from "../../../decoder-status";
import { hasOverrun, readBit, readBits, readFlag } from "./bits";
import { readCdefParams, readLoopFilter, readRestorationParams } from "./filter-params";
import { readGrain } from "./grain";
import {
  hasDeltas,
  isLossless,
  MOST_SEGMENTS,
  readDeltas,
  readQuantisation,
  readSegments,
} from "./quantisation";
import {
  CHOSEN_PER_FRAME,
  enableSuperres,
  frameIdBits,
  hasDecoderModel,
  hasFilmGrain,
  heightBits,
  integerMotion,
  isEqualInterval,
  isReduced,
  mostHeight,
  mostWidth,
  operatingPoints,
  orderHintBits,
  pointTable,
  presentationTimeBits,
  removalTimeBits,
  sbSize,
  screenTools,
  widthBits,
} from "./sequence";
import { readTiles } from "./tiles";

const KEY_FRAME: i32 = 0;
const INTRA_ONLY_FRAME: i32 = 2;
const ALL_FRAMES: i32 = 255;
const SUPERRES_NUMERATOR: i32 = 8;
/** The largest side of a picture in samples, as in AVIF files of the service's limits. */
const MOST_SIDE: i32 = 65536;

export let isShown = false;
export let frameWidth: i32 = 0;
export let upscaledWidth: i32 = 0;
export let frameHeight: i32 = 0;
/** Columns and rows in units of 4 samples of luma, a multiple of two. */
export let miCols: i32 = 0;
export let miRows: i32 = 0;
export let sbColumns: i32 = 0;
export let sbRows: i32 = 0;
export let superresDenominator: i32 = SUPERRES_NUMERATOR;
export let allowScreenTools = false;
export let allowIntraBlockCopy = false;
export let adaptsCdfs = true;
export let codedLossless = false;
export let allLossless = false;
/** Whether blocks choose the sizes of their transforms. */
export let choosesTransforms = false;
export let hasReducedTransforms = false;

/** Reads and skips buffer_removal_time of the operating points that this frame belongs to. */
function skipRemovalTimes(temporalId: i32, spatialId: i32): void {
  for (let i = 0; i < operatingPoints; i++) {
    const point = pointTable + ((<usize>i) << 2);
    if (!load<u16>(point, 2)) continue;
    const layers = <i32>load<u16>(point);
    const isIn = ((layers >> temporalId) & 1) != 0 && ((layers >> (spatialId + 8)) & 1) != 0;
    if (layers == 0 || isIn) readBits(removalTimeBits);
  }
}

/** Implements frame_size(). */
function readSize(isOverridden: boolean): i32 {
  frameWidth = isOverridden ? readBits(widthBits) + 1 : mostWidth;
  frameHeight = isOverridden ? readBits(heightBits) + 1 : mostHeight;
  superresDenominator = SUPERRES_NUMERATOR;
  if (enableSuperres && readFlag()) superresDenominator = readBits(3) + 9;
  upscaledWidth = frameWidth;
  frameWidth = (upscaledWidth * SUPERRES_NUMERATOR + (superresDenominator >> 1)) / superresDenominator;
  // Frames narrower than 16 samples are not reduced further.
  if (superresDenominator != SUPERRES_NUMERATOR) frameWidth = max(frameWidth, min(16, upscaledWidth));
  if (upscaledWidth > MOST_SIDE || frameHeight > MOST_SIDE) return FAULT_CORRUPT;
  miCols = 2 * ((frameWidth + 7) >> 3);
  miRows = 2 * ((frameHeight + 7) >> 3);
  const shift = sbSize == 128 ? 5 : 4;
  sbColumns = (miCols + (1 << shift) - 1) >> shift;
  sbRows = (miRows + (1 << shift) - 1) >> shift;
  return 0;
}

/** Reads what comes before the size of the frame. @returns 1 when the size is overridden, 0, or a fault */
function readStart(temporalId: i32, spatialId: i32): i32 {
  let type = KEY_FRAME;
  let isResilient = true;
  isShown = true;
  isShowable = false;
  if (!isReduced) {
    if (readFlag()) return FAULT_UNSUPPORTED;
    type = readBits(2);
    isShown = readFlag();
    if (isShown && hasDecoderModel && !isEqualInterval) readBits(presentationTimeBits);
    isShowable = isShown ? type != KEY_FRAME : readFlag();
    isResilient = (type == KEY_FRAME && isShown) || type == 3 || readFlag();
  }
  if (type != KEY_FRAME && type != INTRA_ONLY_FRAME) return FAULT_UNSUPPORTED;
  adaptsCdfs = !readFlag();
  allowScreenTools = screenTools == CHOSEN_PER_FRAME ? readFlag() : screenTools != 0;
  if (allowScreenTools && integerMotion == CHOSEN_PER_FRAME) readBit();
  if (frameIdBits > 0) readBits(frameIdBits);
  const isOverridden = !isReduced && readFlag();
  readBits(orderHintBits);
  if (hasDecoderModel && readFlag()) skipRemovalTimes(temporalId, spatialId);
  const refreshed = type == KEY_FRAME && isShown ? ALL_FRAMES : readBits(8);
  if (type == INTRA_ONLY_FRAME && refreshed == ALL_FRAMES) return FAULT_CORRUPT;
  if (refreshed != ALL_FRAMES && isResilient && orderHintBits > 0) {
    for (let i = 0; i < 8; i++) readBits(orderHintBits);
  }
  return i32(isOverridden);
}
let isShowable = false;

/** Implements uncompressed_header(), up to its last bit. */
export function readFrame(temporalId: i32, spatialId: i32): i32 {
  const start = readStart(temporalId, spatialId);
  if (start < 0) return start;
  const fault = readSize(start != 0);
  if (fault < 0) return fault;
  if (readFlag()) readBits(32);
  allowIntraBlockCopy = allowScreenTools && upscaledWidth == frameWidth && readFlag();
  if (!isReduced && adaptsCdfs) readBit();
  const tileFault = readTiles(sbColumns, sbRows, sbSize == 128 ? 7 : 6);
  if (tileFault < 0) return tileFault;
  readQuantisation();
  readSegments();
  readDeltas(allowIntraBlockCopy);
  codedLossless = true;
  for (let segment = 0; segment < MOST_SEGMENTS; segment++) if (!isLossless(segment)) codedLossless = false;
  allLossless = codedLossless && frameWidth == upscaledWidth;
  if (codedLossless && hasDeltas) return FAULT_CORRUPT;
  readLoopFilter(codedLossless || allowIntraBlockCopy);
  readCdefParams(codedLossless || allowIntraBlockCopy);
  readRestorationParams(allLossless || allowIntraBlockCopy);
  choosesTransforms = !codedLossless && readFlag();
  hasReducedTransforms = readFlag();
  const grainFault = readGrain(hasFilmGrain && (isShown || isShowable));
  if (grainFault < 0) return grainFault;
  return hasOverrun ? FAULT_TRUNCATED : 0;
}
