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
  Crop,
  FIT_REPEAT,
  FIT_RESAMPLE,
  FIT_TRIANGLE_H1V2,
  FIT_TRIANGLE_H2V1,
  FIT_TRIANGLE_H2V2,
  Frame,
  componentAt,
} from "./frame";
import { sampledLength } from "./frame";
import { allocateRows, firstRow, isTallTriangle, isWideTriangle, rowsEnd } from "./rows";
import { Orientation } from "./orient";

/** Returns the zigzag index of the last coefficient in the top left 1, 2, 4 or 8 rows and columns. */
function lastUsefulFor(log2Size: i32): i32 {
  return log2Size == 3 ? 63 : log2Size == 2 ? 24 : log2Size == 1 ? 4 : 0;
}

/**
 * Lays out the buffers for the crop, which is in pixels of the frame as transposed.
 * @returns false when the memory is at its end
 */
export function layOut(outWidth: i32, outHeight: i32, storage: i32): boolean {
  let fullSize = outWidth == Crop.width && outHeight == Crop.height;
  for (let i = 0; i < Frame.components; i++) fullSize = fullSize && componentAt(i).size == 8;
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    component.fit = fullSize ? fitAtFullSize(component) : FIT_RESAMPLE;
    measure(component);
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
    component.pixels = component.output + <usize>pixelsBefore(component) * sizeof<i16>();
    if (storage == STORE_COEFFICIENTS && !allocateCoefficients(component)) return false;
  }
  return allocateRows(outWidth, outHeight);
}

/** Computes which samples of the component, at its scale, the crop is made from, and which blocks contain them. */
function measure(component: Component): void {
  const size = component.size;
  component.log2Size = <i32>ctz(size);
  component.lastUseful = lastUsefulFor(component.log2Size);
  const width = sampledLength(Frame.width, component.h * size, 8 * Frame.maxH);
  const height = sampledLength(Frame.height, component.v * size, 8 * Frame.maxV);
  // The triangle filters read one sample on each side.
  const across = isWideTriangle(component.fit) ? 1 : 0;
  const down = isTallTriangle(component.fit) ? 1 : 0;
  const h = component.h * size;
  const v = component.v * size;
  const left = max<i32>((Crop.left * h) / (8 * Frame.maxH) - across, 0);
  const right = min<i32>(sampledLength(Crop.left + Crop.width, h, 8 * Frame.maxH) + across, width);
  component.top = max<i32>((Crop.top * v) / (8 * Frame.maxV) - down, 0);
  component.bottom = min<i32>(sampledLength(Crop.top + Crop.height, v, 8 * Frame.maxV) + down, height);
  component.firstColumn = (left / h) * component.h;
  component.columns = sampledLength(right, 1, h) * component.h - component.firstColumn;
  component.firstRow = (component.top / v) * component.v;
  component.rows = sampledLength(component.bottom, 1, v) * component.v - component.firstRow;
  component.left = left - component.firstColumn * size;
  component.width = right - left;
  component.stride = ((component.columns * size + 15) & ~15) + ROW_PADDING;
  component.bandRows = v;
  component.paddedHeight = Frame.mcusHigh * component.bandRows;
  component.coefficientBytes = size * size * <i32>sizeof<i16>();
}

/** Returns how many of the samples that are doubled across lie before the crop's first pixel. */
function pixelsBefore(component: Component): i32 {
  if (!isWideTriangle(component.fit)) return 0;
  return Crop.left - 2 * (component.firstColumn * component.size + component.left);
}

/**
 * Returns the upsampling that libjpeg uses for this ratio (jdsample.c): "fancy" for 2:1, repetition for other whole
 * ratios.
 */
function fitAtFullSize(component: Component): i32 {
  const h = component.h;
  const v = component.v;
  if (h == Frame.maxH && v == Frame.maxV) return FIT_RESAMPLE;
  const twiceWide = h * 2 == Frame.maxH;
  const twiceHigh = v * 2 == Frame.maxV;
  const isWide = sampledLength(Frame.width, h, Frame.maxH) > 2;
  if (h == Frame.maxH && twiceHigh) return FIT_TRIANGLE_H1V2;
  if (twiceWide && v == Frame.maxV && isWide) return FIT_TRIANGLE_H2V1;
  if (twiceWide && twiceHigh && isWide) return FIT_TRIANGLE_H2V2;
  return Frame.maxH % h == 0 && Frame.maxV % v == 0 ? FIT_REPEAT : FIT_RESAMPLE;
}

/** Returns the input samples per output sample along one axis. */
function stepFor(length: i32, factor: i32, maximum: i32, size: i32, outLength: i32): f64 {
  return <f64>(length * factor * size) / <f64>(8 * maximum) / <f64>outLength;
}

/** Returns where in the component's first sample the crop begins, from 0 to below 1. */
function phaseOf(start: i32, factor: i32, maximum: i32, size: i32): f64 {
  return <f64>((start * factor * size) % (8 * maximum)) / <f64>(8 * maximum);
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
      const size = component.size;
      const across = stepFor(Crop.width, component.h, Frame.maxH, size, outWidth);
      const down = stepFor(Crop.height, component.v, Frame.maxV, size, outHeight);
      const phaseX = phaseOf(Crop.left, component.h, Frame.maxH, size);
      const phaseY = phaseOf(Crop.top, component.v, Frame.maxV, size);
      const rows = component.bottom - component.top;
      if (!buildFilterBank(horizontal, outWidth, component.width, across, phaseX, HORIZONTAL_TAP_MULTIPLE))
        return false;
      if (!buildFilterBank(vertical, outHeight, rows, down, phaseY, VERTICAL_TAP_MULTIPLE)) return false;
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
    component.ringRows = storage == STORE_PLANES ? component.rows * component.size : component.bandRows;
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

/** Stores the coefficients of the crop. Of blocks outside of it, refinement needs to know which are not zero. */
function allocateCoefficients(component: Component): boolean {
  component.coefficients = allocate(
    <u64>component.columns * <u64>component.rows * <u64>component.coefficientBytes,
  );
  if (!component.coefficients) return false;
  if (component.size == 1) return true;
  const blocks = <u64>component.paddedBlocksWide * <u64>(Frame.mcusHigh * component.v);
  component.history = allocate(blocks * sizeof<u64>());
  return component.history != 0;
}
