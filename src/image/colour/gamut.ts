/** Whether a colour space is wider than sRGB, and colours of sRGB in Display P3. */
import type { Gamut } from "../model/gamut.ts";
import { type Colour, samplesOfColour } from "../model/colour.ts";
import type { SourceColourSpace } from "./icc-profile.ts";
import {
  apply,
  BT709,
  decode,
  DISPLAY_P3,
  encode,
  invert,
  type Matrix,
  multiply,
  PCS_TO_LINEAR,
  toPcs,
} from "./srgb.ts";

const PCS_TO_P3: Matrix = invert(toPcs(DISPLAY_P3));

/** Returns the matrix from XYZ relative to D50 to linear light of the gamut's primaries. */
export const pcsToLinear = (gamut: Gamut): Matrix => (gamut === "p3" ? PCS_TO_P3 : PCS_TO_LINEAR);

/**
 * The light below 0 from which a colour counts as outside sRGB. The primaries of SMPTE 170M have at most 0.005, those of
 * PAL 0.044, of Display P3 0.225 and of Adobe RGB 0.398; profiles of sRGB, rounded to 16 bits, have 0.001.
 */
const OUTSIDE_LIGHT = 0.02;

/** The shares of each channel that are tried in a space without a formula. */
const TRIED = [0, 0.5, 1];

/** Returns whether the space has colours that sRGB has not. */
export function isWide(space: SourceColourSpace, channels: 3 | 4): boolean {
  switch (space.kind) {
    case "gray":
      return false;
    case "matrix":
      return multiply(PCS_TO_LINEAR, space.toXyz).some((light) => light < -OUTSIDE_LIGHT);
    case "table":
      return triedColours(channels).some((colour) => {
        const values = Float64Array.from(colour);
        space.toXyz(values);
        const [x = 0, y = 0, z = 0] = values;
        return apply(PCS_TO_LINEAR, [x, y, z]).some((light) => light < -OUTSIDE_LIGHT);
      });
    default:
      return space satisfies never;
  }
}

/** Returns combinations of the tried shares; inks without black, which darkens the others. */
function triedColours(channels: 3 | 4): number[][] {
  const colours = TRIED.flatMap((a) => TRIED.flatMap((b) => TRIED.map((c) => [a, b, c, 0])));
  return channels === 4 ? colours : colours.map((colour) => colour.slice(0, 3));
}

/** Returns a colour of sRGB as samples of the gamut. Greys, black and white stay as they are. */
export function colourIn(gamut: Gamut, colour: Colour): Colour {
  if (gamut === "srgb") return colour;
  const [r, g, b] = samplesOfColour(colour).map((sample) => decode(sample / 255)) as [number, number, number];
  const light = apply(multiply(PCS_TO_P3, toPcs(BT709)), [r, g, b]);
  return light
    .map((one) =>
      Math.round(255 * encode(one))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("");
}
