/** The conversion of rows to sRGB, whatever the profile that it was made from. */

/** Turns whole pixels of 8 bits per sample into sRGB, in place, and answers how many bytes there are then. */
export type Convert = (rows: Uint8Array) => number;

export interface Conversion {
  convert: Convert;
  /** What its tables take. */
  bytes: number;
}
