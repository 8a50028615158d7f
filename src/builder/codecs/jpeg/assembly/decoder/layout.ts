/**
 * Allocates the buffers of one decode for the sizes that the caller chose. src/image/formats/jpeg/decoder-memory.ts
 * predicts the sum of their bytes. Change both together; a test compares them.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { buildFilterBank } from "../../../../pixels/assembly/shared/lanczos";
import { STORE_COEFFICIENTS, STORE_PLANES } from "../../../../../image/formats/jpeg/decoder-constants";
import {
  HORIZONTAL_TAP_MULTIPLE,
  ROW_PADDING,
  VERTICAL_TAP_MULTIPLE,
} from "../../../../../image/memory/filter-constants";
import {
  Component,
  FIT_REPEAT,
  FIT_RESAMPLE,
  FIT_TRIANGLE_H1V2,
  FIT_TRIANGLE_H2V1,
  FIT_TRIANGLE_H2V2,
  Frame,
  componentAt,
} from "./frame";
import { sampledLength } from "./frame";
import { allocateRows, firstRow, rowsEnd } from "./rows";
import { Orientation } from "./orient";

/** Zigzag index of the last coefficient in the top left 1, 2, 4 or 8 rows and columns. */
function lastUsefulFor(log2Size: i32): i32 {
  return log2Size == 3 ? 63 : log2Size == 2 ? 24 : log2Size == 1 ? 4 : 0;
}

/** @returns false when the memory is at its end */
export function layOut(outWidth: i32, outHeight: i32, storage: i32): boolean {
  let fullSize = outWidth == Frame.width && outHeight == Frame.height;
  for (let i = 0; i < Frame.components; i++) fullSize = fullSize && componentAt(i).size == 8;
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    measure(component);
    component.fit = fullSize ? fitAtFullSize(component) : FIT_RESAMPLE;
    if (!layOutFilters(component, i, outWidth, outHeight)) return false;
  }
  sizeRings(outHeight, storage);
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    component.samples = allocate(<u64>component.stride * <u64>component.ringRows + ROW_PADDING);
    const lineSamples = component.stride + component.horizontal.taps + 2 * ROW_PADDING;
    component.line = allocate(<u64>lineSamples * sizeof<i16>());
    component.output = allocate(<u64>(outWidth + 2 * ROW_PADDING) * sizeof<i16>());
    if (!component.samples || !component.line || !component.output) return false;
    if (storage == STORE_COEFFICIENTS && !allocateCoefficients(component)) return false;
  }
  return allocateRows(outWidth, outHeight);
}

/** Computes the size of the component's picture at its scale. */
function measure(component: Component): void {
  const size = component.size;
  component.log2Size = <i32>ctz(size);
  component.lastUseful = lastUsefulFor(component.log2Size);
  component.width = sampledLength(Frame.width, component.h * size, 8 * Frame.maxH);
  component.height = sampledLength(Frame.height, component.v * size, 8 * Frame.maxV);
  component.stride = ((component.paddedBlocksWide * size + 15) & ~15) + ROW_PADDING;
  component.bandRows = component.v * size;
  component.paddedHeight = Frame.mcusHigh * component.bandRows;
  component.coefficientBytes = size * size * <i32>sizeof<i16>();
}

/** The upsampling that libjpeg uses for this ratio (jdsample.c): "fancy" for 2:1, repetition for other whole ratios. */
function fitAtFullSize(component: Component): i32 {
  const h = component.h;
  const v = component.v;
  if (h == Frame.maxH && v == Frame.maxV) return FIT_RESAMPLE;
  const twiceWide = h * 2 == Frame.maxH;
  const twiceHigh = v * 2 == Frame.maxV;
  if (h == Frame.maxH && twiceHigh) return FIT_TRIANGLE_H1V2;
  if (twiceWide && v == Frame.maxV && component.width > 2) return FIT_TRIANGLE_H2V1;
  if (twiceWide && twiceHigh && component.width > 2) return FIT_TRIANGLE_H2V2;
  return Frame.maxH % h == 0 && Frame.maxV % v == 0 ? FIT_REPEAT : FIT_RESAMPLE;
}

/** Input samples per output sample along one axis. */
function stepFor(length: i32, factor: i32, maximum: i32, size: i32, outLength: i32): f64 {
  return <f64>(length * factor * size) / <f64>(8 * maximum) / <f64>outLength;
}

/** Computes the filter weights, or shares those of an earlier component of the same shape. */
function layOutFilters(component: Component, index: i32, outWidth: i32, outHeight: i32): boolean {
  const horizontal = component.horizontal;
  const vertical = component.vertical;
  horizontal.taps = 1;
  vertical.taps = 1;
  if (component.fit == FIT_RESAMPLE) {
    const twin = findTwin(component, index);
    if (twin) {
      horizontal.taps = twin.horizontal.taps;
      horizontal.starts = twin.horizontal.starts;
      horizontal.weights = twin.horizontal.weights;
      vertical.taps = twin.vertical.taps;
      vertical.starts = twin.vertical.starts;
      vertical.weights = twin.vertical.weights;
    } else {
      const across = stepFor(Frame.width, component.h, Frame.maxH, component.size, outWidth);
      const down = stepFor(Frame.height, component.v, Frame.maxV, component.size, outHeight);
      if (!buildFilterBank(horizontal, outWidth, component.width, across, HORIZONTAL_TAP_MULTIPLE))
        return false;
      if (!buildFilterBank(vertical, outHeight, component.height, down, VERTICAL_TAP_MULTIPLE)) return false;
    }
  }
  component.rowList = allocate(<u64>(vertical.taps + 2) * sizeof<usize>());
  return component.rowList != 0;
}

function findTwin(component: Component, index: i32): Component | null {
  for (let i = 0; i < index; i++) {
    const other = componentAt(i);
    const alike =
      other.h * other.size == component.h * component.size &&
      other.v * other.size == component.v * component.size;
    if (alike && other.fit == FIT_RESAMPLE) return other;
  }
  return null;
}

/**
 * Finds how many rows each ring must hold, by simulating the output. When a row is written, every component has been
 * decoded as far as the farthest-reaching filter of all components needs, and its ring must still hold the first row of
 * its own filter. When rows are written upwards, last and first change places.
 */
function sizeRings(outHeight: i32, storage: i32): void {
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    component.ringRows = storage == STORE_PLANES ? component.paddedHeight : component.bandRows;
  }
  if (storage == STORE_PLANES) return;
  for (let y = 0; y < outHeight; y++) {
    let bands = 1;
    let skipped = Frame.mcusHigh - 1;
    for (let i = 0; i < Frame.components; i++) {
      const component = componentAt(i);
      bands = max<i32>(bands, sampledLength(rowsEnd(component, y), 1, component.bandRows));
      skipped = min<i32>(skipped, firstRow(component, y) / component.bandRows);
    }
    for (let i = 0; i < Frame.components; i++) {
      const component = componentAt(i);
      const band = component.bandRows;
      const rows = Orientation.upwards
        ? rowsEnd(component, y) - skipped * band
        : bands * band - firstRow(component, y);
      const held = sampledLength(rows, 1, band) * band;
      component.ringRows = max<i32>(component.ringRows, held);
    }
  }
}

function allocateCoefficients(component: Component): boolean {
  const blocks = <u64>component.paddedBlocksWide * <u64>(Frame.mcusHigh * component.v);
  component.coefficients = allocate(blocks * <u64>component.coefficientBytes);
  if (!component.coefficients) return false;
  if (component.size == 1) return true;
  component.history = allocate(blocks * sizeof<u64>());
  return component.history != 0;
}
