/** Reads all chunks of a PNG that precede its pixels. */
import type { PngFacts } from "../../../image/model/facts.ts";
import { isUsableTransparency } from "../../../image/formats/png/transparency.ts";
import { ChunkReader, isCritical } from "./chunks.ts";
import { PngDecodeError } from "./errors.ts";

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colourType: PngFacts["colourType"];
  readonly interlaced: boolean;
  /** PLTE: red, green and blue of each entry; null if there is none. */
  readonly palette: Uint8Array | null;
  /** tRNS: for colour type 3 the alpha of the first entries, else the samples of the transparent colour. */
  readonly transparency: Uint8Array | null;
}

/** The bit depths that each colour type may have (PNG specification, clause 11.2.1, table 12). */
const DEPTHS: Record<number, readonly number[] | undefined> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/**
 * Reads up to the data of the first IDAT. Chunks that describe colours are skipped: the probe has read them
 * (src/image/formats/png/colour-metadata.ts).
 */
export async function readHeader(chunks: ChunkReader): Promise<PngHeader> {
  await chunks.signature();
  const first = await chunks.next();
  if (first.type !== "IHDR" || first.length !== 13) throw corrupt("The first chunk is not IHDR");
  const header = parseFrame(await chunks.readAll());
  let palette: Uint8Array | null = null;
  let transparency: Uint8Array | null = null;
  for (;;) {
    const { type, length } = await chunks.next();
    if (type === "IDAT") break;
    if (type === "PLTE") {
      if (palette) throw corrupt("There are two palettes");
      if (length === 0 || length > 768 || length % 3 !== 0)
        throw corrupt("The palette has an invalid length");
      palette = await chunks.readAll();
    } else if (
      type === "tRNS" &&
      isUsableTransparency(header.colourType, length, (palette?.length ?? 0) / 3)
    ) {
      transparency = await chunks.readSound();
    } else if (isCritical(type)) {
      if (type === "IHDR" || type === "IEND") throw corrupt(`${type} is out of place`);
      throw new PngDecodeError("UNSUPPORTED", `The critical chunk ${type} is not supported`);
    } else await chunks.skip();
  }
  if (header.colourType === 3 && !palette) throw corrupt("The palette is missing");
  return { ...header, palette, transparency };
}

function parseFrame(bytes: Uint8Array): Omit<PngHeader, "palette" | "transparency"> {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const width = view.getUint32(0);
  const height = view.getUint32(4);
  const bitDepth = view.getUint8(8);
  const colourType = view.getUint8(9) as PngFacts["colourType"];
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff) {
    throw corrupt("A side is 0 or longer than the format allows");
  }
  if (!DEPTHS[colourType]?.includes(bitDepth)) {
    throw corrupt(`Colour type ${colourType} cannot have ${bitDepth} bits per sample`);
  }
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0 || view.getUint8(12) > 1) {
    throw new PngDecodeError("UNSUPPORTED", "The compression, filter or interlace method is not supported");
  }
  return { width, height, bitDepth, colourType, interlaced: view.getUint8(12) === 1 };
}

function corrupt(message: string): PngDecodeError {
  return new PngDecodeError("CORRUPT", message);
}
