/** Encodes AVIF in rows, by the AV1 encoder of assembly/. It holds one row of superblocks, but not the picture. */
import { CHANNELS_OF, rowsPerBatch } from "../../../image/memory/rows.ts";
import type { RowAvifOptions } from "../../../image/formats/avif/encoder-options.ts";
import { wholePages } from "../../../image/memory/pages.ts";
import module from "../../wasm/av1-encoder.wasm";
import type { RowSource } from "../../pixels/row-source.ts";
import { RowMemoryError, RowShortageError } from "../../scheduling/row-errors.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import { frameHeader, sequenceHeader, type StillFrame } from "./av1-headers.ts";
import type { Av1Exports } from "./av1-module.ts";
import { type FrameSettings, frameSettings } from "./frame-settings.ts";
import { obuHead } from "./av1-obu.ts";
import { box, u16 } from "./boxes.ts";
import { stillHead } from "./still-writer.ts";

type Bytes = Uint8Array<ArrayBuffer>;
/** Returns a copy of a piece of the file, because the encoder reuses its memory. May throw. */
type Keep = (bytes: Uint8Array) => Bytes;

const SEQUENCE_HEADER = 1;
const FRAME = 6;
/** Work units per sample of luma. */
const WORK_PER_SAMPLE = 220;
/** Bytes of output that are kept at once, at least. */
const CHUNK_BYTES = 32_768;
/** Pages of memory that the module's own tables take. */
const TABLE_PAGES = 4;
const PAGE_BYTES = 65536;
const SUPERBLOCK_SAMPLES = 64 * 64;
/** Content of `colr`: sRGB in full range, with the matrix of BT.601 (ITU-T H.273). */
const NCLX = Uint8Array.from(box("nclx", u16(1), u16(13), u16(6), 0x80).slice(4));

/**
 * Encodes rows as an AVIF file without metadata, in pieces. Gray layouts have no chroma. Alpha is left out.
 *
 * @throws RowMemoryError when the memory is too small
 * @throws RowShortageError when the source ends early
 * @throws RangeError for CMYK, and for a picture that is too large for one tile
 */
export async function encodeAvifRows(
  workspace: RowWorkspace,
  source: RowSource,
  options: RowAvifOptions,
  keep: Keep = (bytes) => Uint8Array.from(bytes),
): Promise<Bytes[]> {
  const { width, height, layout } = source;
  if (layout === "cmyk") throw new RangeError("CMYK must be converted before it is encoded");
  const chroma = layout === "gray" || layout === "gray-alpha" ? "none" : options.chroma;
  const frame: StillFrame & FrameSettings = {
    width,
    height,
    chroma,
    ...frameSettings(options.baseIndex, chroma),
    ...(options.isFiltered === false ? { deblocking: 0 } : {}),
  };
  const header = frameHeader(frame);
  const tile = await encodeTile(workspace, source, frame, keep);
  const tileBytes = tile.reduce((sum, { length }) => sum + length, 0);
  const sequence = sequenceHeader(frame);
  const units = [
    Uint8Array.from(obuHead(SEQUENCE_HEADER, sequence.length)),
    sequence,
    Uint8Array.from(obuHead(FRAME, header.length + tileBytes)),
    header,
  ];
  const dataBytes = units.reduce((sum, { length }) => sum + length, tileBytes);
  const colour = {
    configuration: configurationOf(sequence, chroma),
    channels: chroma === "none" ? [8] : [8, 8, 8],
    dataBytes,
  };
  const head = stillHead({
    width,
    height,
    colour,
    alpha: null,
    nclx: NCLX,
    premultiplied: false,
    brands: [profileOf(colour.configuration)],
  });
  return [head, ...units, ...tile];
}

/** The MIAF profile of AVIF (AV1 Image File Format section 8): Baseline has the main profile, up to level 5.1. */
const profileOf = ([, profileAndLevel = 0]: Bytes): string => (profileAndLevel <= 13 ? "MA1B" : "MA1A");

/** Content of `av1C` (AV1-ISOBMFF section 2.3.3), without units in it. */
function configurationOf(sequence: Bytes, chroma: StillFrame["chroma"]): Bytes {
  const [first = 0, second = 0] = sequence;
  const level = ((first & 7) << 2) | (second >> 6);
  const flags = { "420": 0b0000_1100, "444": 0, none: 0b0001_1100 }[chroma];
  return Uint8Array.of(0x81, (first & 0xe0) | level, flags, 0);
}

async function encodeTile(
  { memory, work, counted }: RowWorkspace,
  source: RowSource,
  frame: StillFrame & FrameSettings,
  keepCopy: Keep,
): Promise<Bytes[]> {
  const { width, height, layout } = source;
  const { chroma, baseIndex, chromaDc, chromaAc, chromaWeight, matrix } = frame;
  const channels = CHANNELS_OF[layout];
  const rowBytes = width * channels;
  const stagedRows = rowsPerBatch(rowBytes, height);
  const missing = TABLE_PAGES - memory.buffer.byteLength / PAGE_BYTES;
  if (missing > 0) memory.grow(missing);
  const wasm = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Av1Exports;
  const [planes, shift] = [chroma === "none" ? 1 : 3, chroma === "444" ? 0 : 1];
  const isConfigured = wasm.configure(
    width,
    height,
    channels,
    stagedRows,
    planes,
    shift,
    baseIndex,
    chromaDc,
    chromaAc,
    chromaWeight,
    matrix,
  );
  if (!isConfigured) {
    throw new RowMemoryError("encode", `Encoding ${width} x ${height} as AVIF does not fit its memory`);
  }
  counted?.(wholePages(wasm.used()));
  const pieces: Bytes[] = [];
  const keep = (bytes: number): void => {
    pieces.push(keepCopy(new Uint8Array(memory.buffer, wasm.outputAddress(), bytes)));
    wasm.release();
  };
  const encode = async (): Promise<void> => {
    for (let bytes = wasm.encode(); bytes >= 0; bytes = wasm.encode()) {
      if (bytes > CHUNK_BYTES) keep(bytes);
      await work.spend(WORK_PER_SAMPLE * SUPERBLOCK_SAMPLES);
    }
  };
  for (let row = 0; row < height;) {
    const rows = await source.next();
    if (!rows) throw new RowShortageError("The picture to be encoded ended before its last row");
    row += rows.length / rowBytes;
    for (let at = 0; at < rows.length; at += stagedRows * rowBytes) {
      const part = rows.subarray(at, at + stagedRows * rowBytes);
      const count = part.length / rowBytes;
      new Uint8Array(memory.buffer, wasm.stagingAddress(), part.length).set(part);
      for (let done = wasm.push(0, count); done < count; done = wasm.push(done, count)) await encode();
    }
  }
  await encode();
  keep(wasm.finish());
  return pieces;
}
