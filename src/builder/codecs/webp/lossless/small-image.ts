/** Writes the small images of a VP8L image that say something of each of its tiles (RFC 9649, 3.2 and 3.7.2.2). */
import { GREEN, LENGTHS, PLACES, prefixSymbol } from "./alphabet.ts";
import { type BitWriter, prefixCodes, putBestCode, putZeroCode } from "./prefix-code.ts";

/** Shorter runs are written as literals. */
const SHORTEST_RUN = 3;
const LONGEST_RUN = 4096;
const SAMPLES = 256;
/** The numbers of the places above and to the left. */
const ABOVE = 0;
const LEFT = 1;

interface Token {
  value: number;
  /** 0 for a literal, whose value it is; else the place of a match is the value. */
  length: number;
}

/** Writes an image whose green is `values` and whose other channels are 0. */
export const putImage = (writer: BitWriter, values: Uint8Array, width: number): void =>
  putColourImage(
    writer,
    Uint32Array.from(values, (value) => value << 8),
    width,
  );

/** Writes an image of red, green and blue, whose alpha is 0. */
export function putColourImage(writer: BitWriter, values: Uint32Array, width: number): void {
  writer.put(0, 1); // No colour cache.
  const tokens = tokensOf(values, width);
  const counts = new Uint32Array(GREEN.symbols);
  const [red, blue] = [new Uint32Array(SAMPLES), new Uint32Array(SAMPLES)];
  for (const { value, length } of tokens) {
    if (length === 0) {
      counts[(value >> 8) & 255]!++;
      red[(value >> 16) & 255]!++;
      blue[value & 255]!++;
    } else {
      counts[LENGTHS + prefixSymbol(length - 1)]!++;
      counts[PLACES + prefixSymbol(value)]!++;
    }
  }
  const putGreen = codeOf(writer, counts.subarray(0, PLACES));
  const putRed = codeOf(writer, red);
  const putBlue = codeOf(writer, blue);
  putZeroCode(writer);
  const putPlace = codeOf(writer, counts.subarray(PLACES));
  for (const { value, length } of tokens) {
    if (length === 0) {
      putGreen((value >> 8) & 255);
      putRed((value >> 16) & 255);
      putBlue(value & 255);
    } else {
      const symbol = prefixSymbol(length - 1);
      putGreen(LENGTHS + symbol);
      const extra = symbol < 4 ? 0 : (symbol - 2) >> 1;
      writer.put((length - 1) & ((1 << extra) - 1), extra);
      putPlace(value); // Both places are so near that their symbols are their numbers.
    }
  }
}

/** Writes the best code for the counts. @returns what writes a symbol in it */
function codeOf(writer: BitWriter, counts: Uint32Array): (symbol: number) => void {
  const lengths = putBestCode(writer, counts);
  const codes = prefixCodes(lengths);
  return (symbol) => {
    writer.put(codes[symbol]!, lengths[symbol]!);
  };
}

function tokensOf(values: Uint32Array, width: number): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < values.length;) {
    const left = runOf(values, at, 1);
    const above = runOf(values, at, width);
    const length = Math.max(left, above);
    if (length < SHORTEST_RUN) tokens.push({ value: values[at++]!, length: 0 });
    else {
      tokens.push({ value: above >= left ? ABOVE : LEFT, length });
      at += length;
    }
  }
  return tokens;
}

/** Returns how many values equal those `distance` before. */
function runOf(values: Uint32Array, at: number, distance: number): number {
  let length = 0;
  while (
    length < LONGEST_RUN &&
    at + length < values.length &&
    values[at + length] === values[at + length - distance]
  ) {
    length++;
  }
  return at < distance ? 0 : length;
}
