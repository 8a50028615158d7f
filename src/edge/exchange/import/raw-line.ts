/**
 * Lines of an import as bytes. Values take many times the memory of their text (`{},` is 3 bytes, and some 64 as a
 * value), so only as many lines are held as values as have few enough bytes together.
 */
import { parseExactly } from "../../../content/text/exact-numbers.ts";
import { EXCHANGE, megabytes } from "../../../limits.ts";

export interface RawLine {
  /** The number of the line in the body. */
  n: number;
  bytes: Uint8Array;
}

/** Bytes that an object or a list takes in memory, and what else a comma parts: its place, and a short text or number. */
const OBJECT_BYTES = 64;
const VALUE_BYTES = 16;

const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;

/** Returns about how many bytes a line takes as values, at most; signs in texts are counted as if they parted values. */
export function weightOf({ bytes }: RawLine): number {
  let weight = bytes.byteLength;
  for (const byte of bytes) {
    if (byte === OBJECT || byte === LIST) weight += OBJECT_BYTES;
    else if (byte === COMMA) weight += VALUE_BYTES;
  }
  return weight;
}

/** Returns how many objects and lists a line has. */
function objectsIn({ bytes }: RawLine): number {
  let [count, isText] = [0, false];
  for (let at = 0; at < bytes.byteLength; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) at += 1;
    else if (!isText && (byte === OBJECT || byte === LIST)) count += 1;
  }
  return count;
}

/** Parses a line. @returns its value, or what is wrong with it; null for a line without signs */
export function valueOf(line: RawLine): { value: unknown } | { fault: string } | null {
  const { bytes } = line;
  if (bytes.byteLength > EXCHANGE.lineMaxBytes)
    return { fault: `has more than ${megabytes(EXCHANGE.lineMaxBytes)}` };
  // A line with fewer signs than this cannot have as many objects.
  if (bytes.byteLength > EXCHANGE.lineMaxObjects && objectsIn(line) > EXCHANGE.lineMaxObjects)
    return { fault: `has more than ${EXCHANGE.lineMaxObjects} objects and lists` };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes).trim();
    return text === "" ? null : { value: parseExactly(text) };
  } catch {
    return { fault: "is not valid JSON in UTF-8" };
  }
}
