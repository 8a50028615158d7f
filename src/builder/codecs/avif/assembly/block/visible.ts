/** Alpha of the picture whose colour is coded, and averages of what is visible. */

/** The sum of four opaque samples. */
const OPAQUE: u32 = 4 * 255;

/** Alpha of the row of superblocks, in rows as long as those of the picture; 0 when the picture has none. */
export let alpha: usize = 0;

export function setAlpha(at: usize): void {
  alpha = at;
}

@inline
export function hasAlpha(): boolean {
  return alpha != 0;
}

/**
 * Averages two rows of chroma to one of half the width, by alpha of the rows `first` and `second`, so that colours that
 * are hidden do not reach the edges of shapes. Where all is opaque, it rounds as `halveRows` does.
 */
export function halveVisible(
  upper: usize,
  lower: usize,
  first: usize,
  second: usize,
  width: i32,
  out: usize,
): void {
  for (let x: usize = 0; x < <usize>width; x += 2) {
    let a = <u32>load<u8>(first + x);
    let b = <u32>load<u8>(first + x, 1);
    let c = <u32>load<u8>(second + x);
    let d = <u32>load<u8>(second + x, 1);
    let whole = a + b + c + d;
    let bias = whole >> 1;
    if (whole == 0 || whole == OPAQUE) {
      a = b = c = d = 1;
      whole = 4;
      bias = 1 + (((<u32>x) >> 1) & 1);
    }
    const sum =
      a * load<u8>(upper + x) +
      b * load<u8>(upper + x, 1) +
      c * load<u8>(lower + x) +
      d * load<u8>(lower + x, 1);
    store<u8>(out + (x >> 1), (sum + bias) / whole);
  }
}
