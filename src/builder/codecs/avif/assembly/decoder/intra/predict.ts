/** Predicts one transform block from its neighbours (AV1 specification section 7.11.2). */
import {
  cflAlphaU,
  cflAlphaV,
  CFL_PRED,
  chromaAngle,
  chromaMode,
  DC_PRED,
  filterMode,
  isChromaSmooth,
  isDirectional,
  isLumaSmooth,
  lumaAngle,
  lumaMode,
  PAETH_PRED,
  SMOOTH_H_PRED,
  SMOOTH_PRED,
} from "../blocks/modes";
import { predictMean, predictPaeth } from "./basic";
import { addLuma } from "./chroma-from-luma";
import { predictAcross, predictDirection, predictDown } from "./directional";
import { collectEdges } from "./edges";
import { predictRecursive } from "./recursive";
import { predictSmooth } from "./smooth";

/** Mode_To_Angle. */
const ANGLES = memory.data<u8>([0, 90, 180, 45, 135, 113, 157, 203, 67]);
const ANGLE_STEP: i32 = 3;

/**
 * Predicts a block.
 * @param aboveCount samples there are above from the first column on; 0 for none
 * @param insideX columns of the plane inside the frame from the first column on
 */
export function predict(
  plane: i32,
  to: usize,
  stride: usize,
  wide: i32,
  high: i32,
  aboveCount: i32,
  leftCount: i32,
  insideX: i32,
  insideY: i32,
): void {
  const isCfl = plane > 0 && chromaMode == CFL_PRED;
  const mode = plane == 0 ? lumaMode : isCfl ? DC_PRED : chromaMode;
  if (isDirectional(mode)) {
    const angle = <i32>load<u8>(ANGLES + mode) + (plane == 0 ? lumaAngle : chromaAngle) * ANGLE_STEP;
    const aboveNeeded = angle < 90 ? wide + high : wide;
    collectEdges(to, stride, aboveCount, leftCount, aboveNeeded, angle > 180 ? wide + high : high);
    if (angle == 90) predictDown(to, stride, wide, high);
    else if (angle == 180) predictAcross(to, stride, wide, high);
    else {
      const isSmooth = plane == 0 ? isLumaSmooth : isChromaSmooth;
      predictDirection(to, stride, angle, wide, high, isSmooth, insideX, insideY, aboveCount, leftCount);
    }
    return;
  }
  collectEdges(to, stride, aboveCount, leftCount, wide, high);
  if (plane == 0 && filterMode >= 0) predictRecursive(to, stride, wide, high, filterMode);
  else if (mode == PAETH_PRED) predictPaeth(to, stride, wide, high);
  else if (mode >= SMOOTH_PRED) {
    predictSmooth(
      to,
      stride,
      wide,
      high,
      mode != SMOOTH_H_PRED,
      mode == SMOOTH_PRED || mode == SMOOTH_H_PRED,
    );
  } else predictMean(to, stride, wide, high, aboveCount > 0, leftCount > 0);
  if (isCfl) addLuma(to, stride, plane == 1 ? cflAlphaU : cflAlphaV, wide, high);
}
