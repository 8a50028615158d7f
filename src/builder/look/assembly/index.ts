/**
 * Compares two pictures by SSIMULACRA 2 (https://github.com/cloudinary/ssimulacra2) in rows: it holds 9 rows of each
 * scale, and not the pictures. The caller says with `compareAt` which channels weigh at a scale; the others are not
 * compared there.
 *
 * The caller calls `configure`, writes a row of each picture and calls `takeRows`, once per row, and reads the sums.
 */
import { allocate, highWater } from "../../pixels/assembly/shared/arena";
import { newScale, Scale, takeRow } from "./scale";

const SLACK: u64 = 64;

const linearOf = memory.data(256 * 4, 16);
const channelsOf = memory.data(6 * 4, 16);
const scales = memory.data(6 * sizeof<usize>(), 16);

let width = 0;
let scaleCount = 0;
let first: usize = 0;
let second: usize = 0;
let firstChannels = 0;
let secondChannels = 0;

/**
 * Adds a scale, before `configure`: first full size, then half of it, and so on.
 * @param channels a bit for each of X, Y and B that is compared
 */
export function compareAt(scale: i32, channels: i32): void {
  store<i32>(channelsOf + ((<usize>scale) << 2), channels);
  scaleCount = scale + 1;
}

@inline
function scaleAt(index: i32): Scale {
  return changetype<Scale>(load<usize>(scales + <usize>index * sizeof<usize>()));
}

/**
 * Allocates the memory of a comparison.
 * @param channelsOfFirst, channelsOfSecond 1 for gray, 3 for RGB
 * @returns false when the memory is at its end
 */
export function configure(
  pictureWidth: i32,
  height: i32,
  channelsOfFirst: i32,
  channelsOfSecond: i32,
): boolean {
  width = pictureWidth;
  firstChannels = channelsOfFirst;
  secondChannels = channelsOfSecond;
  first = allocate(<u64>(width * firstChannels) + SLACK);
  second = allocate(<u64>(width * secondChannels) + SLACK);
  if (!first || !second) return false;
  let across = width;
  let down = height;
  for (let i = 0; i < scaleCount; i++) {
    const scale = newScale(across, down, load<i32>(channelsOf + ((<usize>i) << 2)));
    if (!scale) return false;
    store<usize>(scales + <usize>i * sizeof<usize>(), scale);
    if (i > 0) scaleAt(i - 1).next = scale;
    across = (across + 1) >> 1;
    down = (down + 1) >> 1;
  }
  return true;
}

/** Returns where the caller writes the linear light (f32) of the 256 values of a sample. */
export function linearAddress(): usize {
  return linearOf;
}

/** Returns where the caller writes a row of the first picture (0) or of the second (1). */
export function rowAddress(picture: i32): usize {
  return picture == 0 ? first : second;
}

/** Takes the row of both pictures that was written. */
export function takeRows(): void {
  const scale = scaleAt(0);
  toLinear(first, firstChannels, scale.linear, scale.stride);
  toLinear(second, secondChannels, scale.linear + 3 * scale.stride, scale.stride);
  takeRow(scale);
}

function toLinear(row: usize, channels: i32, out: usize, stride: usize): void {
  const green = channels == 1 ? 0 : 1;
  for (let x = 0; x < width; x++) {
    const at = out + ((<usize>x) << 2);
    store<f32>(at, load<f32>(linearOf + ((<usize>load<u8>(row)) << 2)));
    store<f32>(at + stride, load<f32>(linearOf + ((<usize>load<u8>(row + <usize>green)) << 2)));
    store<f32>(at + 2 * stride, load<f32>(linearOf + ((<usize>load<u8>(row + <usize>(2 * green))) << 2)));
    row += <usize>channels;
  }
}

/** Returns the pixels of a scale. */
export function pixelsAt(scale: i32): i32 {
  return scaleAt(scale).width * scaleAt(scale).height;
}

/** Returns the sums (f64) of a scale: six of X, six of Y, six of B (differences.ts). */
export function sumsAddress(scale: i32): usize {
  return scaleAt(scale).sums;
}

/** Returns the bytes of memory in use. */
export function used(): usize {
  return highWater();
}
