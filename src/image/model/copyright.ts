/** The statements about the rights in a master that its file makes, and variants keep (RULES 9.9). */

export interface Copyright {
  /** The names of the creators, joined by CREATOR_SEPARATOR. */
  creator: string | null;
  /** The credit line. */
  credit: string | null;
  /** The copyright notice. */
  notice: string | null;
  /** The usage terms of the rights. */
  usageTerms: string | null;
  /** The web statement of rights: an address. */
  statement: string | null;
  licensor: Licensor | null;
}

/** A person or company that licenses the picture: a name, an address of the web, or both. */
export interface Licensor {
  name: string | null;
  url: string | null;
}

/** Joins creators in one text, as EXIF does (EXIF 2.32, tag Artist). */
export const CREATOR_SEPARATOR = "; ";

/** Returns the licensor as one text. */
export const licensorText = (licensor: Licensor | null): string | null =>
  licensor && [licensor.name, licensor.url].filter((part) => part !== null).join(", ");

/** The space's setting `metadata`: what variants keep of their master's statements about rights. */
export const METADATA_SETTINGS = ["copyright", "none"] as const;
export type MetadataSetting = (typeof METADATA_SETTINGS)[number];
