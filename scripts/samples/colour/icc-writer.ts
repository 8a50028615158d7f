/** Writes ICC profiles (ICC.1:2001-04 for version 2, ICC.1:2022 for 4): matrix, gray, and tables of every type. */

type Triple = readonly [number, number, number];

export interface ProfileHead {
  version?: 2 | 4;
  deviceClass?: string;
  space: "RGB " | "GRAY" | "CMYK";
  pcs?: "XYZ " | "Lab ";
}

const fixed = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeInt32BE(Math.round(value * 65_536), 4 * i));
  return bytes;
};

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, i) => bytes.writeUInt16BE(value, 2 * i));
  return bytes;
};

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
};

const typed = (type: string, ...parts: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(type, "latin1"), Buffer.alloc(4), ...parts]);

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

export const xyz = (values: Triple): Buffer => typed("XYZ ", fixed(...values));

/** Returns a `curv` of one gamma. */
export const gamma = (value: number): Buffer => typed("curv", u32(1), u16(Math.round(value * 256)));

/** Returns a `curv` through points of 0..1. */
export const points = (values: number[]): Buffer =>
  typed("curv", u32(values.length), u16(...values.map((value) => Math.round(value * 65_535))));

export const parametric = (type: number, ...parameters: number[]): Buffer =>
  typed("para", u16(type, 0), fixed(...parameters));

/** Returns a whole profile of these tags; text tags are added. */
export function profile(head: ProfileHead, tags: Record<string, Buffer>): Buffer {
  const { version = 2, deviceClass = "mntr", space, pcs = "XYZ " } = head;
  const text = Buffer.from("test\0", "latin1");
  const all: Record<string, Buffer> = {
    desc:
      version === 2
        ? typed("desc", u32(text.length), text, Buffer.alloc(78))
        : typed("mluc", u32(1, 12), Buffer.from("enUS", "latin1"), u32(2, 28), u16(0x54)),
    cprt:
      version === 2
        ? typed("text", text)
        : typed("mluc", u32(1, 12), Buffer.from("enUS"), u32(2, 28), u16(0x54)),
    wtpt: xyz([0.9642, 1, 0.8249]),
    ...tags,
  };
  const names = Object.keys(all);
  const table = [u32(names.length)];
  const bodies: Buffer[] = [];
  let at = 128 + 4 + 12 * names.length;
  for (const name of names) {
    const body = all[name] as Buffer;
    table.push(Buffer.from(name, "latin1"), u32(at, body.length));
    bodies.push(padded(body));
    at += padded(body).length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(at, 0);
  header.writeUInt32BE(version === 2 ? 0x0210_0000 : 0x0430_0000, 8);
  header.write(deviceClass + space + pcs, 12, "latin1");
  header.write("acsp", 36, "latin1");
  fixed(0.9642, 1, 0.8249).copy(header, 68);
  return Buffer.concat([header, ...table, ...bodies]);
}

/** Returns a profile of three curves and a matrix, whose colorants are XYZ relative to D50. */
export function matrixProfile(
  [red, green, blue]: readonly [Triple, Triple, Triple],
  curve: Buffer,
  version: 2 | 4 = 2,
): Buffer {
  return profile(
    { version, space: "RGB " },
    { rXYZ: xyz(red), gXYZ: xyz(green), bXYZ: xyz(blue), rTRC: curve, gTRC: curve, bTRC: curve },
  );
}

export const grayProfile = (curve: Buffer, pcs: "XYZ " | "Lab " = "XYZ "): Buffer =>
  profile({ space: "GRAY", pcs }, { kTRC: curve });

/** From a device's values of 0..1 to three values of 0..1 as encoded. */
export type Mapping = (device: number[]) => number[];

/** Returns every point of a grid, the last channel changing fastest. */
function grid(inputs: number, size: number, map: Mapping): number[] {
  return Array.from({ length: size ** inputs }, (_, index) => {
    const device = Array.from(
      { length: inputs },
      (_, i) => (Math.floor(index / size ** (inputs - 1 - i)) % size) / (size - 1),
    );
    return map(device);
  }).flat();
}

const clip = (value: number): number => Math.max(0, Math.min(1, value));
const bytesOf = (values: number[]): Buffer => Buffer.from(values.map((v) => Math.round(clip(v) * 255)));
const wordsOf = (values: number[]): Buffer => u16(...values.map((v) => Math.round(clip(v) * 65_535)));

/** Returns a lut8Type, with input curves of `shape`. */
export function lut8(
  inputs: number,
  size: number,
  map: Mapping,
  shape: (x: number) => number = (x) => x,
): Buffer {
  const curve = Array.from({ length: 256 }, (_, i) => shape(i / 255));
  const line = Array.from({ length: 256 }, (_, i) => i / 255);
  const head = Buffer.from([inputs, 3, size, 0]);
  const before = Array.from({ length: inputs }, () => bytesOf(curve));
  const after = Array.from({ length: 3 }, () => bytesOf(line));
  return typed(
    "mft1",
    head,
    fixed(1, 0, 0, 0, 1, 0, 0, 0, 1),
    ...before,
    bytesOf(grid(inputs, size, map)),
    ...after,
  );
}

/** Returns a lut16Type, with input curves of `shape`. */
export function lut16(
  inputs: number,
  size: number,
  map: Mapping,
  shape: (x: number) => number = (x) => x,
): Buffer {
  const curve = Array.from({ length: 64 }, (_, i) => shape(i / 63));
  const head = Buffer.from([inputs, 3, size, 0]);
  const before = Array.from({ length: inputs }, () => wordsOf(curve));
  const after = Array.from({ length: 3 }, () => wordsOf([0, 1]));
  const sizes = u16(64, 2);
  const matrix = fixed(1, 0, 0, 0, 1, 0, 0, 0, 1);
  return typed("mft2", head, matrix, sizes, ...before, wordsOf(grid(inputs, size, map)), ...after);
}

export interface AToB {
  inputs: number;
  /** A curve for each input, and the grid behind them. */
  grid?: { curve: Buffer; size: number; bytes: 1 | 2; map: Mapping };
  /** M curves, and the matrix of 3 x 3 and its offsets behind them. */
  matrix?: { curve: Buffer; cells: number[] };
  last: Buffer;
}

/** Returns a lutAToBType. */
export function lutAToB({ inputs, grid: table, matrix, last }: AToB): Buffer {
  const curves = (curve: Buffer, count: number): Buffer =>
    Buffer.concat(Array.from({ length: count }, () => padded(curve)));
  const parts: Buffer[] = [];
  let at = 32;
  const place = (part: Buffer | null): number => {
    if (!part) return 0;
    const offset = at;
    parts.push(padded(part));
    at += padded(part).length;
    return offset;
  };
  const b = place(curves(last, 3));
  const cells = place(matrix ? fixed(...matrix.cells) : null);
  const m = place(matrix ? curves(matrix.curve, 3) : null);
  const sizes = Buffer.alloc(20);
  if (table) sizes.fill(table.size, 0, inputs).writeUInt8(table.bytes, 16);
  const values = table ? grid(inputs, table.size, table.map) : [];
  const clut = place(
    table ? Buffer.concat([sizes, table.bytes === 1 ? bytesOf(values) : wordsOf(values)]) : null,
  );
  const a = place(table ? curves(table.curve, inputs) : null);
  return typed("mAB ", Buffer.from([inputs, 3, 0, 0]), u32(b, cells, m, clut, a), ...parts);
}
