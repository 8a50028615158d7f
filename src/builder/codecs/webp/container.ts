/** Assembles a WebP file (RFC 9649, 2) from encoded partitions and alpha. */

/** Most bytes of the first partition, whose length has 19 bits. */
const FIRST_PARTITION_MAX = 524_287;

const HAS_ALPHA = 0x10;

type Bytes = Uint8Array<ArrayBuffer>;

export interface WebpParts {
  readonly width: number;
  readonly height: number;
  /** The data of the chunk ALPH; null if there is none. */
  readonly alpha: readonly Bytes[] | null;
  /** The partitions of the key frame: the first has header and modes, the second has levels. */
  readonly first: readonly Bytes[];
  readonly second: readonly Bytes[];
}

export interface WebpFile {
  readonly chunks: Bytes[];
  readonly byteLength: number;
}

const lengthOf = (chunks: readonly Bytes[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

const ascii = (text: string): Bytes => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Returns the name and the length of a chunk. */
function chunkHeader(name: string, length: number): Bytes {
  const bytes = new Uint8Array(8);
  bytes.set(ascii(name));
  new DataView(bytes.buffer).setUint32(4, length, true);
  return bytes;
}

/** Returns the byte that pads a chunk to an even length, if it needs one. */
const padding = (length: number): Bytes[] => (length % 2 === 1 ? [new Uint8Array(1)] : []);

/** Returns the file, as a list of byte arrays in order. @throws RangeError when the first partition is too long */
export function assembleWebp({ width, height, alpha, first, second }: WebpParts): WebpFile {
  const firstBytes = lengthOf(first);
  if (firstBytes > FIRST_PARTITION_MAX)
    throw new RangeError("The picture has more macroblocks than VP8 can hold");
  const frame = [frameTag(width, height, firstBytes), ...first, ...second];
  const frameBytes = lengthOf(frame);
  const body: Bytes[] = [];
  if (alpha) {
    const alphaBytes = lengthOf(alpha);
    body.push(chunkHeader("VP8X", 10), extendedHeader(width, height));
    body.push(chunkHeader("ALPH", alphaBytes), ...alpha, ...padding(alphaBytes));
  }
  body.push(chunkHeader("VP8 ", frameBytes), ...frame, ...padding(frameBytes));
  const riff = chunkHeader("RIFF", 4 + lengthOf(body));
  const chunks = [riff, ascii("WEBP"), ...body];
  return { chunks, byteLength: lengthOf(chunks) };
}

/** Returns the file of a picture without loss, from the data of its chunk VP8L. */
export function assembleLossless(data: readonly Bytes[]): WebpFile {
  const bytes = lengthOf(data);
  const body = [chunkHeader("VP8L", bytes), ...data, ...padding(bytes)];
  const chunks = [chunkHeader("RIFF", 4 + lengthOf(body)), ascii("WEBP"), ...body];
  return { chunks, byteLength: lengthOf(chunks) };
}

/** Returns the bytes of a key frame before its partitions (RFC 6386, 9.1): shown, version 0, neither side scaled. */
function frameTag(width: number, height: number, firstBytes: number): Bytes {
  const tag = (firstBytes << 5) | (1 << 4);
  const bytes = Uint8Array.of(tag & 255, (tag >> 8) & 255, (tag >> 16) & 255, 0x9d, 0x01, 0x2a, 0, 0, 0, 0);
  const view = new DataView(bytes.buffer);
  view.setUint16(6, width, true);
  view.setUint16(8, height, true);
  return bytes;
}

/** Returns the data of a chunk VP8X (RFC 9649, 2.7), with 24 bits each of width and height minus one. */
function extendedHeader(width: number, height: number): Bytes {
  const bytes = new Uint8Array(10);
  const view = new DataView(bytes.buffer);
  bytes[0] = HAS_ALPHA;
  view.setUint16(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  return bytes;
}
