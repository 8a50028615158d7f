import type { ColourModel, PngFacts } from "../../model/facts.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { u32be } from "../../bytes/numbers.ts";
import type { Size } from "../../geometry/size.ts";

/** IHDR: PNG 3rd edition section 11.2.1. */
export interface PngHeader extends Size {
  bitDepth: number;
  colourType: PngFacts["colourType"];
  interlaced: boolean;
}

/** Bit depths allowed for each colour type (PNG 3rd edition table 12). */
const DEPTHS: Record<PngFacts["colourType"], readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** The largest four-byte integer that PNG allows (section 7.1). */
export const MAX_INTEGER = 0x7fffffff;

export function readHeader(body: Uint8Array): PngHeader {
  if (body.length !== 13) throw new InvalidImageError(`PNG chunk IHDR has ${body.length} bytes, not 13`);
  const width = u32be(body, 0);
  const height = u32be(body, 4);
  const [bitDepth, colourType, compression, filter, interlace] = body.subarray(8) as unknown as number[];
  if (width === 0 || height === 0 || width > MAX_INTEGER || height > MAX_INTEGER) {
    throw new InvalidImageError(`PNG of ${width}×${height} pixels`);
  }
  if (!isColourType(colourType!) || !DEPTHS[colourType].includes(bitDepth!)) {
    throw new InvalidImageError(`PNG has colour type ${colourType} with ${bitDepth} bits`);
  }
  if (compression !== 0 || filter !== 0) {
    throw new InvalidImageError(`PNG has compression method ${compression} and filter method ${filter}`);
  }
  if (interlace! > 1) throw new InvalidImageError(`PNG has interlace method ${interlace}`);
  return { width, height, bitDepth: bitDepth!, colourType, interlaced: interlace === 1 };
}

export const colourOf = (colourType: PngFacts["colourType"]): ColourModel =>
  colourType === 3 ? "palette" : (colourType & 2) === 0 ? "gray" : "rgb";

const isColourType = (value: number): value is PngFacts["colourType"] => value in DEPTHS;
