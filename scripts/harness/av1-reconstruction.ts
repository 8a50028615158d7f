/** Encodes a picture by the AV1 encoder's module itself, to see what it takes a decoder's planes to be. */
import module from "../../src/builder/wasm/av1-encoder.wasm";
import { alphaSettings, frameSettings } from "../../src/builder/codecs/avif/frame-settings.ts";
import type { Av1Exports } from "../../src/builder/codecs/avif/av1-module.ts";
import { tilesOf } from "../../src/builder/codecs/avif/av1-tiles.ts";
import type { Effort } from "../../src/image/model/variant.ts";
import type { TilesLog2 } from "../../src/image/formats/avif/encoder-options.ts";
import { CHANNELS_OF } from "../../src/image/memory/rows.ts";
import { newMemory, type Picture } from "./png-rows.ts";

const SUPERBLOCK = 64;
/** Bytes after the coded width of a row of samples (assembly/block/planes.ts). */
const SLACK_BYTES = 96;

/** Reconstructs the alpha of a picture, as a decoder does. */
export function reconstructAlpha(
  { width, height, layout, data }: Picture,
  alphaIndex: number,
  tilesLog2?: TilesLog2,
): Uint8Array {
  const channels = CHANNELS_OF[layout];
  const alpha = data.filter((_, i) => i % channels === channels - 1);
  const picture: Picture = { width, height, layout: "gray", data: alpha };
  return reconstruct(picture, alphaIndex, 1, true, true, tilesLog2).planes[0]!;
}

/** @param chromaShift 1 for 4:2:0, 0 for 4:4:4 @param isAlpha whether gray is an alpha */
export function reconstruct(
  picture: Picture,
  baseIndex: number,
  chromaShift: 0 | 1,
  isDrawing = false,
  isAlpha = false,
  tilesLog2?: TilesLog2,
  effort: Effort = "thorough",
): { planes: Uint8Array[] } {
  const { width, height, layout, data } = picture;
  const memory = newMemory();
  memory.grow(10);
  const wasm = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Av1Exports;
  const channels = CHANNELS_OF[layout];
  const count = channels < 3 ? 1 : 3;
  const tiles = tilesOf({ width, height, tilesLog2 });
  const chroma = count === 1 ? "none" : chromaShift === 1 ? "420" : "444";
  const settings = isAlpha ? alphaSettings(baseIndex) : frameSettings(baseIndex, chroma);
  const { chromaDc, chromaAc, chromaWeight, matrix } = settings;
  wasm.configure(
    width,
    height,
    channels,
    1,
    count,
    chromaShift,
    tiles.width,
    tiles.height,
    baseIndex,
    chromaDc,
    chromaAc,
    chromaWeight,
    matrix,
  );
  if (isDrawing) wasm.expectDrawing();
  else if (effort === "quick") wasm.hurry();
  if (isAlpha) wasm.codeAlpha(wasm.stagingAddress());
  const hasAlpha = layout === "rgba" || layout === "gray-alpha";
  const stride = 8 * Math.ceil(width / 8) + SLACK_BYTES;
  const alphaAddress = hasAlpha ? wasm.reserve(stride * SUPERBLOCK) : 0;
  wasm.seeAlpha(alphaAddress);
  /** Puts alpha where an encoder of it has it: with the last sample of a row and the last row repeated. */
  const showAlpha = (row: Uint8Array, y: number): void => {
    const alpha = Uint8Array.from(
      { length: stride },
      (_, x) => row[(Math.min(x, width - 1) + 1) * channels - 1]!,
    );
    const rows = new Uint8Array(memory.buffer, alphaAddress, stride * SUPERBLOCK);
    const last = y === height - 1 ? SUPERBLOCK - 1 : y % SUPERBLOCK;
    for (let at = y % SUPERBLOCK; at <= last; at++) rows.set(alpha, at * stride);
  };
  const planes = Array.from({ length: count }, (_, plane) => {
    const shift = plane > 0 ? chromaShift : 0;
    return new Uint8Array(((width + shift) >> shift) * ((height + shift) >> shift));
  });
  let superblocks = 0;
  const perBand = Math.ceil(width / SUPERBLOCK);
  const encode = (): void => {
    for (let bytes = wasm.encode(); bytes >= 0; bytes = wasm.encode()) {
      superblocks++;
      wasm.release();
      if (superblocks % perBand !== 0) continue;
      const top = (superblocks / perBand - 1) * SUPERBLOCK;
      planes.forEach((out, plane) => {
        const shift = plane > 0 ? chromaShift : 0;
        const [wide, high] = [(width + shift) >> shift, (height + shift) >> shift];
        for (let y = top >> shift; y < Math.min(high, (top + SUPERBLOCK) >> shift); y++) {
          const at = wasm.reconstruction(plane) + (y - (top >> shift)) * wasm.reconstructionStride();
          out.set(new Uint8Array(memory.buffer, at, wide), y * wide);
        }
      });
    }
  };
  const rowBytes = width * channels;
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * rowBytes, (y + 1) * rowBytes);
    new Uint8Array(memory.buffer, wasm.stagingAddress(), rowBytes).set(row);
    // Before alpha of the rows above is overwritten.
    encode();
    if (hasAlpha) showAlpha(row, y);
    while (wasm.push(0, 1) < 1) encode();
  }
  encode();
  return { planes };
}
