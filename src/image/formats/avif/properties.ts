import type { AvifFacts, Orientation } from "../../model/facts.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { Reader, type Box } from "./isobmff.ts";
import type { Rect, Size } from "../../model/size.ts";

/** What an item (or a track's sample entry) is said to be, property by property; absent where it is not said. */
export interface Properties {
  size?: Size;
  codec?: { bitDepth: number; chroma: AvifFacts["chroma"] };
  /** The content of `av1C`, for whoever decodes. */
  configuration?: Uint8Array;
  /** Bits of each channel (`pixi`). */
  channels?: number[];
  icc?: Uint8Array;
  codePoints?: { primaries: number; transfer: number };
  /** The content of the `colr` with code points, for whoever decodes. */
  nclx?: Uint8Array;
  /** Clean aperture: size, and the offset of its centre from the picture's, as fractions. */
  aperture?: [width: number, height: number, right: number, down: number];
  /** Quarter turns against the clock. */
  turns?: number;
  /** Axis of the mirror: 0 exchanges top and bottom, 1 left and right. */
  mirror?: number;
  auxiliary?: string;
}

/** The two names of an alpha plane: that of MIAF (ISO/IEC 23000-22) and HEVC's older one. */
const ALPHA_TYPES: readonly (string | undefined)[] = [
  "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
  "urn:mpeg:hevc:2015:auxid:1",
];

export const isAlpha = (properties: Properties): boolean => ALPHA_TYPES.includes(properties.auxiliary);

/** Reads one property: ISO/IEC 23008-12 section 6.5, AV1-ISOBMFF section 2.3. Others come back empty. */
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
    case "auxC":
    case "auxi":
      reader.full();
      return { auxiliary: reader.text() };
    default:
      return {};
  }
}

/** Puts properties together; of two of a kind the first counts, as in libavif, but an ICC profile and code points
 * stand side by side in two `colr`. */
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
 * The clean aperture in coded pixels (ISO/IEC 14496-12 section 12.1.4); null for the whole picture. Fractions,
 * which MIAF does not allow, are rounded.
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

/** Orientation by quarter turns against the clock, then the mirror: none, top–bottom, left–right. */
const ORIENTATIONS: readonly (readonly Orientation[])[] = [
  [1, 4, 2],
  [8, 5, 7],
  [3, 2, 4],
  [6, 7, 5],
];

/**
 * The turn and mirror as one EXIF orientation. The turn comes first whatever the order in the file, as MIAF
 * section 7.3.6.7 demands and libavif does; an Exif item is not asked (HEIF leaves orientation to these two properties).
 */
export const orientationOf = ({ turns = 0, mirror }: Properties): Orientation =>
  ORIENTATIONS[turns]![mirror === undefined ? 0 : 1 + mirror]!;
