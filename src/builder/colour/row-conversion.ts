/** The interface of conversions of rows to the gamut of a variant. */

/** Converts whole pixels of 8 bits per sample to the gamut, in place, and returns how many bytes they have then. */
export type Convert = (rows: Uint8Array) => number;

export interface Conversion {
  convert: Convert;
  /** Bytes of its tables. */
  bytes: number;
}
