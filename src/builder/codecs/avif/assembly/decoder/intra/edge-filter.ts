/** Filters and enlarges edges for predictions along a direction (AV1 specification sections 7.11.2.7 to 7.11.2.12). */
import { bitDepth } from "../headers/sequence";
import { above, left, padEdge } from "./edges";

const extended = memory.data((2 + 129 + 16) * 2, 16);
const filtered = memory.data((129 + 16) * 2, 16);
/** Intra_Edge_Kernel: the factor of both outer samples, of both inner ones, and of the middle one. */
const KERNELS = memory.data<u16>([0, 4, 8, 0, 5, 6, 2, 4, 4]);

/**
 * Returns the strength of the filter of an edge. @param total width and height of the block @param angle to the edge
 */
export function strengthOf(total: i32, isSmooth: boolean, angle: i32): i32 {
  const d = abs(angle);
  if (!isSmooth) {
    if (total <= 8) return i32(d >= 56);
    if (total <= 16) return i32(d >= 40);
    if (total <= 24) return d >= 32 ? 3 : d >= 16 ? 2 : i32(d >= 8);
    if (total <= 32) return d >= 32 ? 3 : d >= 4 ? 2 : 1;
    return 3;
  }
  if (total <= 8) return d >= 64 ? 2 : i32(d >= 40);
  if (total <= 16) return d >= 48 ? 2 : i32(d >= 20);
  if (total <= 24) return d >= 4 ? 3 : 0;
  return 3;
}

/** Returns whether an edge is enlarged to twice its samples. */
export function isEnlarged(total: i32, isSmooth: boolean, angle: i32): boolean {
  const d = abs(angle);
  if (d <= 0 || d >= 40) return false;
  return isSmooth ? total <= 8 : total <= 16;
}

/** Filters the samples of an edge from the first on. @param size samples with the corner, which is only read */
export function filterEdge(edge: usize, size: i32, strength: i32): void {
  if (strength == 0) return;
  const first = load<u16>(edge - 2);
  store<u16>(extended, first);
  store<u16>(extended, first, 2);
  const bytes = (<usize>size) << 1;
  memory.copy(extended + 4, edge - 2, bytes);
  const last = load<u16>(edge + bytes - 4);
  store<u16>(extended + 4 + bytes, last);
  store<u16>(extended + 4 + bytes, last, 2);
  const kernel = KERNELS + <usize>(strength - 1) * 6;
  const outer = v128.load16_splat(kernel);
  const inner = v128.load16_splat(kernel, 2);
  const middle = v128.load16_splat(kernel, 4);
  const half = i16x8.splat(8);
  // The first sample after the corner is the fourth of `extended`.
  for (let i: usize = 0; i < bytes - 2; i += 16) {
    const at = extended + i;
    const ends = i16x8.mul(i16x8.add(v128.load(at, 2), v128.load(at, 10)), outer);
    const sides = i16x8.mul(i16x8.add(v128.load(at, 4), v128.load(at, 8)), inner);
    const sum = i16x8.add(i16x8.add(ends, sides), i16x8.mul(v128.load(at, 6), middle));
    v128.store(filtered + i, i16x8.shr_u(i16x8.add(sum, half), 4));
  }
  memory.copy(edge, filtered, bytes - 2);
}

/** Filters the corner. */
export function filterCorner(): void {
  const sum = <i32>load<u16>(left) * 5 + <i32>load<u16>(above - 2) * 6 + <i32>load<u16>(above) * 5;
  const corner = <u16>((sum + 8) >> 4);
  store<u16>(above - 2, corner);
  store<u16>(left - 2, corner);
}

/** Puts a sample between each two of an edge. The corner moves to two places before the first. */
export function enlargeEdge(edge: usize, count: i32): void {
  const most = (1 << bitDepth) - 1;
  memory.copy(extended + 2, edge - 2, (<usize>(count + 1)) << 1);
  store<u16>(extended, load<u16>(extended, 2));
  store<u16>(extended + ((<usize>(count + 2)) << 1), load<u16>(extended + ((<usize>(count + 1)) << 1)));
  store<u16>(edge - 4, load<u16>(extended));
  for (let i: usize = 0; i < <usize>count; i++) {
    const at = extended + (i << 1);
    const near = <i32>load<u16>(at, 2) + <i32>load<u16>(at, 4);
    const sum = 9 * near - <i32>load<u16>(at) - <i32>load<u16>(at, 6);
    store<u16>(edge + (i << 2) - 2, min(max((sum + 8) >> 4, 0), most));
    store<u16>(edge + (i << 2), load<u16>(at, 4));
  }
  padEdge(edge, 2 * count - 1, 2 * count, load<u16>(edge + ((<usize>(2 * count - 2)) << 1)));
}
