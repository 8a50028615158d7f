/**
 * The registry of formats. It holds plain data, so the client and the console can import it without a probe or a codec.
 * Types and lists of formats elsewhere are derived from it. The other registries have keys that follow from it:
 * `raster.ts` and `sniff.ts` (probes), `decodings.ts` and `encodings.ts` (plans), and those of
 * `src/builder/codecs`. The compiler names each of them that lacks a new format.
 */
import { avif } from "./avif/format.ts";
import type { FormatDescriptor, MasterTraits, VariantTraits } from "./descriptor.ts";
import { gif } from "./gif/format.ts";
import { jpeg } from "./jpeg/format.ts";
import { png } from "./png/format.ts";
import { svg } from "./svg/format.ts";
import { webp } from "./webp/format.ts";

export const FORMATS = { jpeg, png, gif, webp, avif, svg } as const satisfies Record<
  string,
  FormatDescriptor
>;

type Formats = typeof FORMATS;
export type Format = keyof Formats;

/** The formats whose descriptor is a `Trait`. */
type FormatsWith<Trait> = { [F in Format]: Formats[F] extends Trait ? F : never }[Format];

/** The formats of masters. */
export type MasterFormat = FormatsWith<{ master: MasterTraits }>;
/** The formats of masters whose files describe drawings. */
export type VectorFormat = FormatsWith<{ master: MasterTraits; isVector: true }>;
/** The formats of masters whose files hold pixels. */
export type RasterFormat = Exclude<MasterFormat, VectorFormat>;
/** The formats of variants. */
export type VariantFormat = FormatsWith<{ variant: VariantTraits }>;
/** The formats that `fm` can request. */
export type OutputFormat = FormatsWith<{ variant: { from: "any" } }>;
/** The formats that `auto=format` can lead to beside the master's own. */
export type NegotiatedFormat = FormatsWith<{ variant: { acceptRank: number } }>;

const ALL: Readonly<Record<Format, FormatDescriptor>> = FORMATS;
const NAMES = Object.keys(FORMATS) as Format[];

const isMasterFormat = (format: Format): format is MasterFormat => ALL[format].master !== null;
const isNegotiated = (format: Format): format is NegotiatedFormat =>
  typeof ALL[format].variant?.acceptRank === "number";

/** Returns whether a variant can have the format. */
export const isVariantFormat = (format: Format): format is VariantFormat => ALL[format].variant !== null;

/** Returns whether `fm` can request the format. */
export const isOutputFormat = (format: Format): format is OutputFormat => ALL[format].variant?.from === "any";

export const MASTER_FORMATS: readonly MasterFormat[] = NAMES.filter(isMasterFormat);
export const VARIANT_FORMATS: readonly VariantFormat[] = NAMES.filter(isVariantFormat);
export const OUTPUT_FORMATS: readonly OutputFormat[] = NAMES.filter(isOutputFormat);

const rankOf = (format: Format): number => ALL[format].variant?.acceptRank ?? Infinity;

/** In the order in which `auto=format` tries them. */
export const NEGOTIATED_FORMATS: readonly NegotiatedFormat[] = NAMES.filter(isNegotiated).toSorted(
  (a, b) => rankOf(a) - rankOf(b),
);

/** Returns the properties of a format as a variant. */
export const variantTraits = (format: VariantFormat): VariantTraits => FORMATS[format].variant;

/** Returns the format with this MIME type; null for a type that no format has. */
export const formatOfMime = (mime: string): Format | null =>
  NAMES.find((format) => FORMATS[format].mime === mime) ?? null;
