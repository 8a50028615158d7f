/**
 * Encodes a picture of few colours without loss, once edges have been rounded: the data of a VP8L chunk (RFC 9649, 3).
 */
import type { WorkMeter } from "../../../scheduling/work-meter.ts";
import type { Size } from "../../../../image/geometry/size.ts";
import { webpBand } from "../../../../image/formats/webp/encoder-memory.ts";
import { colours, colourWalk } from "./alphabet.ts";
import { describeGroups, LEAST_TILE_BITS, placeCodes } from "./group-codes.ts";
import type { WebpExports } from "../module.ts";
import { BitWriter, prefixCodes, putBestCode, putZeroCode } from "./prefix-code.ts";
import { putColourImage, putImage } from "./small-image.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const SIGNATURE = 0x2f;
const SIDE_BITS = 14;
/** Transforms (3.5). */
const PREDICTOR = 0;
const CROSS = 1;
const SUBTRACT_GREEN = 2;
const PALETTE = 3;
/** An answer of `codeLossless` (assembly/encoder/lossless/lossless-tokens.ts). */
const CODED = 1;
const GIVEN_UP = 2;
/** Symbols of green, with those of lengths, in the image of the palette. */
const GREEN_SYMBOLS = 280;
/** Work units of one step over a band of rows, and per byte that is written. */
const WORK_PER_STEP = 8_000_000;
const WORK_PER_BYTE_OUT = 20;

export interface Coder {
  readonly memory: WebAssembly.Memory;
  readonly wasm: WebpExports;
  readonly meter: WorkMeter;
  /** Copies the codec's output. */
  readonly keep: (bytes: Uint8Array) => Bytes;
}

/** Returns the data of the chunk; null if the picture has too many colours, or takes more than `mostBytes`. */
export async function encodeLossless(coder: Coder, size: Size, mostBytes: number): Promise<Bytes[] | null> {
  const { memory, wasm, meter, keep } = coder;
  if (!wasm.startLossless(mostBytes)) return null;
  for (let state = wasm.codeLossless(); state !== CODED; state = wasm.codeLossless()) {
    if (state === GIVEN_UP) return null;
    await meter.spend(WORK_PER_STEP);
  }
  const from = wasm.colourTokensAddress();
  const tokens = new Uint32Array(memory.buffer, from, (wasm.colourTokensEnd() - from) / 4);
  const coded = { width: wasm.losslessWidth(), height: size.height };
  const alphabet = colours(wasm.colourCacheBits());
  const best = await describeGroups(colourWalk(tokens), alphabet, coded, (counts) => counts, meter);
  const writer = describePicture(coder, size);
  if (writer.bytes.length + best.bits / 8 > mostBytes) return null;
  writer.append(best.writer);
  placeCodes(memory, wasm, best);
  const chunks = [keep(Uint8Array.from(writer.bytes))];
  wasm.startColours(writer.rest.bits, writer.rest.count, best.groups.tileBits);
  const output = (bytes: number): Bytes => keep(new Uint8Array(memory.buffer, wasm.outputAddress(), bytes));
  for (let bytes = wasm.emitLossless(); bytes > 0; bytes = wasm.emitLossless()) {
    chunks.push(output(bytes));
    await meter.spend(WORK_PER_BYTE_OUT * bytes);
  }
  chunks.push(output(wasm.flushTokens()));
  return chunks;
}

/** Writes everything before the groups: the size, the transforms and the cache. */
function describePicture({ memory, wasm }: Coder, { width, height }: Size): BitWriter {
  const writer = new BitWriter();
  writer.put(SIGNATURE, 8);
  writer.put(width - 1, SIDE_BITS);
  writer.put(height - 1, SIDE_BITS);
  writer.put(wasm.hasTranslucentColour(), 1);
  writer.put(0, 3); // The version.
  if (wasm.paletteColours() > 0) {
    putTransform(writer, PALETTE);
    putPalette(writer, new Uint32Array(memory.buffer, wasm.paletteAddress(), wasm.paletteColours()));
  }
  if (wasm.hasGreenSubtracted()) putTransform(writer, SUBTRACT_GREEN);
  const modes = wasm.colourModesAddress();
  if (modes > 0) {
    const { tileBits } = webpBand(width, height);
    const across = Math.ceil(width / 2 ** tileBits);
    const tiles = across * Math.ceil(height / 2 ** tileBits);
    putTransform(writer, PREDICTOR);
    writer.put(tileBits - LEAST_TILE_BITS, 3);
    putImage(writer, new Uint8Array(memory.buffer, modes, tiles), across);
    const factors = new Uint32Array(memory.buffer, wasm.crossFactorsAddress(), tiles);
    if (factors.some((of) => of !== 0)) {
      putTransform(writer, CROSS);
      writer.put(tileBits - LEAST_TILE_BITS, 3);
      putColourImage(writer, factors, across);
    }
  }
  writer.put(0, 1); // No further transform.
  const cacheBits = wasm.colourCacheBits();
  writer.put(Number(cacheBits > 0), 1);
  if (cacheBits > 0) writer.put(cacheBits, 4);
  return writer;
}

function putTransform(writer: BitWriter, type: number): void {
  writer.put(1, 1);
  writer.put(type, 2);
}

/** Writes a palette as an image of one row, each colour less the one before (4.4). */
function putPalette(writer: BitWriter, palette: Uint32Array): void {
  writer.put(palette.length - 1, 8);
  writer.put(0, 1); // No cache of colours.
  const channels = [8, 16, 0, 24].map((shift) =>
    Array.from(
      palette,
      (colour, i) => ((colour >>> shift) - ((i > 0 ? palette[i - 1]! : 0) >>> shift)) & 255,
    ),
  );
  const codes = channels.map((samples, channel) => {
    const counts = new Uint32Array(channel === 0 ? GREEN_SYMBOLS : 256);
    for (const sample of samples) counts[sample]!++;
    return bestCode(writer, counts);
  });
  putZeroCode(writer); // There are no matches.
  palette.forEach((_, i) => {
    channels.forEach((samples, channel) => {
      const { code, length } = codes[channel]!;
      writer.put(code[samples[i]!]!, length[samples[i]!]!);
    });
  });
}

function bestCode(writer: BitWriter, counts: Uint32Array): { code: Uint32Array; length: Uint8Array } {
  const length = putBestCode(writer, counts);
  return { code: prefixCodes(length), length };
}
