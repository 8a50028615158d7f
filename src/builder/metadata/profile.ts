/** Writes a compact ICC profile of Display P3 (ICC.1:2022): a matrix, and one parametric curve for the three channels. */
import { D50, DISPLAY_P3, toPcs } from "../../image/colour/srgb.ts";

const HEADER_BYTES = 128;
const TAG_BYTES = 12;
/** D65 to D50 by Bradford's transform, as the tag chad has it (annex E). */
const ADAPTATION = [
  1.047_882, 0.022_919, -0.050_201, 0.029_587, 0.990_479, -0.017_059, -0.009_232, 0.015_076, 0.751_678,
];
/** The curve of sRGB as type 3: g, a, b, c, d (clause 10.18). */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.040_45];

const u16 = (value: number): number[] => [(value >> 8) & 255, value & 255];
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)];
const fixed = (value: number): number[] => u32(Math.round(value * 65_536) >>> 0);
const letters = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

/** Returns an element: its type, four zeros, its content, padded to a multiple of four bytes. */
function element(type: string, ...content: number[]): number[] {
  const bytes = [...letters(type), 0, 0, 0, 0, ...content];
  while (bytes.length % 4 !== 0) bytes.push(0);
  return bytes;
}

/** Returns a text in one language (clause 10.15). */
const text = (words: string): number[] =>
  element(
    "mluc",
    ...u32(1),
    ...u32(12),
    ...letters("enUS"),
    ...u32(2 * words.length),
    ...u32(28),
    ...letters(words).flatMap(u16),
  );

const xyz = (values: readonly number[]): number[] => element("XYZ ", ...values.flatMap(fixed));

function displayP3(): Uint8Array<ArrayBuffer> {
  const m = toPcs(DISPLAY_P3);
  const column = (i: number): number[] => xyz([m[i]!, m[i + 3]!, m[i + 6]!]);
  const curve = element("para", ...u16(3), 0, 0, ...CURVE.flatMap(fixed));
  const elements: [names: string[], bytes: number[]][] = [
    [["desc"], text("Display P3")],
    [["cprt"], text("CC0")],
    [["wtpt"], xyz(D50)],
    [["chad"], element("sf32", ...ADAPTATION.flatMap(fixed))],
    [["rXYZ"], column(0)],
    [["gXYZ"], column(1)],
    [["bXYZ"], column(2)],
    [["rTRC", "gTRC", "bTRC"], curve],
  ];
  const tags: number[] = [];
  const body: number[] = [];
  const count = elements.reduce((sum, [names]) => sum + names.length, 0);
  const start = HEADER_BYTES + 4 + TAG_BYTES * count;
  for (const [names, bytes] of elements) {
    for (const name of names) tags.push(...letters(name), ...u32(start + body.length), ...u32(bytes.length));
    body.push(...bytes);
  }
  const header = [
    ...u32(start + body.length),
    ...u32(0),
    ...u32(0x0440_0000),
    ...letters("mntrRGB XYZ "),
    ...[2026, 1, 1, 0, 0, 0].flatMap(u16),
    ...letters("acsp"),
    ...Array.from({ length: 28 }, () => 0),
    ...D50.flatMap(fixed),
  ];
  while (header.length < HEADER_BYTES) header.push(0);
  return Uint8Array.from([...header, ...u32(count), ...tags, ...body]);
}

export const DISPLAY_P3_PROFILE = displayP3();
