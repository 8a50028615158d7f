/** Returns the base-2 logarithm of a positive number, in a parabola between powers of two: within 0.01 of it. */
@inline
export function log2(value: f32): f32 {
  const bits = reinterpret<u32>(value);
  const fraction = <f32>(bits & 0x7fffff) * <f32>(1.0 / 8388608.0);
  return <f32>(<i32>(bits >> 23) - 127) + fraction * (<f32>1.344 - <f32>0.344 * fraction);
}
