import type { AvifFacts, Orientation } from "../../model/facts.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { Reader, type Box } from "./isobmff.ts";
import type { Rect, Size } from "../../geometry/size.ts";

/** The properties of an item, or of a track's sample entry. Properties that the file does not state are absent. */
export interface Properties {
  size?: Size;
  codec?: { bitDepth: number; chroma: AvifFacts["chroma"] };
  /** The content of `av1C`, for the decoder. */
  configuration?: Uint8Array;
  /** Bits of each channel (`pixi`). */
  channels?: number[];
  icc?: Uint8Array;
  codePoints?: { primaries: number; transfer: number };
  /** The content of the `colr` with code points, for the decoder. */
  nclx?: Uint8Array;
  /** Clean aperture in pixels, not rounded: its size, and the offset of its centre from the picture's centre. */
  aperture?: [width: number, height: number, right: number, down: number];
  /** Counter-clockwise quarter turns. */
  turns?: number;
  /** Axis of the mirror: 0 swaps top and bottom, 1 swaps left and right. */
  mirror?: number;
  auxiliary?: string;
  /** The operating point (`a1op`) and the spatial layer (`lsel`) to show, of an item with several. */
  operatingPoint?: number;
  layer?: number;
}

/** The value of `lsel` that leaves the choice to the operating point. */
const ANY_LAYER = 0xffff;

/** The two names of an alpha plane: the one of MIAF (ISO/IEC 23000-22), and the older one of HEVC. */
const ALPHA_TYPES: readonly (string | undefined)[] = [
  "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
  "urn:mpeg:hevc:2015:auxid:1",
];

export const isAlpha = (properties: Properties): boolean => ALPHA_TYPES.includes(properties.auxiliary);

/** Reads one property: ISO/IEC 23008-12 section 6.5, AV1-ISOBMFF section 2.3. Unknown ones give an empty object. */
export function readProperty({ type, body }: Box): Properties {
  const reader = new Reader(body, `property ${type}`);
  switch (type) {
    case "ispe": {
      reader.full();
      const size = { width: reader.u32(), height: reader.u32() };
      if (size.width === 0 || size.height === 0) {
        throw new InvalidImageError(`AVIF picture of ${size.width}×${size.height} pixels`);
      }
      return { size };
    }
    case "av1C":
      return { codec: readCodec(reader), configuration: body };
    case "pixi": {
      reader.full();
      return { channels: [...reader.bytes(reader.u8())] };
    }
    case "colr":
      return readColour(reader, body);
    case "clap":
      return { aperture: readAperture(reader) };
    case "irot":
      return { turns: reader.u8() & 3 };
    case "imir":
      return { mirror: reader.u8() & 1 };
    case "a1op":
      return { operatingPoint: reader.u8() };
    case "lsel": {
      const layer = reader.u16();
      return layer === ANY_LAYER ? {} : { layer };
    }
    case "auxC":
    case "auxi":
      reader.full();
      return { auxiliary: reader.text() };
    default:
      return {};
  }
}

/**
 * Merges properties. Of several with the same name the first counts, as in libavif. An ICC profile and code points,
 * which come in two `colr`, have different names here, so both are kept.
 */
export function merge(list: Iterable<Properties>): Properties {
  const merged: Properties = {};
  for (const properties of list) Object.assign(merged, { ...properties, ...merged });
  return merged;
}

function readCodec(reader: Reader): NonNullable<Properties["codec"]> {
  const [marker, , packed] = reader.bytes(4) as unknown as number[];
  if (marker !== 0x81) throw new InvalidImageError("AVIF property av1C is of an unknown version");
  const flag = (bit: number): boolean => ((packed! >> bit) & 1) === 1;
  const [highBitDepth, twelveBit, monochrome, subsampledX, subsampledY] = [6, 5, 4, 3, 2].map(flag);
  return {
    bitDepth: highBitDepth ? (twelveBit ? 12 : 10) : 8,
    chroma: monochrome ? "400" : !subsampledX ? "444" : subsampledY ? "420" : "422",
  };
}

function readColour(reader: Reader, nclx: Uint8Array): Properties {
  const kind = reader.fourcc();
  if (kind === "prof" || kind === "rICC") return { icc: reader.rest() };
  if (kind !== "nclx") return {};
  return { codePoints: { primaries: reader.u16(), transfer: reader.u16() }, nclx };
}

function readAperture(reader: Reader): NonNullable<Properties["aperture"]> {
  const fraction = (): number => {
    const numerator = reader.i32();
    const denominator = reader.u32();
    if (denominator === 0) throw new InvalidImageError("AVIF property clap divides by 0");
    return numerator / denominator;
  };
  return [fraction(), fraction(), fraction(), fraction()];
}

/**
 * Returns the clean aperture in coded pixels (ISO/IEC 14496-12 section 12.1.4); null for the whole picture. Fractions,
 * which MIAF forbids, are rounded.
 * @throws InvalidImageError when it is empty or extends beyond the picture
 */
export function cropOf({ aperture }: Properties, picture: Size): Rect | null {
  if (aperture === undefined) return null;
  const [width, height] = [Math.round(aperture[0]), Math.round(aperture[1])];
  const left = Math.round((picture.width - width) / 2 + aperture[2]);
  const top = Math.round((picture.height - height) / 2 + aperture[3]);
  const outside = left < 0 || top < 0 || left + width > picture.width || top + height > picture.height;
  if (width < 1 || height < 1 || outside) {
    throw new InvalidImageError("AVIF clean aperture reaches out of the picture");
  }
  return width === picture.width && height === picture.height ? null : { left, top, width, height };
}

/** Orientations, by counter-clockwise quarter turns and then by the mirror: none, top–bottom, left–right. */
const ORIENTATIONS: readonly (readonly Orientation[])[] = [
  [1, 4, 2],
  [8, 5, 7],
  [3, 2, 4],
  [6, 7, 5],
];

/**
 * Returns turn and mirror as one EXIF orientation. The turn is applied first, whatever the order in the file, as MIAF
 * section 7.3.6.7 demands and libavif does. The Exif item is ignored, because in HEIF only these two properties count.
 */
export const orientationOf = ({ turns = 0, mirror }: Properties): Orientation =>
  ORIENTATIONS[turns]![mirror === undefined ? 0 : 1 + mirror]!;
