/** Blends a row with white by its alpha. `channels` counts alpha; the output has one fewer. `out` may be `row`. */
export function flattenOnWhite(row: usize, width: i32, channels: i32, out: usize): void {
  const colours = channels - 1;
  for (let x = 0; x < width; x++) {
    const alpha = <u32>load<u8>(row + colours);
    for (let c = 0; c < colours; c++) {
      const sum = <u32>load<u8>(row + c) * alpha + 255 * (255 - alpha) + 128;
      store<u8>(out++, <u8>((sum + (sum >> 8)) >> 8));
    }
    row += channels;
  }
}
