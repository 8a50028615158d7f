/** Converts rows of a picture to sRGB, in place. */
import type { RowSource } from "../pixels/row-source.ts";
import { clip, type Curve } from "./icc-curves.ts";
import type { SourceColourSpace, ToXyz } from "./icc-profile.ts";
import { encode, LIGHT_STEPS, LIGHT_TO_BYTE, type Matrix, multiply, PCS_TO_LINEAR } from "./srgb.ts";
import type { Conversion, Convert } from "./row-conversion.ts";
import { cmykTable, rgbTable } from "./colour-lut.ts";

/**
 * Returns the conversion of rows of `layout` to sRGB. Null when they are sRGB already, to within one step of 8 bits,
 * and when `meaning` does not apply to such rows.
 */
export function conversionFor(meaning: SourceColourSpace, layout: RowSource["layout"]): Conversion | null {
  const conversion = choose(meaning, layout);
  return conversion && !(layout !== "cmyk" && isIdentity(conversion.convert, layout)) ? conversion : null;
}

function choose(meaning: SourceColourSpace, layout: RowSource["layout"]): Conversion | null {
  const isColour = layout === "rgb" || layout === "rgba";
  switch (meaning.kind) {
    case "table":
      if (layout === "cmyk") return cmykTable(throughLinear(meaning.toXyz));
      return isColour ? rgbTable(throughLinear(meaning.toXyz), layout === "rgb" ? 3 : 4) : null;
    case "matrix":
      if (layout === "cmyk") return null;
      return isColour ? byMatrix(meaning.curves, meaning.toXyz, layout) : byCurve(meaning.curves[1], layout);
    case "gray":
      // A gray picture may come in three equal channels.
      return layout !== "cmyk" ? byCurve(meaning.curve, layout) : null;
  }
}

const CHANNELS = { gray: 1, "gray-alpha": 2, rgb: 3, rgba: 4 } as const;
type LightLayout = keyof typeof CHANNELS;

/** Converts the device's values to sRGB's, 0 to 1, in place: one node of a table. */
function throughLinear(toXyz: ToXyz): (values: Float64Array) => void {
  const m = PCS_TO_LINEAR;
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

/** Grey, in one channel or in three equal ones: the same curve leads each channel to light. */
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

/** Curves to linear light, a matrix to sRGB's primaries, and sRGB's own curve. Light out of range is clipped. */
function byMatrix(curves: readonly [Curve, Curve, Curve], toXyz: Matrix, layout: "rgb" | "rgba"): Conversion {
  const [reds, greens, blues] = [each(curves[0]), each(curves[1]), each(curves[2])];
  const m = multiply(PCS_TO_LINEAR, toXyz).map((cell) => cell * LIGHT_STEPS) as unknown as Matrix;
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

/** Returns whether it changes no colour by more than one step: it is a profile of sRGB, whatever its name. */
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
