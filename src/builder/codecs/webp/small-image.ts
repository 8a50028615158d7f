/** Writes the small images of a VP8L image that say something of each of its tiles (RFC 9649, 3.2 and 3.7.2.2). */
import { GREEN, LENGTHS, PLACES, prefixSymbol } from "./alphabet.ts";
import { type BitWriter, prefixCodes, putBestCode, putZeroCode } from "./prefix-code.ts";

/** Shorter runs are written as literals. */
const SHORTEST_RUN = 3;
const LONGEST_RUN = 4096;
/** The numbers of the places above and to the left. */
const ABOVE = 0;
const LEFT = 1;

interface Token {
  value: number;
  /** 0 for a literal, whose value it is; else the place of a match is the value. */
  length: number;
}

/** Writes an image whose green is `values` and whose other channels are 0. */
export function putImage(writer: BitWriter, values: Uint8Array, width: number): void {
  writer.put(0, 1); // No colour cache.
  const tokens = tokensOf(values, width);
  const counts = new Uint32Array(GREEN.symbols);
  for (const { value, length } of tokens) {
    if (length === 0) counts[value]!++;
    else {
      counts[LENGTHS + prefixSymbol(length - 1)]!++;
      counts[PLACES + prefixSymbol(value)]!++;
    }
  }
  const lengths = [...putBestCode(writer, counts.subarray(0, PLACES))];
  for (let i = 0; i < 3; i++) putZeroCode(writer);
  lengths.push(...putBestCode(writer, counts.subarray(PLACES)));
  const codes = [
    ...prefixCodes(Uint8Array.from(lengths.slice(0, PLACES))),
    ...prefixCodes(Uint8Array.from(lengths.slice(PLACES))),
  ];
  const put = (symbol: number): void => writer.put(codes[symbol]!, lengths[symbol]!);
  for (const { value, length } of tokens) {
    if (length === 0) put(value);
    else {
      const symbol = prefixSymbol(length - 1);
      put(LENGTHS + symbol);
      const extra = symbol < 4 ? 0 : (symbol - 2) >> 1;
      writer.put((length - 1) & ((1 << extra) - 1), extra);
      put(PLACES + value); // Both places are so near that their symbols are their numbers.
    }
  }
}

function tokensOf(values: Uint8Array, width: number): Token[] {
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

/** How many values equal those `distance` before. */
function runOf(values: Uint8Array, at: number, distance: number): number {
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
