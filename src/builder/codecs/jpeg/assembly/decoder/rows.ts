/** Makes finished rows from decoded samples: each component is resampled or upsampled, then colours are converted. */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { blendRows, resampleLine, widenRow } from "../../../../pixels/assembly/shared/resample-row";
import { bytesPerPixel, colourOf, convertRow } from "./colour";
import {
  Component,
  Crop,
  FIT_REPEAT,
  FIT_RESAMPLE,
  FIT_TRIANGLE_H1V2,
  FIT_TRIANGLE_H2V1,
  FIT_TRIANGLE_H2V2,
  Frame,
  componentAt,
} from "./frame";
import { BATCH_BYTES, MAX_BATCH_ROWS, ROW_SLACK } from "../../../../../image/formats/jpeg/decoder-constants";
import { Work } from "./status";
import { Orientation, mirrorLine } from "./orient";
import { doubleAcross, mixVertically, repeatSamples, widenEdges } from "./upsample";

export abstract class Rows {
  static outWidth: i32 = 0;
  static outHeight: i32 = 0;
  /** Number of output rows written so far. */
  static written: i32 = 0;
  static batch: usize = 0;
  static batchRows: i32 = 0;
  static rowBytes: i32 = 0;
}

export function allocateRows(outWidth: i32, outHeight: i32): boolean {
  Rows.outWidth = outWidth;
  Rows.outHeight = outHeight;
  Rows.rowBytes = outWidth * bytesPerPixel(colourOf());
  Rows.batchRows = max<i32>(1, min<i32>(min<i32>(MAX_BATCH_ROWS, outHeight), BATCH_BYTES / Rows.rowBytes));
  Rows.batch = allocate(<u64>Rows.batchRows * <u64>Rows.rowBytes + ROW_SLACK);
  return Rows.batch != 0;
}

/** Returns the component's row at the place of output row `y`, in a full-size decode. */
function sourceRow(component: Component, y: i32): i32 {
  return ((Crop.top + y) * component.v) / Frame.maxV;
}

export function isTallTriangle(fit: i32): boolean {
  return fit == FIT_TRIANGLE_H1V2 || fit == FIT_TRIANGLE_H2V2;
}
export function isWideTriangle(fit: i32): boolean {
  return fit == FIT_TRIANGLE_H2V1 || fit == FIT_TRIANGLE_H2V2;
}

/** Returns the first sample row that output row `y` is made from, counted in the whole picture. */
export function firstRow(component: Component, y: i32): i32 {
  if (component.fit == FIT_RESAMPLE)
    return component.top + load<i32>(component.vertical.starts + ((<usize>y) << 2));
  const row = sourceRow(component, y);
  return isTallTriangle(component.fit) ? max<i32>(row - 1, 0) : row;
}

/** Returns the end (exclusive) of the sample rows that output row `y` is made from. */
export function rowsEnd(component: Component, y: i32): i32 {
  if (component.fit == FIT_RESAMPLE) {
    return min<i32>(firstRow(component, y) + component.vertical.taps, component.bottom);
  }
  const row = sourceRow(component, y);
  return isTallTriangle(component.fit) ? min<i32>(row + 2, component.bottom) : row + 1;
}

/** Returns the output row that is written next, counted from the top of the picture as decoded. */
function nextRow(): i32 {
  return Orientation.upwards ? Rows.outHeight - 1 - Rows.written : Rows.written;
}

/** Returns whether the last output row is written: the rest of the file is not needed. */
export function areAllWritten(): boolean {
  return Rows.outHeight > 0 && Rows.written >= Rows.outHeight;
}

/** Returns whether every component has the samples of the next output row. */
export function isRowReady(): boolean {
  if (Rows.written >= Rows.outHeight) return false;
  const y = nextRow();
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    const needed = Orientation.upwards
      ? component.paddedHeight - firstRow(component, y)
      : rowsEnd(component, y);
    if (component.rowsDone < needed) return false;
  }
  return true;
}

/** Writes the rows that are ready to the batch, up to its capacity. @returns how many */
export function writeRows(): i32 {
  const colour = colourOf();
  let rows = 0;
  for (; rows < Rows.batchRows && isRowReady(); rows++, Rows.written++) {
    const y = nextRow();
    for (let i = 0; i < Frame.components; i++) {
      writeComponent(componentAt(i), y);
      if (Orientation.mirrored) mirrorLine(componentAt(i).pixels, Rows.outWidth);
    }
    convertRow(colour, Rows.outWidth, Rows.batch + <usize>rows * <usize>Rows.rowBytes);
  }
  return rows;
}

/** Returns the address of the first used sample of a row. Beyond the crop, it is that of the first or last row. */
function rowAt(component: Component, row: i32): usize {
  const clamped = min<i32>(max<i32>(row, component.top), component.bottom - 1);
  const ringRow = <usize>(clamped % component.ringRows);
  return component.samples + ringRow * <usize>component.stride + <usize>component.left;
}

/** Computes the component's line at the output size, from `component.pixels` on. */
function writeComponent(component: Component, y: i32): void {
  const width = component.width;
  const fit = component.fit;
  if (fit == FIT_RESAMPLE) return resample(component, y);
  const row = sourceRow(component, y);
  const current = rowAt(component, row);
  const output = component.output;
  if (fit == FIT_REPEAT) {
    const times = Frame.maxH / component.h;
    repeatSamples(current, times, Crop.left % times, Rows.outWidth, output);
  } else if (fit == FIT_TRIANGLE_H2V1) {
    widenEdges(current, current, false, width, component.line);
    doubleAcross(component.line, width, false, output);
  } else {
    // The nearer neighbour is above for the upper of the two rows, below for the lower one.
    const lower = (Crop.top + y) & 1;
    const neighbour = rowAt(component, lower ? row + 1 : row - 1);
    if (fit == FIT_TRIANGLE_H1V2) {
      mixVertically(current, neighbour, lower ? 2 : 1, width, output);
    } else {
      widenEdges(current, neighbour, true, width, component.line);
      doubleAcross(component.line, width, true, output);
    }
  }
  Work.units += (<u64>Rows.outWidth) >> 2;
}

function resample(component: Component, y: i32): void {
  const vertical = component.vertical;
  const horizontal = component.horizontal;
  // A filter with one tap keeps the length, so the samples are only copied.
  const line = horizontal.taps == 1 ? component.output : component.line;
  const start = firstRow(component, y);
  if (vertical.taps == 1) {
    widenRow(rowAt(component, start), component.width, line);
  } else {
    const list = component.rowList;
    for (let t = 0; t < vertical.taps; t++)
      store<usize>(list + ((<usize>t) << 2), rowAt(component, start + t));
    const weights = vertical.weights + <usize>(y * vertical.taps) * sizeof<i16>();
    blendRows(list, vertical.taps, weights, component.width, line);
  }
  if (horizontal.taps > 1) {
    resampleLine(
      line,
      horizontal.starts,
      horizontal.weights,
      horizontal.taps,
      Rows.outWidth,
      component.output,
    );
  }
  Work.units += (<u64>(component.width * vertical.taps + Rows.outWidth * horizontal.taps)) >> 3;
}
