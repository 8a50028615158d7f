/**
 * The WebAssembly module for PNG (assembly/index.ts), and the interface of its exports. An instance serves one
 * picture.
 */
import { PNG_SCRATCH_BYTES } from "../../../image/formats/png/memory.ts";
import module from "../../wasm/png.wasm";

export interface PngModule {
  prepare(scratchBytes: number): number;
  scratchAddress(): number;
  crc(before: number, length: number): number;
  used(): number;
  configureDecoder(
    width: number,
    depth: number,
    colourType: number,
    channels: number,
    keyed: number,
    batchRows: number,
    pictureRows: number,
    parallelPasses: number,
  ): number;
  inputAddress(): number;
  inputCrc(before: number, length: number): number;
  addInput(bytes: number): void;
  endInput(): void;
  forkInflater(index: number): void;
  chooseInflater(index: number): void;
  inflate(wanted: number): number;
  isInflated(): number;
  takeCodesRead(): number;
  inflatedAddress(): number;
  readInflated(bytes: number): void;
  paletteAddress(): number;
  keyAddress(): number;
  pictureAddress(): number;
  rowsAddress(): number;
  startPass(columns: number, x: number, y: number, dx: number, dy: number): void;
  resumePass(index: number, columns: number, x: number, y: number, dx: number, dy: number): void;
  decode(rows: number): number;
  configureEncoder(
    width: number,
    channels: number,
    batchRows: number,
    idatDataBytes: number,
    mostHeldRows: number,
    isQuick: number,
  ): number;
  sourceAddress(): number;
  holdRows(rows: number): number;
  rowsHeld(): number;
  reduceRows(): number;
  takeHeldRows(first: number, rows: number): void;
  heldColours(): number;
  reducedColourType(): number;
  reducedBits(): number;
  entriesAddress(): number;
  alphasAddress(): number;
  alphaEntries(): number;
  filteredAddress(): number;
  filterRows(rows: number): number;
  addFiltered(bytes: number): void;
  deflateFiltered(isLast: number): number;
  idatBytes(): number;
  makeChunk(): number;
  chunkAddress(): number;
  takeIdat(): void;
}

/** Most compressed bytes that may be written at `inputAddress` at a time. */
export const INPUT_BYTES = 65_536;

export function instantiatePng(memory: WebAssembly.Memory): PngModule {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as PngModule;
}

/** Continues the CRC of a chunk (PNG specification, clause 5.5) over `bytes`; start with 0. */
export function crcOf(
  wasm: PngModule,
  memory: WebAssembly.Memory,
  bytes: Uint8Array,
  before: number,
): number {
  let crc = before;
  for (let at = 0; at < bytes.length; at += PNG_SCRATCH_BYTES) {
    const piece = bytes.subarray(at, at + PNG_SCRATCH_BYTES);
    new Uint8Array(memory.buffer, wasm.scratchAddress(), piece.length).set(piece);
    crc = wasm.crc(crc, piece.length) >>> 0;
  }
  return crc;
}

/** The first eight bytes of every PNG (clause 5.2). */
export const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
