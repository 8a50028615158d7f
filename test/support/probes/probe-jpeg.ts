import { be, bytes, type Part } from "../../../scripts/samples/probe/bytes.ts";

/** Returns a JPEG segment with its length. */
export const segment = (marker: number, ...body: Part[]): Uint8Array => {
  const content = bytes(...body);
  return bytes(0xff, marker, be(2, content.length + 2), content);
};

export const SOI = Uint8Array.of(0xff, 0xd8);
export const EOI = Uint8Array.of(0xff, 0xd9);

export interface FrameOptions {
  marker?: number;
  precision?: number;
  width?: number;
  height?: number;
  /** Sampling factors of each component, as 0xHV. */
  sampling?: number[];
}

export function frame(options: FrameOptions = {}): Uint8Array {
  const { marker = 0xc0, precision = 8, width = 16, height = 8, sampling = [0x22, 0x11, 0x11] } = options;
  const components = sampling.map((factors, index) => [index + 1, factors, 0]);
  return segment(marker, precision, be(2, height), be(2, width), sampling.length, components);
}

/** Returns a scan of these components with entropy-coded bytes that mean nothing. */
export const scan = (ids: number[], ...data: Part[]): Uint8Array =>
  bytes(
    segment(
      0xda,
      ids.length,
      ids.map((id) => [id, 0]),
      0,
      63,
      0,
    ),
    data.length > 0 ? data : [0x12, 0x34],
  );

/** Returns a file whose structure holds, though no decoder would get pixels out of it. */
export const jpegOf = (...parts: Part[]): Uint8Array => bytes(SOI, parts, EOI);

export const plainJpeg = (options?: FrameOptions): Uint8Array => {
  const ids = (options?.sampling ?? [0, 0, 0]).map((_, index) => index + 1);
  return jpegOf(frame(options), scan(ids.slice(0, 4)));
};
