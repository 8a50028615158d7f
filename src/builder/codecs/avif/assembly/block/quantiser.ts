/** The step sizes and weights of the superblock that is being coded. */
import { AC_STEPS, DC_STEPS } from "../tables/quantisers";

/** Error, in squares of samples, that a unit of cost is worth per square of the luma step in samples. */
const WEIGHT: f64 = 0.095 / 512;

let chromaDcDelta = 0;
let chromaAcDelta = 0;
const steps = memory.data(16, 16);
export let index = 0;
export let lambda: f32 = 0;
/** The weight of an error of chroma, by that of luma. */
export let chromaWeight: f32 = 1;

/** Sets the frame's offsets of chroma, and the weight of its errors. */
export function setChroma(dc: i32, ac: i32, weight: f32): void {
  chromaDcDelta = dc;
  chromaAcDelta = ac;
  chromaWeight = weight;
}

@inline
function clampIndex(value: i32): usize {
  return (<usize>max(0, min(255, value))) << 1;
}

/** Sets the quantiser index of what follows, 1 to 255. */
export function setQuantiser(value: i32): void {
  index = value;
  store<i32>(steps, load<u16>(DC_STEPS + clampIndex(value)));
  store<i32>(steps, load<u16>(AC_STEPS + clampIndex(value)), 4);
  store<i32>(steps, load<u16>(DC_STEPS + clampIndex(value + chromaDcDelta)), 8);
  store<i32>(steps, load<u16>(AC_STEPS + clampIndex(value + chromaAcDelta)), 12);
  // Steps are of coefficients at 8 times their orthonormal scale.
  const step = <f64>load<i32>(steps, 4) / 8;
  lambda = <f32>(WEIGHT * step * step);
}

@inline
export function dcStep(plane: i32): i32 {
  return load<i32>(steps + (plane > 0 ? 8 : 0));
}

@inline
export function acStep(plane: i32): i32 {
  return load<i32>(steps + (plane > 0 ? 8 : 0), 4);
}
