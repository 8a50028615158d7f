/** Writes boxes of ISO media files (ISO/IEC 14496-12 section 4.2). All numbers are big-endian. */

export type Part = number | string | Uint8Array | readonly Part[];

/** Flattens parts to bytes: numbers are bytes, strings are Latin-1, lists are flattened. */
export function flat(...parts: Part[]): number[] {
  const out: number[] = [];
  for (const part of parts) {
    if (typeof part === "number") out.push(part & 0xff);
    else if (typeof part === "string") for (const letter of part) out.push(letter.charCodeAt(0));
    else if (part instanceof Uint8Array) for (const byte of part) out.push(byte);
    else for (const inner of part) out.push(...flat(inner));
  }
  return out;
}

export const u16 = (value: number): number[] => [value >>> 8, value].map((byte) => byte & 0xff);

export const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value)];

export function box(type: string, ...body: Part[]): number[] {
  const content = flat(...body);
  return [...u32(content.length + 8), ...flat(type), ...content];
}

export const fullBox = (type: string, version: number, flags: number, ...body: Part[]): number[] =>
  box(type, version, u32(flags).slice(1), ...body);
