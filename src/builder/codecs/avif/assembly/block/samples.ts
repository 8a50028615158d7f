/** Samples of a block as a decoder has them: the prediction, and the residue that was coded. */
import { PREDICTION_STRIDE } from "../predict/edges";
import { strideOf } from "../transform/transform";

/** Writes the samples of a block of 1 << wide by 1 << high. @param residue of i16; 0 where there is none */
export function paintSamples(
  to: usize,
  rowBytes: usize,
  prediction: usize,
  residue: usize,
  wide: i32,
  high: i32,
): void {
  const stride = (<usize>strideOf(wide)) << 1;
  for (let row: usize = 0; row < (<usize>1) << high; row++) {
    for (let column: usize = 0; column < (<usize>1) << wide; column += 8) {
      let samples = v128.load64_zero(prediction + row * PREDICTION_STRIDE + column);
      if (residue) {
        const sum = i16x8.add_sat_s(
          i16x8.extend_low_i8x16_u(samples),
          v128.load(residue + row * stride + (column << 1)),
        );
        samples = i8x16.narrow_i16x8_u(sum, sum);
      }
      const at = to + row * rowBytes + column;
      if (wide == 2) v128.store32_lane(at, samples, 0);
      else v128.store64_lane(at, samples, 0);
    }
  }
}
