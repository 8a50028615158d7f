/** The steps of the quantisers (RFC 6386, 9.6 and 14.1). */
import { COEFFICIENT_BYTES } from "../../shared/inverse-transform";
import { AC_STEPS, DC_STEPS } from "../../shared/steps";

/** The largest level that is used. The last category could code more: it has 11 extra bits from 67 on (13.2). */
export const MOST_LEVEL: i16 = 2047;
export const INVERSE_BITS: i32 = 17;

// A quantiser: 16 steps in rows, then their inverses (u16 each).
export const INVERSES: usize = COEFFICIENT_BYTES;
export const QUANTISER_BYTES: usize = 2 * COEFFICIENT_BYTES;

/**
 * By how much other quantiser indices differ from that of luma's AC coefficients (9.6): luma's DC, the second order's
 * DC and AC, chroma's DC and AC. Errors of low frequencies are the most visible, those in fine detail of colour the
 * least.
 */
export const DELTAS = 5;
const COMMON = memory.data<i8>([-8, 0, -4, -4, 3]);
/** The differences at the highest quality, at which colour gets the finest steps. */
const FINEST = memory.data<i8>([-8, 0, -4, -4, 0]);
let deltas: usize = COMMON;

/** Chooses the deltas of quantisers. Must be called before they are prepared. */
export function chooseDeltas(isFinest: boolean): void {
  deltas = isFinest ? FINEST : COMMON;
}

export function indexDelta(i: i32): i32 {
  return load<i8>(deltas + i);
}

@inline
function stepOf(table: usize, index: i32): i32 {
  return load<u16>(table + ((<usize>max(0, min(127, index))) << 1));
}

function prepare(quantiser: usize, dcStep: i32, acStep: i32): void {
  for (let i: usize = 0; i < 16; i++) {
    const step = i == 0 ? dcStep : acStep;
    store<u16>(quantiser + (i << 1), <u16>step);
    store<u16>(quantiser + (i << 1) + INVERSES, <u16>(<i32>(1 << INVERSE_BITS) / step));
  }
}

/** Sets the steps of luma, of its second order and of chroma. @returns the step of luma's AC coefficients */
export function prepareQuantisers(index: i32, luma: usize, second: usize, chroma: usize): i32 {
  const ac = stepOf(AC_STEPS, index);
  const secondAc = (stepOf(AC_STEPS, index + indexDelta(2)) * 155) / 100;
  prepare(luma, stepOf(DC_STEPS, index + indexDelta(0)), ac);
  prepare(second, 2 * stepOf(DC_STEPS, index + indexDelta(1)), max(secondAc, 8));
  prepare(chroma, min(stepOf(DC_STEPS, index + indexDelta(3)), 132), stepOf(AC_STEPS, index + indexDelta(4)));
  return ac;
}
