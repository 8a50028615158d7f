/** Pictures for tests of the JPEG encoder, and the segments of its files. */
import sharp from "sharp";
import { encodeJpeg, type JpegOptions } from "../../../src/builder/codecs/jpeg/encoder.ts";
import { CHANNELS_OF } from "../../../src/image/memory/rows.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../../../scripts/harness/png-rows.ts";

/** Returns smooth slopes, hard edges and grain. */
export function somePicture(width: number, height: number, layout: Picture["layout"], grain = 12): Picture {
  const channels = CHANNELS_OF[layout];
  const data = new Uint8Array(width * height * channels);
  let state = 99;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const x = Math.floor(i / channels) % width;
    const y = Math.floor(i / (channels * width));
    const edge = ((x >> 5) + (y >> 5)) & 1 ? 50 : 0;
    const slope = 60 + edge + 50 * Math.sin(x / 40 + (i % channels)) + 40 * Math.cos(y / 30);
    data[i] = Math.max(0, Math.min(255, slope + grain * (state / 2 ** 32 - 0.5)));
  }
  return { width, height, layout, data };
}

export async function encode(
  picture: Picture,
  options: JpegOptions,
  memory = newMemory(4096),
  batch = 7,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodeJpeg(workspaceIn(memory), rowsOf(picture, batch), options))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const GOOD: JpegOptions = { scale: 0.5, chroma: "420" };

export const decode = (jpeg: Uint8Array): Promise<Buffer> => sharp(jpeg).raw().toBuffer();

/** Returns the markers of a file with the segments after them, up to its end. */
export function segmentsOf(jpeg: Buffer): { marker: number; content: Buffer }[] {
  const segments: { marker: number; content: Buffer }[] = [];
  for (let at = 2; at < jpeg.length - 2;) {
    if (jpeg[at] !== 0xff || jpeg[at + 1] === 0 || (jpeg[at + 1]! >= 0xd0 && jpeg[at + 1]! <= 0xd9)) {
      at++;
      continue;
    }
    const length = jpeg.readUInt16BE(at + 2);
    segments.push({ marker: jpeg[at + 1]!, content: jpeg.subarray(at + 4, at + 2 + length) });
    at += 2 + length;
  }
  return segments;
}

export const markersOf = (jpeg: Buffer): number[] => segmentsOf(jpeg).map(({ marker }) => marker);
