/** Colour by code points (ITU-T H.273), as PNG's `cICP` and HEIF's `nclx` state it. */
import type { CodePoints } from "../model/code-points.ts";
import { clip, type Curve } from "./icc-curves.ts";
import type { SourceColourSpace } from "./icc-profile.ts";
import { BT709, D65, decode, type Primaries, toPcs } from "./srgb.ts";

const C: readonly [number, number] = [0.31, 0.316];

/** H.273, table 2: the entries that name three primaries. All others count as BT.709. */
const PRIMARIES: Readonly<Record<number, Primaries>> = {
  4: { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: C },
  5: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: D65 },
  6: { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 },
  7: { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 },
  8: { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: C },
  9: { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: D65 },
  11: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351] },
  12: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65 },
  22: { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: D65 },
};

/**
 * H.273, table 3: transfer functions to linear light, where 1 is white. BT.709, its relatives and all that are not
 * listed here are read with sRGB's curve, as browsers and libvips do.
 */
const TRANSFERS: Readonly<Record<number, Curve>> = {
  4: (x) => x ** 2.2,
  5: (x) => x ** 2.8,
  7: (x) => (x < 0.0913 ? x / 4 : ((x + 0.1115) / 1.1115) ** (1 / 0.45)),
  8: (x) => x,
  16: (x) => toneMapped(perceptualQuantizer(x)),
  17: (x) => (52.37 / 48) * x ** 2.6,
  18: (x) => toneMapped(hybridLogGamma(x)),
};

/** Returns the colour space that these code points state. */
export function sourceColourSpaceOf({ primaries, transfer, fullRange }: CodePoints): SourceColourSpace {
  const toLight = TRANSFERS[transfer] ?? decode;
  // Narrow range: 219 steps from 16 on (H.273, equation 23).
  const curve: Curve = fullRange ? toLight : (x) => toLight(clip((255 * x - 16) / 219));
  return { kind: "matrix", curves: [curve, curve, curve], toXyz: toPcs(PRIMARIES[primaries] ?? BT709) };
}

/** Diffuse white of HDR (ITU-R BT.2408), which sRGB shows as white: candelas per square metre. */
const WHITE = 203;

/** Implements SMPTE ST 2084, whose peak is 10,000 candelas per square metre. */
function perceptualQuantizer(x: number): number {
  const p = x ** (1 / 78.843_75);
  return (
    (10_000 / WHITE) *
    (Math.max(0, p - 0.835_937_5) / (18.851_562_5 - 18.6875 * p)) ** (1 / 0.159_301_757_8125)
  );
}

/**
 * Implements ARIB STD-B67 for a display of 1,000 candelas per square metre. Its system gamma, 1.2, is applied per
 * channel.
 */
function hybridLogGamma(x: number): number {
  const [a, b, c] = [0.178_832_77, 0.284_668_92, 0.559_910_73];
  const scene = x <= 0.5 ? (x * x) / 3 : (Math.exp((x - c) / a) + b) / 12;
  return (1000 / WHITE) * scene ** 1.2;
}

/** Light up to this value is not changed. Light above it is compressed towards 1, which it never reaches. */
const KNEE = 0.5;

/** Compresses HDR highlights into the range of a plain display. Diffuse white becomes 0.75, at 88 % of sRGB's range. */
function toneMapped(light: number): number {
  const over = (light - KNEE) / (1 - KNEE);
  return over <= 0 ? light : KNEE + (1 - KNEE) * (over / (1 + over));
}
