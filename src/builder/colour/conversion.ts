/** Converts rows of a picture to sRGB or Display P3, in place. */
import type { RowSource } from "../pixels/row-source.ts";
import { clip, type Curve } from "../../image/colour/icc-curves.ts";
import type { SourceColourSpace, ToXyz } from "../../image/colour/icc-profile.ts";
import { DISPLAY_P3, encode, type Matrix, multiply, toPcs } from "../../image/colour/srgb.ts";
import { pcsToLinear } from "../../image/colour/gamut.ts";
import type { Gamut } from "../../image/model/gamut.ts";
import type { Conversion, Convert } from "./row-conversion.ts";
import { cmykTable, rgbTable } from "./colour-lut.ts";
import { LIGHT_STEPS, LIGHT_TO_BYTE } from "./light-to-byte.ts";

/**
 * Returns the conversion of rows of `layout` to the gamut. Null when they are in it already, to within one step of 8 bits,
 * and when `meaning` does not apply to such rows.
 */
export function conversionFor(
  meaning: SourceColourSpace,
  layout: RowSource["layout"],
  gamut: Gamut = "srgb",
): Conversion | null {
  const conversion = choose(snapped(meaning, gamut), layout, pcsToLinear(gamut));
  return conversion && !(layout !== "cmyk" && isIdentity(conversion.convert, layout)) ? conversion : null;
}

/** The most light by which primaries that are rounded, or adapted to D50 in another way, differ from those of P3. */
const P3_TOLERANCE = 0.002;

/**
 * Returns the space with the exact primaries of Display P3 if it has those to within rounding: such a master keeps its
 * samples. Otherwise, its darkest samples would change by some steps.
 */
function snapped(meaning: SourceColourSpace, gamut: Gamut): SourceColourSpace {
  if (gamut === "srgb" || meaning.kind !== "matrix") return meaning;
  const toP3 = multiply(pcsToLinear(gamut), meaning.toXyz);
  const isP3 = toP3.every((cell, i) => Math.abs(cell - (i % 4 === 0 ? 1 : 0)) < P3_TOLERANCE);
  return isP3 ? { ...meaning, toXyz: toPcs(DISPLAY_P3) } : meaning;
}

/** @param fromPcs the matrix from XYZ relative to D50 to linear light of the gamut */
function choose(meaning: SourceColourSpace, layout: RowSource["layout"], fromPcs: Matrix): Conversion | null {
  const isColour = layout === "rgb" || layout === "rgba";
  switch (meaning.kind) {
    case "table":
      if (layout === "cmyk") return cmykTable(throughLinear(meaning.toXyz, fromPcs));
      return isColour ? rgbTable(throughLinear(meaning.toXyz, fromPcs), layout === "rgb" ? 3 : 4) : null;
    case "matrix":
      if (layout === "cmyk") return null;
      return isColour
        ? byMatrix(meaning.curves, multiply(fromPcs, meaning.toXyz), layout)
        : byCurve(meaning.curves[1], layout);
    case "gray":
      // A gray picture may come in three equal channels.
      return layout !== "cmyk" ? byCurve(meaning.curve, layout) : null;
  }
}

const CHANNELS = { gray: 1, "gray-alpha": 2, rgb: 3, rgba: 4 } as const;
type LightLayout = keyof typeof CHANNELS;

/** Converts the device's values to those of the gamut, 0 to 1, in place: one node of a table. */
function throughLinear(toXyz: ToXyz, m: Matrix): (values: Float64Array) => void {
  return (values) => {
    toXyz(values);
    const [x, y, z] = values as unknown as [number, number, number];
    values[0] = encode(m[0] * x + m[1] * y + m[2] * z);
    values[1] = encode(m[3] * x + m[4] * y + m[5] * z);
    values[2] = encode(m[6] * x + m[7] * y + m[8] * z);
  };
}

const CODES = 256;
const each = (curve: Curve): Float64Array =>
  Float64Array.from({ length: CODES }, (_, code) => curve(code / 255));

/** Converts grey, in one channel or in three equal ones: the same curve leads each channel to light. */
function byCurve(curve: Curve, layout: LightLayout): Conversion {
  const map = Uint8Array.from(each(curve), (light) => Math.round(255 * encode(clip(light))));
  const channels = CHANNELS[layout];
  const colours = channels - (channels % 2 === 0 ? 1 : 0);
  const convert: Convert = (rows) => {
    for (let at = 0; at < rows.length; at += channels) {
      for (let c = 0; c < colours; c++) rows[at + c] = map[rows[at + c] as number] as number;
    }
    return rows.length;
  };
  return { convert, bytes: map.byteLength };
}

/**
 * Converts by curves to linear light, a matrix to the primaries of the gamut, and the curve of sRGB, which Display P3
 * shares. Light out of range is clipped.
 */
function byMatrix(
  curves: readonly [Curve, Curve, Curve],
  toLinear: Matrix,
  layout: "rgb" | "rgba",
): Conversion {
  const [reds, greens, blues] = [each(curves[0]), each(curves[1]), each(curves[2])];
  const m = toLinear.map((cell) => cell * LIGHT_STEPS) as unknown as Matrix;
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = m;
  const channels = CHANNELS[layout];
  const bytes = LIGHT_TO_BYTE;
  const most = LIGHT_STEPS;
  const byteOf = (light: number): number => {
    const step = (light + 0.5) | 0;
    return bytes[step < 0 ? 0 : step > most ? most : step] as number;
  };
  const convert: Convert = (rows) => {
    for (let at = 0; at < rows.length; at += channels) {
      const r = reds[rows[at] as number] as number;
      const g = greens[rows[at + 1] as number] as number;
      const b = blues[rows[at + 2] as number] as number;
      rows[at] = byteOf(m0 * r + m1 * g + m2 * b);
      rows[at + 1] = byteOf(m3 * r + m4 * g + m5 * b);
      rows[at + 2] = byteOf(m6 * r + m7 * g + m8 * b);
    }
    return rows.length;
  };
  return { convert, bytes: 3 * reds.byteLength };
}

/** The codes to try: a grid of colours, and every grey. */
const TRIED = [0, 32, 64, 96, 128, 160, 192, 224, 255];

/** Returns whether a conversion changes no colour by more than one step: its profile is one of sRGB, under any name. */
function isIdentity(convert: Convert, layout: LightLayout): boolean {
  const channels = CHANNELS[layout];
  const greys = Array.from({ length: CODES }, (_, code) => [code, code, code]);
  const colours = channels < 3 ? [] : TRIED.flatMap((r) => TRIED.flatMap((g) => TRIED.map((b) => [r, g, b])));
  const pixels = [...greys, ...colours];
  const rows = new Uint8Array(pixels.length * channels);
  const pixel = (i: number): number[] => (pixels[i] as number[]).slice(0, channels < 3 ? 1 : 3);
  pixels.forEach((_, i) => {
    rows.set(pixel(i), i * channels);
  });
  convert(rows);
  return pixels.every((_, i) =>
    pixel(i).every((v, c) => Math.abs(v - (rows[i * channels + c] as number)) <= 1),
  );
}
