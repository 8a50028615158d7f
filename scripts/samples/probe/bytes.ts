/** Little writers of binary formats for fixtures. */

export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Returns a big-endian integer of so many bytes. */
export const be = (size: number, value: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) & 255);

export const le = (size: number, value: number): Uint8Array => be(size, value).reverse();

export type Part = Uint8Array | string | number | readonly Part[];

/** Joins bytes; text stands for its Latin-1 bytes, a number for one byte. */
export function bytes(...parts: Part[]): Uint8Array {
  const flat = parts.map((part) => {
    if (typeof part === "number") return Uint8Array.of(part);
    if (typeof part === "string") return ascii(part);
    return part instanceof Uint8Array ? part : bytes(...part);
  });
  const joined = new Uint8Array(flat.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of flat) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Returns the first place of these bytes. */
export function indexOf(file: Uint8Array, part: Part, from = 0): number {
  const at = Buffer.from(file).indexOf(bytes(part), from);
  if (at === -1) throw new Error("the fixture does not have these bytes");
  return at;
}

/** Returns a copy with `removed` bytes at an offset replaced by others. */
export const spliced = (file: Uint8Array, at: number, removed: number, ...parts: Part[]): Uint8Array =>
  bytes(file.subarray(0, at), parts, file.subarray(at + removed));

/** Returns a TIFF block with nothing but an orientation, as EXIF has it. */
export function exifBlock(orientation: number, order: "II" | "MM" = "II"): Uint8Array {
  const int = order === "II" ? le : be;
  const entry = [int(2, 0x0112), int(2, 3), int(4, 1), int(2, orientation), int(2, 0)];
  return bytes(order, int(2, 42), int(4, 8), int(2, 1), entry, int(4, 0));
}
