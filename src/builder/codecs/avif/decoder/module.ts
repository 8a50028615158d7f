/** The WebAssembly module that decodes AV1 still pictures (assembly/decoder/index.ts), and the interface of its exports. */
import { PAGE_BYTES } from "../../../../image/memory/pages.ts";
import module from "../../../wasm/av1-decoder.wasm";
import { FAULT_OUT_OF_MEMORY } from "../decoder-status.ts";
import { faultOf } from "./errors.ts";

/** Pages of memory that the module's own tables take. */
const TABLE_PAGES = 6;

export interface Av1DecoderExports {
  allocateItem(bytes: number): number;
  startAt(address: number): boolean;
  begin(
    configuration: number,
    configurationBytes: number,
    address: number,
    bytes: number,
    operatingPoint: number,
    layer: number,
  ): number;
  layOutBytes(): number;
  layOut(): number;
  decodeRow(): number;
  mostRows(): number;
  rowsLeft(): number;
  rowsAddress(plane: number): number;
  rowsStride(plane: number): number;
  width(): number;
  height(): number;
  bitDepth(): number;
  planes(): number;
  chromaShiftX(): number;
  chromaShiftY(): number;
  matrix(): number;
  fullRange(): number;
  layOutRgb(
    width: number,
    heldRows: number,
    planes: number,
    chromaShiftX: number,
    chromaShiftY: number,
    hasAlpha: number,
    isPremultiplied: number,
    outRows: number,
    outColumns: number,
  ): number;
  bandRow(plane: number, row: number): number;
  setFactor(index: number, value: number): void;
  convertRows(
    row: number,
    count: number,
    firstColumn: number,
    columns: number,
    lastChromaRow: number,
    isTop: number,
  ): number;
  highWater(): number;
}

/** Returns an instance on a memory, which must be filled with zeros. */
export function newAv1Decoder(memory: WebAssembly.Memory): Av1DecoderExports {
  const abort = (): never => {
    throw faultOf(FAULT_OUT_OF_MEMORY);
  };
  const missing = TABLE_PAGES - memory.buffer.byteLength / PAGE_BYTES;
  if (missing > 0) memory.grow(missing);
  return new WebAssembly.Instance(module, { env: { memory, abort } }).exports as unknown as Av1DecoderExports;
}
