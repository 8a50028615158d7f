/**
 * The colours in which SSIMULACRA 2 compares pictures: XYB (JPEG XL), moved so that all values are positive. X is red
 * against green, Y is brightness, B is blue against brightness.
 */
import { closeLine, LANES } from "./lines";

export const X: i32 = 0;
export const Y: i32 = 1;
export const B: i32 = 2;

const BIAS: f32 = 0.0037930732552754493;
/** The cube root of the bias. */
const BIAS_ROOT: f32 = 0.1559542025327239;
/** A third of a float's bits, added to this, are those of about its cube root. */
const ROOT_BITS: i32 = 709958130;

/** Returns the cube roots of four positive numbers: an estimate from their exponents, and two steps of Halley. */
@inline
function cubeRoot(x: v128): v128 {
  const third = f32x4.mul(f32x4.convert_i32x4_s(x), f32x4.splat(<f32>(1.0 / 3.0)));
  let root = i32x4.add(i32x4.trunc_sat_f32x4_s(third), i32x4.splat(ROOT_BITS));
  for (let i = 0; i < 2; i++) {
    const cube = f32x4.mul(f32x4.mul(root, root), root);
    const above = f32x4.add(f32x4.add(x, x), cube);
    const below = f32x4.add(x, f32x4.add(cube, cube));
    root = f32x4.div(f32x4.mul(root, above), below);
  }
  return root;
}

/** Returns the response of a cone to linear light. */
@inline
function response(red: v128, green: v128, blue: v128, r: f32, g: f32, b: f32): v128 {
  const mixed = f32x4.add(
    f32x4.add(f32x4.mul(red, f32x4.splat(r)), f32x4.mul(green, f32x4.splat(g))),
    f32x4.add(f32x4.mul(blue, f32x4.splat(b)), f32x4.splat(BIAS)),
  );
  return f32x4.sub(cubeRoot(mixed), f32x4.splat(BIAS_ROOT));
}

/**
 * Converts a line of linear light.
 * @param linear the first of three lines, red, green and blue, `stride` bytes apart
 * @param out the first of three lines, X, Y and B; those that are not among `channels` are not written
 * @param channels a bit for each of X, Y and B
 */
export function toOpsin(linear: usize, stride: usize, width: i32, channels: i32, out: usize): void {
  const hasBlue = (channels & (1 << B)) != 0;
  const hasX = (channels & (1 << X)) != 0;
  for (let x = 0; x < width; x += LANES) {
    const at = (<usize>x) << 2;
    const red = v128.load(linear + at);
    const green = v128.load(linear + stride + at);
    const blue = v128.load(linear + 2 * stride + at);
    const long = response(red, green, blue, 0.3, 0.622, 0.078);
    const middle = response(red, green, blue, 0.23, 0.692, 0.078);
    const y = f32x4.mul(f32x4.add(long, middle), f32x4.splat(0.5));
    v128.store(out + stride + at, f32x4.add(y, f32x4.splat(0.05)));
    if (hasX) {
      const difference = f32x4.mul(f32x4.sub(long, middle), f32x4.splat(0.5));
      v128.store(out + at, f32x4.add(difference, f32x4.splat(0.5)));
    }
    if (hasBlue) {
      const short = response(red, green, blue, 0.24342269, 0.20476745, 0.55180986);
      v128.store(out + 2 * stride + at, f32x4.add(f32x4.sub(short, y), f32x4.splat(1.1)));
    }
  }
  for (let c = 0; c < 3; c++) closeLine(out + <usize>c * stride, width);
}
