import { bytes, le, type Part } from "../../../scripts/samples/probe/bytes.ts";

export interface GifFrame {
  left?: number;
  top?: number;
  width?: number;
  height?: number;
  transparent?: boolean;
  disposal?: number;
  interlaced?: boolean;
  localTable?: boolean;
  data?: Part;
}

const TABLE = bytes(0, 0, 0, 255, 255, 255);
/** LZW for a 1×1 picture of index 0. */
const PIXEL = bytes(2, 2, 0x44, 0x01, 0);

export const gifHeader = (width = 4, height = 3, version = "89a"): Uint8Array =>
  bytes("GIF", version, le(2, width), le(2, height), 0x80, 0, 0, TABLE);

export function gifFrame(frame: GifFrame = {}): Uint8Array {
  const flags = (frame.localTable ? 0x80 : 0) | (frame.interlaced ? 0x40 : 0);
  const control = [
    0x21,
    0xf9,
    4,
    ((frame.disposal ?? 0) << 2) | (frame.transparent ? 1 : 0),
    le(2, 10),
    0,
    0,
  ];
  const place = [frame.left ?? 0, frame.top ?? 0, frame.width ?? 4, frame.height ?? 3].map((n) => le(2, n));
  return bytes(control, 0x2c, place, flags, frame.localTable ? TABLE : [], frame.data ?? PIXEL);
}

export const gif = (...frames: GifFrame[]): Uint8Array => bytes(gifHeader(), frames.map(gifFrame), 0x3b);
