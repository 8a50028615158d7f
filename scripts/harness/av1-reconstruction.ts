/** Encodes a picture by the AV1 encoder's module itself, to see what it takes a decoder's planes to be. */
import module from "../../src/builder/wasm/av1-encoder.wasm";
import { frameSettings } from "../../src/builder/codecs/avif/frame-settings.ts";
import type { Av1Exports } from "../../src/builder/codecs/avif/av1-module.ts";
import { CHANNELS_OF } from "../../src/image/memory/rows.ts";
import { newMemory, type Picture } from "./png-rows.ts";

const SUPERBLOCK = 64;

export interface Reconstruction {
  planes: Uint8Array[];
  tile: Buffer;
}

/** @param chromaShift 1 for 4:2:0, 0 for 4:4:4 */
export function reconstruct(picture: Picture, baseIndex: number, chromaShift: 0 | 1): Reconstruction {
  const { width, height, layout, data } = picture;
  const memory = newMemory();
  memory.grow(8);
  const wasm = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Av1Exports;
  const channels = CHANNELS_OF[layout];
  const count = channels < 3 ? 1 : 3;
  const chroma = count === 1 ? "none" : chromaShift === 1 ? "420" : "444";
  const { chromaDc, chromaAc, chromaWeight, matrix } = frameSettings(baseIndex, chroma);
  wasm.configure(
    width,
    height,
    channels,
    1,
    count,
    chromaShift,
    baseIndex,
    chromaDc,
    chromaAc,
    chromaWeight,
    matrix,
  );
  const planes = Array.from({ length: count }, (_, plane) => {
    const shift = plane > 0 ? chromaShift : 0;
    return new Uint8Array(((width + shift) >> shift) * ((height + shift) >> shift));
  });
  const pieces: Buffer[] = [];
  const perBand = Math.ceil(width / SUPERBLOCK);
  const encode = (): void => {
    for (let bytes = wasm.encode(); bytes >= 0; bytes = wasm.encode()) {
      pieces.push(Buffer.from(new Uint8Array(memory.buffer, wasm.outputAddress(), bytes)));
      wasm.release();
      if (pieces.length % perBand !== 0) continue;
      const top = (pieces.length / perBand - 1) * SUPERBLOCK;
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
    while (wasm.push(0, 1) < 1) encode();
  }
  encode();
  pieces.push(Buffer.from(new Uint8Array(memory.buffer, wasm.outputAddress(), wasm.finish())));
  return { planes, tile: Buffer.concat(pieces) };
}
