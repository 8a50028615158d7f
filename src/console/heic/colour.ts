/** Whether the pixels of a HEIC file mean Display P3, as iPhones have it. Everything else is shown as sRGB. */

/** `colour_primaries` of ITU-T H.273 for P3 with the white point D65. */
const NCLX_P3 = 12;
/** X of the red colorant of Display P3, adapted to D50; that of sRGB is 0.436, of Adobe RGB 0.610. */
const RED_X = 0.5151;
const TOLERANCE = 0.01;
/** An s15Fixed16Number of ICC.1. */
const FIXED_ONE = 0x10000;
/** The boxes that describe an item come before its pixels. */
const SEARCHED_BYTES = 1 << 20;
const ICC_TAGS_AT = 128;
const ICC_TAG_BYTES = 12;
const ICC_TAGS_MAX = 100;

/** Four letters each, as the number that they are read as. */
const COLR = 0x636f6c72;
const PROF = 0x70726f66;
const RICC = 0x72494343;
const NCLX = 0x6e636c78;
const RXYZ = 0x7258595a;

/** Returns X of the red colorant of an ICC profile at `start`; null where it has none. */
function redX(view: DataView, start: number): number | null {
  const tags = Math.min(view.getUint32(start + ICC_TAGS_AT), ICC_TAGS_MAX);
  for (let tag = 0; tag < tags; tag++) {
    const entry = start + ICC_TAGS_AT + 4 + tag * ICC_TAG_BYTES;
    // The type's signature and four reserved bytes come before the numbers.
    if (view.getUint32(entry) === RXYZ)
      return view.getInt32(start + view.getUint32(entry + 4) + 8) / FIXED_ONE;
  }
  return null;
}

/** @param file a HEIC file; a damaged one is not Display P3 */
export function isDisplayP3(file: Uint8Array): boolean {
  const view = new DataView(file.buffer, file.byteOffset, Math.min(file.byteLength, SEARCHED_BYTES));
  let found = false;
  try {
    for (let at = 0; at + 10 <= view.byteLength; at++) {
      if (view.getUint32(at) !== COLR) continue;
      const kind = view.getUint32(at + 4);
      // A profile says more than the numbers beside it.
      if (kind === PROF || kind === RICC) return Math.abs((redX(view, at + 8) ?? 0) - RED_X) < TOLERANCE;
      if (kind === NCLX) found ||= view.getUint16(at + 8) === NCLX_P3;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

/** Linear Display P3 to linear sRGB, both of white D65 (CSS Color 4). */
const P3_TO_SRGB = [
  [1.22494018, -0.22494018, 0],
  [-0.04205695, 1.04205695, 0],
  [-0.01963755, -0.07863605, 1.0982736],
] as const;
/** The steps of the table from linear light to sRGB: fine enough for the dark end. */
const LIGHT_STEPS = 1 << 14;

const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const encoded = (light: number): number =>
  light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;

/**
 * Converts RGBA of Display P3 to sRGB, in place: for browsers whose canvas knows sRGB alone. Colours outside sRGB are
 * clipped.
 */
export function toSrgb(pixels: Uint8ClampedArray): void {
  const light = Float32Array.from({ length: 256 }, (_, value) => linear(value / 255));
  const values = Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, at) =>
    Math.round(255 * encoded(at / LIGHT_STEPS)),
  );
  for (let at = 0; at < pixels.length; at += 4) {
    const red = light[pixels[at] ?? 0] ?? 0;
    const green = light[pixels[at + 1] ?? 0] ?? 0;
    const blue = light[pixels[at + 2] ?? 0] ?? 0;
    for (const [channel, [r, g, b]] of P3_TO_SRGB.entries()) {
      const sum = Math.min(1, Math.max(0, r * red + g * green + b * blue));
      pixels[at + channel] = values[Math.round(sum * LIGHT_STEPS)] ?? 0;
    }
  }
}
