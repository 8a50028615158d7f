/** Returns the number of bytes that agree, up to `most`, of which `known` are known to. */
@inline
export function commonBytes(a: usize, b: usize, known: i32, most: i32): i32 {
  for (let i = known; i < most; i += 8) {
    const difference = load<u64>(a + <usize>i) ^ load<u64>(b + <usize>i);
    if (difference) return min(i + <i32>(ctz(difference) >> 3), most);
  }
  return most;
}
