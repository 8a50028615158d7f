/**
 * One of the six scales at which SSIMULACRA 2 compares two pictures, each half as wide and high as the one before. It
 * takes rows of linear light, adds up their differences, and hands rows of half the size to the next scale.
 */
import { allocate } from "../../pixels/assembly/shared/arena";
import { AHEAD, BEHIND, blurAlong, blurDown, STATE_LINES } from "./blur";
import { addDifferences, SUMS } from "./differences";
import { allocateLines, closeLine, LANES, lineBytes, VECTOR } from "./lines";
import { toOpsin } from "./opsin";
import { pixelBytes, putChannel, putProducts } from "./quantities";

/** Lines of linear light of both pictures: red, green and blue of each. */
const LINEAR_LINES: i32 = 6;
/** Rows that are in reach of the vertical blur, and rows that wait for the rows below them. */
const BLURRED_ROWS: i32 = AHEAD + BEHIND + 1;
const WAITING_ROWS: i32 = AHEAD + 1;
/** X, Y and B. */
const CHANNELS: i32 = 3;

@unmanaged
export class Scale {
  width: i32;
  height: i32;
  /** Bytes from one line to the next. */
  stride: usize;
  /** A bit for each channel that is compared, and their number. */
  channels: i32;
  compared: i32;
  taken: i32;
  /** Rows of the vertical blur. The first ones are above the picture. */
  blurredDown: i32;
  /** The lines of the row at hand. */
  linear: usize;
  /** Rows of X, Y and B of the first picture, then of the second. */
  waiting: usize;
  /** Bytes from one row of quantities to the next. */
  rowBytes: usize;
  /** The quantities of the row at hand. */
  quantities: usize;
  /** Rows of them that are blurred along the row. */
  along: usize;
  /** The state of the blur across rows, and the row that it has made. */
  state: usize;
  blurred: usize;
  /** A row of zeros in the place of those above and below the picture. */
  nothing: usize;
  /** SUMS sums (f64) of each channel. */
  sums: usize;
  /** The next scale; 0 for the last. */
  next: usize;
}

/** Allocates a scale. @param channels a bit for each channel that it compares @returns 0 when the memory is at its end */
export function newScale(width: i32, height: i32, channels: i32): usize {
  const address = allocate(offsetof<Scale>());
  if (!address) return 0;
  const scale = changetype<Scale>(address);
  scale.width = width;
  scale.height = height;
  scale.stride = lineBytes(width);
  scale.channels = channels;
  scale.compared = popcnt<i32>(channels);
  scale.linear = allocateLines(width, LINEAR_LINES);
  scale.waiting = allocateLines(width, WAITING_ROWS * 2 * CHANNELS);
  scale.rowBytes = <usize>(width + AHEAD + LANES) * pixelBytes(scale.compared);
  const rows = allocate(<u64>scale.rowBytes * <u64>(BLURRED_ROWS + STATE_LINES + 3));
  scale.quantities = rows;
  scale.nothing = rows + scale.rowBytes;
  scale.blurred = scale.nothing + scale.rowBytes;
  scale.along = scale.blurred + scale.rowBytes;
  scale.state = scale.along + <usize>BLURRED_ROWS * scale.rowBytes;
  scale.sums = allocate(<u64>(8 * SUMS * CHANNELS));
  return scale.linear && scale.waiting && rows && scale.sums ? address : 0;
}

/** Takes the row that was written to the lines of linear light. */
export function takeRow(scale: Scale): void {
  const y = scale.taken++;
  const stride = scale.stride;
  const row = waitingRow(scale, y);
  toOpsin(scale.linear, stride, scale.width, scale.channels, row);
  toOpsin(scale.linear + 3 * stride, stride, scale.width, scale.channels, row + 3 * stride);
  blurRow(scale, row, alongRow(scale, y));
  compareNext(scale);
  if (scale.next) halve(scale, y);
  if (scale.taken < scale.height) return;
  for (let below = 0; below < AHEAD; below++) compareNext(scale);
}

@inline
function waitingRow(scale: Scale, y: i32): usize {
  return scale.waiting + <usize>((y % WAITING_ROWS) * 2 * CHANNELS) * scale.stride;
}

/** Returns a row that is blurred along itself; zeros for a row outside of the picture. */
@inline
function alongRow(scale: Scale, y: i32): usize {
  if (y < 0 || y >= scale.height) return scale.nothing;
  return scale.along + <usize>(y % BLURRED_ROWS) * scale.rowBytes;
}

/** Blurs the quantities of a row along it. */
function blurRow(scale: Scale, row: usize, out: usize): void {
  const stride = scale.stride;
  const step = pixelBytes(scale.compared);
  const products = scale.quantities + <usize>scale.compared * VECTOR;
  let place = 0;
  for (let c = 0; c < CHANNELS; c++) {
    if ((scale.channels & (1 << c)) == 0) continue;
    const first = row + <usize>c * stride;
    const second = first + 3 * stride;
    putChannel(first, second, scale.width, step, scale.quantities + <usize>place * VECTOR);
    putProducts(first, second, scale.width, step, products + ((<usize>place) << 2));
    place++;
  }
  for (let i = 0; i <= scale.compared; i++) {
    const at = <usize>i * VECTOR;
    blurAlong(scale.quantities + at, scale.width, step, out + at);
  }
}

/** Blurs the next row across rows, and adds its differences if it is in the picture. */
function compareNext(scale: Scale): void {
  const call = scale.blurredDown++;
  const y = call - AHEAD;
  const count = <usize>scale.width * pixelBytes(scale.compared);
  const behind = alongRow(scale, y - BEHIND);
  const ahead = alongRow(scale, y + AHEAD);
  blurDown(behind, ahead, count, scale.state, scale.rowBytes, (call & 1) == 1, scale.blurred);
  if (y < 0) return;
  const products = scale.blurred + <usize>scale.compared * VECTOR;
  let place = 0;
  for (let c = 0; c < CHANNELS; c++) {
    if ((scale.channels & (1 << c)) == 0) continue;
    const line = waitingRow(scale, y) + <usize>c * scale.stride;
    addDifferences(
      line,
      line + 3 * scale.stride,
      scale.width,
      scale.blurred + <usize>place * VECTOR,
      products + ((<usize>place) << 2),
      pixelBytes(scale.compared),
      scale.sums + <usize>(8 * SUMS * c),
    );
    place++;
  }
}

/** Adds the row to the mean of two rows. The mean goes to the next scale when it is complete. */
function halve(scale: Scale, y: i32): void {
  const next = changetype<Scale>(scale.next);
  const isSecond = (y & 1) == 1;
  const isLast = y == scale.height - 1;
  const factor: f32 = !isSecond && isLast ? 0.5 : 0.25;
  for (let i = 0; i < LINEAR_LINES; i++) {
    const line = scale.linear + <usize>i * scale.stride;
    const out = next.linear + <usize>i * next.stride;
    // An odd last column is the mean of itself alone.
    const last = line + ((<usize>scale.width) << 2);
    if (scale.width & 1) store<f32>(last, load<f32>(last - 4));
    for (let x = 0; x < next.width; x += LANES) {
      const low = v128.load(line + ((<usize>x) << 3));
      const high = v128.load(line + ((<usize>x) << 3), 16);
      const even = v128.shuffle<f32>(low, high, 0, 2, 4, 6);
      const odd = v128.shuffle<f32>(low, high, 1, 3, 5, 7);
      const at = out + ((<usize>x) << 2);
      const sum = f32x4.mul(f32x4.add(even, odd), f32x4.splat(factor));
      v128.store(at, isSecond ? f32x4.add(v128.load(at), sum) : sum);
    }
    closeLine(out, next.width);
  }
  if (isSecond || isLast) takeRow(next);
}
