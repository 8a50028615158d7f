/** ICC profiles (ICC.1:2022): the parts that lead from a picture's values to the connection space. */
import { type Curve, fixed, ProfileError, readCurve, signature } from "./icc-curves.ts";
import { type Encoding, readLut } from "./icc-lut.ts";
import { D50, type Matrix } from "./srgb.ts";

/** The colour space of a picture's values. */
export type SourceColourSpace =
  /** A curve for each channel to linear light, and its primaries in XYZ relative to D50. */
  | { kind: "matrix"; curves: readonly [Curve, Curve, Curve]; toXyz: Matrix }
  /** A curve to the light of a neutral. */
  | { kind: "gray"; curve: Curve }
  /** Anything else: converts the device's values, 0 to 1, to XYZ relative to D50, in place. */
  | { kind: "table"; toXyz: ToXyz };

export type ToXyz = (values: Float64Array) => void;

/** Clause 7.2.5: input, display and output devices, and spaces. Links, abstract and named profiles convert nothing. */
const CLASSES = ["scnr", "mntr", "prtr", "spac"];
const HEADER_BYTES = 128;
/** The limit of lcms. Real profiles have 10 to 30 tags. */
const MOST_TAGS = 100;

/**
 * Returns the colour space that `profile` states; null when it is broken, or does not apply to `channels` values per
 * pixel.
 */
export function readProfile(profile: Uint8Array, channels: 1 | 3 | 4): SourceColourSpace | null {
  try {
    return read(new DataView(profile.buffer, profile.byteOffset, profile.byteLength), channels);
  } catch (error) {
    // A RangeError is a read past the end of the profile.
    if (error instanceof ProfileError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the space of the gray values that an RGB space has where all three are equal. */
export function grayOf(space: SourceColourSpace): SourceColourSpace {
  switch (space.kind) {
    case "gray":
      return space;
    case "matrix": {
      const { curves, toXyz } = space;
      const curve: Curve = (x) =>
        curves.reduce((light, of, i) => light + (toXyz[3 + i] as number) * of(x), 0);
      return { kind: "gray", curve };
    }
    case "table":
      return {
        kind: "gray",
        curve: (x) => {
          const values = Float64Array.of(x, x, x);
          space.toXyz(values);
          return values[1] as number;
        },
      };
    default:
      return space satisfies never;
  }
}

const SPACES = { 1: "GRAY", 3: "RGB ", 4: "CMYK" } as const;

function read(view: DataView, channels: 1 | 3 | 4): SourceColourSpace | null {
  const space = SPACES[channels];
  if (signature(view, 36) !== "acsp" || signature(view, 16) !== space) return null;
  if (!CLASSES.includes(signature(view, 12))) return null;
  const tags = readTags(view);
  if (space === "GRAY") return readGray(view, tags);
  const table = tags.get("A2B0");
  if (table !== undefined) return readTable(view, table, space);
  return space === "RGB " ? readMatrix(view, tags) : null;
}

/** Returns the offsets of the tags, by signature (clause 7.3). */
function readTags(view: DataView): Map<string, number> {
  const count = view.getUint32(HEADER_BYTES);
  if (count > MOST_TAGS) throw new ProfileError(`${count} tags`);
  const tags = new Map<string, number>();
  for (let at = HEADER_BYTES + 4, end = at + 12 * count; at < end; at += 12) {
    tags.set(signature(view, at), view.getUint32(at + 4));
  }
  return tags;
}

function need(tags: Map<string, number>, name: string): number {
  const at = tags.get(name);
  if (at === undefined) throw new ProfileError(`no tag ${name}`);
  return at;
}

/** Reads three-component matrix-based profiles (clause 8.3.3). */
function readMatrix(view: DataView, tags: Map<string, number>): SourceColourSpace {
  const colorant = (name: string): [number, number, number] => {
    const at = need(tags, name);
    if (signature(view, at) !== "XYZ ") throw new ProfileError(`${name} is no colour`);
    return [fixed(view, at + 8), fixed(view, at + 12), fixed(view, at + 16)];
  };
  const [r, g, b] = [colorant("rXYZ"), colorant("gXYZ"), colorant("bXYZ")];
  return {
    kind: "matrix",
    curves: [curveOf(view, tags, "rTRC"), curveOf(view, tags, "gTRC"), curveOf(view, tags, "bTRC")],
    toXyz: [r[0], g[0], b[0], r[1], g[1], b[1], r[2], g[2], b[2]],
  };
}

const curveOf = (view: DataView, tags: Map<string, number>, name: string): Curve =>
  readCurve(view, need(tags, name)).curve;

/** Reads monochrome profiles (clauses 8.3.4 and F.2): the curve gives light, or the lightness L*. */
function readGray(view: DataView, tags: Map<string, number>): SourceColourSpace {
  const curve = curveOf(view, tags, "kTRC");
  return {
    kind: "gray",
    curve: signature(view, 20) === "Lab " ? (x) => lightOf(100 * curve(x)) : curve,
  };
}

/** Reads lut-based profiles, by their perceptual table (clause 8.3.2), with black point compensation. */
function readTable(view: DataView, at: number, space: "RGB " | "CMYK"): SourceColourSpace {
  const { pipeline, encoding } = readLut(view, at, space === "CMYK" ? 4 : 3);
  const pcs = signature(view, 20);
  if (pcs !== "Lab " && pcs !== "XYZ ") throw new ProfileError(`a connection space ${pcs}`);
  const toXyz: ToXyz = (values) => {
    pipeline(values);
    if (pcs === "XYZ ") for (let i = 0; i < 3; i++) values[i] = (values[i] as number) * MOST_XYZ;
    else labToXyz(values, encoding);
  };
  const black = blackOf(view, toXyz, space);
  return {
    kind: "table",
    toXyz: (values) => {
      toXyz(values);
      for (let i = 0; i < 3; i++) {
        const white = D50[i] as number;
        values[i] = white + ((values[i] as number) - white) / (1 - (black[i] as number) / white);
      }
    },
  };
}

/** PCS XYZ is encoded as u1Fixed15Number: 1.0 is 32768 of 65535 (clause 6.3.4.2). */
const MOST_XYZ = 65_535 / 32_768;

/** Returns the inverse of CIELAB's function (ISO 11664-4), of 0..1 at L* 0..100. */
function lightOf(L: number): number {
  const f = (L + 16) / 116;
  return f > 6 / 29 ? f ** 3 : (3 * 36 * (f - 4 / 29)) / 841;
}

/** Converts PCS Lab to XYZ: FF00 is 100 in lut16Type, and FFFF elsewhere (clauses 6.3.4.2 and 10.10). */
function labToXyz(values: Float64Array, encoding: Encoding): void {
  const most = encoding === "legacy" ? 65_535 / 65_280 : 1;
  const [l, a, b] = values as unknown as [number, number, number];
  const L = 100 * l * most;
  values[0] = D50[0] * lightOf(L + (116 * (255 * a * most - 128)) / 500);
  values[1] = D50[1] * lightOf(L);
  values[2] = D50[2] * lightOf(L - (116 * (255 * b * most - 128)) / 200);
}

/** Y of the reference medium's black for perceptual tables of version 4 (clause 6.3.3). */
const PERCEPTUAL_BLACK = 0.003_473_1;
/** A darkest colour that is lighter than L* 50 is not a black. */
const LIGHTEST_BLACK = 0.1842;

/**
 * Returns XYZ of the profile's black, which sRGB shows as 0: black point compensation (ISO 18619), as Little CMS does
 * it from a perceptual table to an sRGB profile of version 4. Version 4 says where its black lies; before that it is
 * the darkest colour, its tint included.
 */
function blackOf(view: DataView, toXyz: ToXyz, space: "RGB " | "CMYK"): Float64Array {
  if (view.getUint8(8) >= 4) return Float64Array.from(D50, (white) => white * PERCEPTUAL_BLACK);
  const darkest = new Float64Array(4).fill(space === "CMYK" ? 1 : 0);
  toXyz(darkest);
  return darkest.map((light) => Math.max(0, Math.min(LIGHTEST_BLACK, light)));
}
