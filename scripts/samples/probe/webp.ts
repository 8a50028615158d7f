import { ascii, bytes, indexOf, le, type Part } from "./bytes.ts";

export const riffChunk = (type: string, ...body: Part[]): Uint8Array => {
  const content = bytes(...body);
  return bytes(type, le(4, content.length), content, content.length % 2 ? 0 : []);
};

export const webpOf = (...chunks: Part[]): Uint8Array => {
  const content = bytes(...chunks);
  return bytes("RIFF", le(4, content.length + 4), "WEBP", content);
};

/** Returns a VP8 chunk with the header of a key frame. */
export const vp8 = (width = 4, height = 3): Uint8Array =>
  riffChunk("VP8 ", le(3, 0x10 | (4 << 5)), 0x9d, 0x01, 0x2a, le(2, width), le(2, height), [1, 2, 3, 4]);

export const vp8l = (width = 4, height = 3, alpha = false, version = 0): Uint8Array => {
  const bits = (width - 1) | ((height - 1) << 14) | (alpha ? 1 << 28 : 0) | (version << 29);
  return riffChunk("VP8L", 0x2f, le(4, bits >>> 0), 7);
};

export const FLAGS = { icc: 0x20, alpha: 0x10, exif: 0x08, animated: 0x02 };

export const vp8x = (flags: number, width = 4, height = 3): Uint8Array =>
  riffChunk("VP8X", flags, le(3, 0), le(3, width - 1), le(3, height - 1));

export interface WebpFrame {
  left?: number;
  top?: number;
  width?: number;
  height?: number;
  dispose?: boolean;
  picture?: Part;
}

export const anmf = (frame: WebpFrame = {}): Uint8Array => {
  const { left = 0, top = 0, width = 4, height = 3, dispose = false } = frame;
  const head = [
    le(3, left / 2),
    le(3, top / 2),
    le(3, width - 1),
    le(3, height - 1),
    le(3, 100),
    dispose ? 1 : 0,
  ];
  return riffChunk("ANMF", head, frame.picture ?? vp8(width, height));
};

export const anim = riffChunk("ANIM", le(4, 0), le(2, 0));

export const animation = (...frames: WebpFrame[]): Uint8Array =>
  webpOf(vp8x(FLAGS.animated), anim, frames.map(anmf));

/** Returns the content of the first chunk of this type in a file. */
export function webpChunk(file: Uint8Array, type: string): Uint8Array {
  const at = indexOf(file, ascii(type));
  const size = new DataView(file.buffer, file.byteOffset).getUint32(at + 4, true);
  return file.slice(at + 8, at + 8 + size);
}
