/**
 * The Gaussian blur of SSIMULACRA 2, with a standard deviation of 1.5 samples: recursively, by truncated cosines
 * (Charalampidis 2016, radius 5), as the reference does it. The rounding of its steps adds up along a line. In smooth
 * pictures that costs up to four points of the score, so nine weights that come to the same filter would not do. Like the
 * reference, it fuses multiplication and addition; a processor that does not has a score about a point lower.
 */
import { VECTOR } from "./lines";

/** The sums of the samples so far before and behind the present one enter the recursion. */
export const BEHIND: i32 = 6;
export const AHEAD: i32 = 4;

/** The weight of a new sum in each of the three cosines, and twice the cosines. The third of them is 0. */
const IN1: f32 = 0.05529523640871048;
const IN3: f32 = -0.0588366873562336;
const IN5: f32 = 0.012955819256603718;
const TWICE1: f32 = 1.9021130800247192;
const TWICE3: f32 = 1.1755704879760742;

/** Lines of the state of the vertical recursion: the last and last but one value of each cosine. */
export const STATE_LINES: i32 = 6;

/**
 * Blurs every `step`-th vector of a line, beginning with the first. The line has zeros before and behind its vectors.
 * @param step bytes from one vector to the next
 */
export function blurAlong(line: usize, width: i32, step: usize, out: usize): void {
  let last1 = f32x4.splat(0);
  let last3 = last1;
  let last5 = last1;
  let before1 = last1;
  let before3 = last1;
  let before5 = last1;
  for (let n = -AHEAD; n < width; n++) {
    const ahead = v128.load(line + <usize>(n + AHEAD) * step);
    const behind = n >= BEHIND ? v128.load(line + <usize>(n - BEHIND) * step) : f32x4.splat(0);
    const sum = f32x4.add(behind, ahead);
    const one = f32x4.relaxed_madd(
      last1,
      f32x4.splat(TWICE1),
      f32x4.sub(f32x4.mul(sum, f32x4.splat(IN1)), before1),
    );
    const three = f32x4.relaxed_madd(
      last3,
      f32x4.splat(TWICE3),
      f32x4.sub(f32x4.mul(sum, f32x4.splat(IN3)), before3),
    );
    const five = f32x4.sub(f32x4.mul(sum, f32x4.splat(IN5)), before5);
    before1 = last1;
    before3 = last3;
    before5 = last5;
    last1 = one;
    last3 = three;
    last5 = five;
    if (n >= 0) v128.store(out + <usize>n * step, f32x4.add(f32x4.add(one, three), five));
  }
}

/** Computes the next value of a cosine, and keeps it in the place of the last but one. */
@inline
function nextOf(sum: v128, weight: f32, twice: f32, last: usize, before: usize): v128 {
  const past = f32x4.relaxed_madd(v128.load(last), f32x4.splat(-twice), v128.load(before));
  const value = f32x4.relaxed_madd(sum, f32x4.splat(weight), f32x4.neg(past));
  v128.store(before, value);
  return value;
}

/**
 * Takes the next line of the vertical recursion, and writes the line that is blurred by it.
 * @param behind, ahead the lines that enter
 * @param count bytes of a line
 * @param state STATE_LINES lines, `stride` bytes apart, that were zeros at first
 * @param isOdd whether this is the second, fourth or a later line of even number: lines take turns in the state
 */
export function blurDown(
  behind: usize,
  ahead: usize,
  count: usize,
  state: usize,
  stride: usize,
  isOdd: boolean,
  out: usize,
): void {
  const last = state + (isOdd ? 3 * stride : 0);
  const before = state + (isOdd ? 0 : 3 * stride);
  for (let at: usize = 0; at < count; at += VECTOR) {
    const sum = f32x4.add(v128.load(behind + at), v128.load(ahead + at));
    const one = nextOf(sum, IN1, TWICE1, last + at, before + at);
    const three = nextOf(sum, IN3, TWICE3, last + stride + at, before + stride + at);
    const five = nextOf(sum, IN5, 0, last + 2 * stride + at, before + 2 * stride + at);
    v128.store(out + at, f32x4.add(f32x4.add(one, three), five));
  }
}
