/**
 * The picture that is encoded: its size, its components, and the memory that the module works in. Nothing is freed
 * before the instance is dropped.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { CODES_BYTES } from "./bit-writer";
import { COMPONENT_BYTES, Component, TABLE_BYTES, prepareComponent } from "./component";
import { maskBytes, prepareMasks } from "./masking";
import { layOutPlanes } from "./planes";
import { SEQUENTIAL_COUNTS_BYTES } from "./sequential";
import { prepareTokens } from "./tokens";

/** Bytes that the vector loops may touch past the end of a row. */
const SLACK: u64 = 64;

/**
 * Index of luma beside chroma at full size, or alone. Indices 1 and 2 are Cb and Cr at half the width and height, 3 and
 * 4 are both at full size, 5 is luma beside halved chroma.
 */
const LUMA: i32 = 0;
const REPAIRED_LUMA: i32 = 5;
const COMPONENTS: i32 = 6;

let width = 0;
export let rowBytes: usize = 0;
export let isColour = false;
/** Whether chroma is encoded at half its width and height (4:2:0), and whether at full size (4:4:4). */
export let encodesHalved = false;
export let encodesFull = false;

/** Rows of pixels from the caller. */
export let staging: usize = 0;
let components: usize = 0;
let tables: usize = 0;
export let sequentialCounts: usize = 0;
export let codes: usize = 0;
export let tokens: usize = 0;
export let tokensEnd: usize = 0;
export let output: usize = 0;
export let outputBytes = 0;

@inline
export function componentAt(index: i32): Component {
  return changetype<Component>(components + <usize>index * COMPONENT_BYTES);
}

@inline
export function isEncoded(index: i32): boolean {
  if (!isColour) return index == LUMA;
  return isHalvedChroma(index) || index == REPAIRED_LUMA ? encodesHalved : encodesFull;
}

@inline
export function isHalvedChroma(index: i32): boolean {
  return index == 1 || index == 2;
}

@inline
export function isLuma(index: i32): boolean {
  return index == LUMA || index == REPAIRED_LUMA;
}

/** Address of the table of luma (0), Cb (1) or Cr (2). */
export function tableAt(index: i32): usize {
  return tables + <usize>index * TABLE_BYTES;
}

/**
 * Allocates the memory of a picture.
 * @param channels 1 gray, 2 gray-alpha, 3 rgb, 4 rgba; alpha is flattened on white
 * @param halved, full whether chroma is encoded at half the width and height (4:2:0), at full size, or both
 * @param tokenBytes room for tokens; at least that of one group of rows
 * @returns false when the memory is at its end
 */
export function configure(
  pictureWidth: i32,
  height: i32,
  channels: i32,
  halved: boolean,
  full: boolean,
  stagedRows: i32,
  tokenBytes: i32,
  outBytes: i32,
): boolean {
  width = pictureWidth;
  rowBytes = <usize>(width * channels);
  isColour = channels >= 3;
  encodesHalved = halved;
  encodesFull = full;
  outputBytes = outBytes;
  staging = allocate(<u64>stagedRows * <u64>rowBytes + SLACK);
  const hasPlanes = layOutPlanes(width, channels, halved);
  components = allocate(<u64>COMPONENTS * <u64>COMPONENT_BYTES);
  tables = allocate(3 * TABLE_BYTES);
  sequentialCounts = allocate(SEQUENTIAL_COUNTS_BYTES);
  codes = allocate(4 * CODES_BYTES);
  output = allocate(outBytes);
  tokens = allocate(tokenBytes);
  if (!staging || !hasPlanes || !components || !tables || !codes || !output || !tokens) return false;
  tokensEnd = tokens + tokenBytes;
  for (let i = 0; i < COMPONENTS; i++) {
    if (isEncoded(i) && !layOutComponent(i, height)) return false;
  }
  return true;
}

/** Sets the size of a component in blocks, and allocates the list of where its rows of blocks begin. */
function layOutComponent(index: i32, height: i32): boolean {
  const component = componentAt(index);
  const size = isHalvedChroma(index) ? 16 : 8;
  component.blocksWide = (width + size - 1) / size;
  component.blocksHigh = (height + size - 1) / size;
  component.isLuma = isLuma(index) ? 1 : 0;
  component.isHalved = size == 16 ? 1 : 0;
  component.rowStarts = allocate(<u64>component.blocksHigh * 4);
  return component.rowStarts != 0;
}

/**
 * Prepares the encoder. The caller calls it once it has written the quantisation tables.
 * @param lumaLambda, chromaLambda price of a bit, in squared errors of one level
 * @param maskAdded, maskPower see `prepareMasks`
 * @returns false when the memory is at its end
 */
export function prepare(lumaLambda: f32, chromaLambda: f32, maskAdded: f32, maskPower: f32): boolean {
  prepareTokens();
  const across = (width + 7) / 8;
  const room = allocate(maskBytes(across));
  if (!room) return false;
  prepareMasks(room, across, maskAdded, maskPower);
  for (let i = 0; i < COMPONENTS; i++) {
    if (!isEncoded(i)) continue;
    const component = componentAt(i);
    component.lambda = isLuma(i) ? lumaLambda : chromaLambda;
    prepareComponent(component, tableAt(isLuma(i) ? 0 : 2 - (i & 1)));
  }
  return true;
}

/** Returns the blocks of all components in the width of one group of 16 rows. */
export function blocksPerGroup(): i32 {
  let blocks = 0;
  for (let i = 0; i < COMPONENTS; i++) {
    if (isEncoded(i)) blocks += componentAt(i).blocksWide * (isHalvedChroma(i) ? 1 : 2);
  }
  return blocks;
}

/** Encodes chroma in one resolution only from now on. */
export function settleChroma(halved: boolean): void {
  encodesHalved = halved;
  encodesFull = !halved;
}
