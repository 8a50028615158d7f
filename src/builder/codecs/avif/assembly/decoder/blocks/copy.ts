/** Intra block copy (AV1 specification section 7.11.3, for vectors of whole samples of luma). */
import { bandAddress, bandStride, planeSubX, planeSubY } from "../planes";
import { motionColumn, motionRow } from "./motion";
import { blockColumn, hasChroma, high, sbRow, wide } from "./position";

/** Copies rows of `columns` samples, or means of two samples beside or below each other, or of four. */
function copyPlane(
  to: usize,
  from: usize,
  stride: usize,
  columns: i32,
  rows: i32,
  isBetweenColumns: boolean,
  isBetweenRows: boolean,
): void {
  const two = i16x8.splat(2);
  for (let y = 0; y < rows; y++, to += stride, from += stride) {
    for (let x: usize = 0; x < (<usize>columns) << 1; x += 16) {
      const at = from + x;
      let values = v128.load(at);
      if (isBetweenColumns && isBetweenRows) {
        const upper = i16x8.add(values, v128.load(at, 2));
        const lower = i16x8.add(v128.load(at + stride), v128.load(at + stride, 2));
        values = i16x8.shr_u(i16x8.add(i16x8.add(upper, lower), two), 2);
      } else if (isBetweenColumns) values = i16x8.avgr_u(values, v128.load(at, 2));
      else if (isBetweenRows) values = i16x8.avgr_u(values, v128.load(at + stride));
      if (columns == 4) v128.store64_lane(to, values, 0);
      else v128.store(to + x, values);
    }
  }
}

/** Predicts all planes of the block from samples of its tile. */
export function copyBlock(): void {
  const planes = hasChroma ? 3 : 1;
  for (let plane = 0; plane < planes; plane++) {
    const shiftX = planeSubX(plane);
    const shiftY = planeSubY(plane);
    const stride = bandStride(plane);
    const column = (blockColumn >> shiftX) << 2;
    const row = (sbRow >> shiftY) << 2;
    const columns = max((wide << 2) >> shiftX, 4);
    const rows = max((high << 2) >> shiftY, 4);
    const to = bandAddress(plane) + <usize>row * stride + ((<usize>column) << 1);
    const away = <isize>(motionRow >> shiftY) * <isize>stride + ((<isize>(motionColumn >> shiftX)) << 1);
    const isBetweenColumns = (motionColumn & shiftX) != 0;
    copyPlane(to, to + away, stride, columns, rows, isBetweenColumns, (motionRow & shiftY) != 0);
  }
}
