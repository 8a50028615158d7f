import { deflateSync } from "node:zlib";
import { crc32 } from "node:zlib";
import { be, bytes, type Part } from "./bytes.ts";

export const SIGNATURE = bytes(0x89, "PNG\r\n\x1a\n");

export const chunk = (type: string, ...body: Part[]): Uint8Array => {
  const content = bytes(...body);
  const named = bytes(type, content);
  return bytes(be(4, content.length), named, be(4, crc32(named)));
};

export const ihdr = (width = 4, height = 3, bitDepth = 8, colourType = 2, interlace = 0): Uint8Array =>
  chunk("IHDR", be(4, width), be(4, height), bitDepth, colourType, 0, 0, interlace);

/** Returns rows of zero samples. */
export const zeroRows = (width: number, height: number, bytesPerPixel: number): Uint8Array =>
  deflateSync(new Uint8Array(height * (1 + width * bytesPerPixel)));

export const idat = chunk("IDAT", zeroRows(4, 3, 3));
export const iend = chunk("IEND");

export const pngOf = (...parts: Part[]): Uint8Array => bytes(SIGNATURE, parts, iend);

export interface ApngFrame {
  width?: number;
  height?: number;
  left?: number;
  top?: number;
  dispose?: number;
}

export const fctl = (sequence: number, frame: ApngFrame = {}): Uint8Array =>
  chunk(
    "fcTL",
    [be(4, sequence), be(4, frame.width ?? 4), be(4, frame.height ?? 3)],
    [be(4, frame.left ?? 0), be(4, frame.top ?? 0), be(2, 1), be(2, 10), frame.dispose ?? 0, 0],
  );

/** Returns an animation of opaque 4×3 frames, the first of which is the still picture. */
export function apng(frames: ApngFrame[], claimed = frames.length): Uint8Array {
  let sequence = 0;
  const parts = frames.map((frame, index) => {
    const control = fctl(sequence++, frame);
    if (index === 0) return [control, idat];
    const data = zeroRows(frame.width ?? 4, frame.height ?? 3, 3);
    return [control, chunk("fdAT", be(4, sequence++), data)];
  });
  return pngOf(ihdr(), chunk("acTL", be(4, claimed), be(4, 0)), parts);
}
