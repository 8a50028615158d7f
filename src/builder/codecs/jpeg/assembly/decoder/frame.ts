/** The picture as its frame header (SOF, ITU T.81 B.2.2) describes it, and the decoder's state per component. */
import { FilterBank } from "../../../../pixels/assembly/shared/lanczos";

export const MAX_COMPONENTS: i32 = 4;
/** Blocks that one MCU of an interleaved scan may hold (B.2.3). */
export const MAX_BLOCKS_PER_MCU: i32 = 10;
export const BLOCK_COEFFICIENTS: i32 = 64;
/** A block of coefficients or a quantisation table: 64 i16 in rows. */
export const BLOCK_BYTES: i32 = 128;

/** How a component's samples become samples at the output size: by the resampler. */
export const FIT_RESAMPLE: i32 = 0;
/** Full-size decodes of subsampled chroma use libjpeg's upsampling: a triangle filter, or repetition. */
export const FIT_TRIANGLE_H2V1: i32 = 1;
export const FIT_TRIANGLE_H1V2: i32 = 2;
export const FIT_TRIANGLE_H2V2: i32 = 3;
export const FIT_REPEAT: i32 = 4;

@unmanaged
export class Component {
  id: i32;
  /** Sampling factors (A.1.1). */
  h: i32;
  v: i32;
  /** Index of the quantisation table, 0 to 3, and the copy of it made at the component's first scan. */
  quantIndex: i32;
  quant: usize;
  scanned: i32;

  /** Huffman tables and DC prediction (F.2.2.1) of the current scan. */
  dcTable: usize;
  acTable: usize;
  prediction: i32;
  /** Blocks of this component in an MCU of the current scan. */
  across: i32;
  down: i32;

  /** Blocks that hold samples of the picture; `paddedBlocksWide` adds those that fill up the last MCU (A.2.4). */
  blocksWide: i32;
  blocksHigh: i32;
  paddedBlocksWide: i32;

  /** Samples per block side after the scaled IDCT: 8, 4, 2 or 1; `log2Size` is 3 to 0. */
  size: i32;
  log2Size: i32;
  /** Zigzag index of the last coefficient that an IDCT of this size uses. */
  lastUseful: i32;

  /** The blocks that the crop needs, in whole MCUs of the frame as transposed. No other block is stored. */
  firstColumn: i32;
  columns: i32;
  firstRow: i32;
  rows: i32;

  /**
   * A ring of decoded samples: `ringRows` rows of `stride` bytes, row r at r % ringRows. `rowsDone` rows are decoded or
   * passed over.
   */
  samples: usize;
  stride: i32;
  ringRows: i32;
  bandRows: i32;
  rowsDone: i32;
  /** Where the samples of the current row of MCUs are written. */
  bandTop: usize;
  /**
   * The samples that the crop is made from, at this size: rows `top` to `bottom` (exclusive) of the picture, and `width`
   * samples of each, from sample `left` of the stored row on.
   */
  left: i32;
  width: i32;
  top: i32;
  bottom: i32;
  /** Rows of the picture at this size, with those that fill up the last MCU. */
  paddedHeight: i32;

  fit: i32;
  horizontal: FilterBank;
  vertical: FilterBank;
  /** Addresses of the rows that the vertical filter reads. */
  rowList: usize;
  /** One line of i16 after the vertical pass, and one at the output size. The first pixel of that is at `pixels`. */
  line: usize;
  output: usize;
  pixels: usize;

  /** Progressive files only: `size * size` coefficients (i16) per block, and a bit per coefficient that is not zero. */
  coefficients: usize;
  coefficientBytes: i32;
  history: usize;
}

/** The part of the picture that is handed out, in pixels of the frame as transposed. */
export abstract class Crop {
  static left: i32 = 0;
  static top: i32 = 0;
  static width: i32 = 0;
  static height: i32 = 0;
}

export abstract class Frame {
  static width: i32 = 0;
  static height: i32 = 0;
  static components: i32 = 0;
  static progressive: boolean = false;
  static maxH: i32 = 1;
  static maxV: i32 = 1;
  static mcusWide: i32 = 0;
  static mcusHigh: i32 = 0;
  /** The colour transform of the APP14 "Adobe" segment: 0, 1 or 2; -1 without the segment. */
  static adobeTransform: i32 = -1;
  /** MCUs between restart markers (B.2.4.4); 0 for none. */
  static restartInterval: i32 = 0;
}

const COMPONENT_STRIDE: usize = offsetof<Component>() + 2 * offsetof<FilterBank>();
const COMPONENTS: usize = memory.data(1024, 16);
const QUANT_COPIES: usize = memory.data(512, 16);

export function componentAt(index: i32): Component {
  return changetype<Component>(COMPONENTS + <usize>index * COMPONENT_STRIDE);
}

/** Resets a component to what the frame header says of it. */
export function defineComponent(index: i32, id: i32, h: i32, v: i32, quantIndex: i32): void {
  const component = componentAt(index);
  const at = changetype<usize>(component);
  memory.fill(at, 0, COMPONENT_STRIDE);
  component.horizontal = changetype<FilterBank>(at + offsetof<Component>());
  component.vertical = changetype<FilterBank>(at + offsetof<Component>() + offsetof<FilterBank>());
  component.id = id;
  component.h = h;
  component.v = v;
  component.quantIndex = quantIndex;
  component.quant = QUANT_COPIES + <usize>(index * BLOCK_BYTES);
}

/** Returns the number of samples of a component with sampling factor `factor` of `maximum`, rounded up (A.1.1). */
export function sampledLength(samples: i32, factor: i32, maximum: i32): i32 {
  return (samples * factor + maximum - 1) / maximum;
}

/** Derives the block and MCU counts (A.1.1, A.2) once all components are known. */
export function measureFrame(): void {
  Frame.maxH = 1;
  Frame.maxV = 1;
  for (let i = 0; i < Frame.components; i++) {
    Frame.maxH = max<i32>(Frame.maxH, componentAt(i).h);
    Frame.maxV = max<i32>(Frame.maxV, componentAt(i).v);
  }
  Frame.mcusWide = sampledLength(Frame.width, 1, 8 * Frame.maxH);
  Frame.mcusHigh = sampledLength(Frame.height, 1, 8 * Frame.maxV);
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    component.blocksWide = (sampledLength(Frame.width, component.h, Frame.maxH) + 7) >> 3;
    component.blocksHigh = (sampledLength(Frame.height, component.v, Frame.maxV) + 7) >> 3;
    component.paddedBlocksWide = Frame.mcusWide * component.h;
  }
}
