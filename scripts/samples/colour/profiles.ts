/** Profiles that pictures come with, and ways to put any profile into a file without touching its pixels. */
import { crc32, deflateSync } from "node:zlib";
import {
  gamma,
  grayProfile,
  lut16,
  lut8,
  lutAToB,
  type Mapping,
  matrixProfile,
  parametric,
  points,
  profile,
} from "./icc-writer.ts";

type Colorants = Parameters<typeof matrixProfile>[0];

const ADOBE: Colorants = [
  [0.60974, 0.31111, 0.01947],
  [0.20528, 0.62567, 0.06087],
  [0.14919, 0.06322, 0.74457],
];
const PROPHOTO: Colorants = [
  [0.7976, 0.28804, 0],
  [0.13519, 0.71187, 0],
  [0.03134, 0.00009, 0.8249],
];
export const SRGB: Colorants = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
];

export const srgbCurve = (x: number): number => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

export const adobeRgb = matrixProfile(ADOBE, gamma(2.199_218_75));
export const proPhoto = matrixProfile(PROPHOTO, gamma(1.8));
/** Version 4, with the parametric curve of IEC 61966-2-1. */
export const srgbV4 = matrixProfile(
  SRGB,
  parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045),
  4,
);
/** Version 2, with a curve of 1024 points, as cameras have it. */
export const srgbV2 = matrixProfile(
  SRGB,
  points(Array.from({ length: 1024 }, (_, i) => srgbCurve(i / 1023))),
);
export const linearRgb = matrixProfile(SRGB, gamma(1));
export const grayGamma = grayProfile(gamma(1.8));
/** Dot gain: a curve to light that is no power. */
export const grayDots = grayProfile(
  points(Array.from({ length: 256 }, (_, i) => (i / 255) ** 2 * 0.9 + (i / 255) * 0.1)),
);
export const grayLab = grayProfile(gamma(0.9), "Lab ");

/** Maps to Lab as a device of strange colours does: 0..1 as lut8Type has it. */
const strange: Mapping = ([r = 0, g = 0, b = 0]) => {
  const light = 0.25 * r ** 2 + 0.6 * g ** 1.5 + 0.15 * b;
  return [0.04 + 0.96 * light ** 0.5, 0.502 + 0.3 * (r - g), 0.502 + 0.3 * (g - b)];
};
const legacy: Mapping = (device) => strange(device).map((value) => (value * 65_280) / 65_535);

/** Maps inks that let light through to Lab. */
const inks: Mapping = ([c = 0, m = 0, y = 0, k = 0]) => {
  const light = (1 - 0.6 * c) * (1 - 0.7 * m) * (1 - 0.1 * y) * (1 - 0.9 * k);
  return [light ** 0.5, 0.502 + 0.3 * (m - c) * (1 - k), 0.502 + 0.35 * (y - 0.5 * (c + m)) * (1 - k)];
};
const legacyInks: Mapping = (device) => inks(device).map((value) => (value * 65_280) / 65_535);

const table = (A2B0: Buffer, version: 2 | 4, space: "RGB " | "CMYK"): Buffer =>
  profile({ version, space, pcs: "Lab ", deviceClass: space === "CMYK" ? "prtr" : "scnr" }, { A2B0 });

/** Colorants of Display P3, as ColorSync's profile has them. */
export const P3: Colorants = [
  [0.51512, 0.2412, -0.00105],
  [0.29198, 0.69225, 0.04189],
  [0.1571, 0.06657, 0.78407],
];

/** Maps samples with the curve of sRGB and these primaries to Lab: 0..1 as lut8Type has it. */
const toLab =
  (colorants: Colorants): Mapping =>
  (device) => {
    const light = device.map(srgbCurve);
    const [x, y, z] = [0, 1, 2].map((i) => {
      const value = colorants.reduce((sum, one, c) => sum + one[i]! * light[c]!, 0) / [0.9642, 1, 0.8249][i]!;
      return value > (6 / 29) ** 3 ? Math.cbrt(value) : (value * 841) / 108 + 4 / 29;
    }) as [number, number, number];
    return [1.16 * y - 0.16, (500 * (x - y) + 128) / 255, (200 * (y - z) + 128) / 255];
  };

/** Returns the same colour space as a table of each type. */
export function tablesOf(colorants: Colorants): Record<"lut8" | "lut16" | "lutAToB", Buffer> {
  const map = toLab(colorants);
  const old: Mapping = (device) => map(device).map((value) => (value * 65_280) / 65_535);
  const grid = { curve: gamma(1), size: 9, bytes: 2, map } as const;
  return {
    lut8: table(lut8(3, 9, map), 2, "RGB "),
    lut16: table(lut16(3, 9, old), 2, "RGB "),
    lutAToB: table(lutAToB({ inputs: 3, grid, last: gamma(1) }), 4, "RGB "),
  };
}

/** Profiles of every kind of table. */
export const TABLES = {
  "lut8, RGB": table(
    lut8(3, 9, strange, (x) => x ** 0.8),
    2,
    "RGB ",
  ),
  "lut16, RGB": table(
    lut16(3, 11, legacy, (x) => x ** 1.2),
    2,
    "RGB ",
  ),
  "lutAToB, RGB": table(
    lutAToB({
      inputs: 3,
      grid: { curve: gamma(1.1), size: 11, bytes: 2, map: strange },
      matrix: { curve: parametric(0, 1), cells: [1, 0, 0, 0, 0.9, 0.05, 0, 0.05, 0.9, 0, 0.02, 0.02] },
      last: gamma(1),
    }),
    4,
    "RGB ",
  ),
  "lutAToB without a grid": table(
    lutAToB({
      inputs: 3,
      matrix: { curve: gamma(1), cells: [0.3, 0.6, 0.1, 0.2, -0.2, 0, 0, 0.2, -0.2, 0, 0.502, 0.502] },
      last: gamma(1),
    }),
    4,
    "RGB ",
  ),
  "lut8, CMYK": table(lut8(4, 7, inks), 2, "CMYK"),
  "lut16, CMYK": table(
    lut16(4, 9, legacyInks, (x) => x ** 0.9),
    2,
    "CMYK",
  ),
  "lutAToB, CMYK": table(
    lutAToB({ inputs: 4, grid: { curve: gamma(1), size: 7, bytes: 1, map: inks }, last: gamma(1) }),
    4,
    "CMYK",
  ),
} as const;

const PART_BYTES = 65_519;

/** Returns a JPEG with the profile in APP2 segments of `partBytes`, in the order of `order` (ICC.1:2022, annex B.4). */
export function intoJpeg(
  jpeg: Buffer,
  icc: Uint8Array,
  partBytes = PART_BYTES,
  order: (parts: Buffer[]) => Buffer[] = (parts) => parts,
): Buffer {
  const count = Math.ceil(icc.length / partBytes);
  const parts = Array.from({ length: count }, (_, i) => {
    const data = icc.subarray(i * partBytes, (i + 1) * partBytes);
    const head = Buffer.from([0xff, 0xe2, 0, 0]);
    head.writeUInt16BE(data.length + 16, 2);
    return Buffer.concat([head, Buffer.from("ICC_PROFILE\0", "latin1"), Buffer.from([i + 1, count]), data]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...order(parts), jpeg.subarray(2)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}

/** Returns the PNG with more chunks behind IHDR, where colours are stated. */
const intoPngHead = (png: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

export const intoPng = (png: Buffer, icc: Uint8Array): Buffer =>
  intoPngHead(png, chunk("iCCP", Buffer.concat([Buffer.from("x\0\0", "latin1"), deflateSync(icc)])));

export const withCodePoints = (png: Buffer, primaries: number, transfer: number, fullRange = true): Buffer =>
  intoPngHead(png, chunk("cICP", Buffer.from([primaries, transfer, 0, fullRange ? 1 : 0])));

export const withGamma = (png: Buffer, value: number): Buffer => {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(Math.round(value * 100_000));
  return intoPngHead(png, chunk("gAMA", data));
};
