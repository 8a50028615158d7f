/** Code points of ITU-T H.273 (CICP): colour primaries and transfer, as PNG `cICP` and HEIF `nclx` state them. */

export interface CodePoints {
  primaries: number;
  transfer: number;
  /** True: black is 0 and white is the largest value. False: of 255, black is 16 and white is 235. */
  fullRange: boolean;
}

const UNSPECIFIED = 2;
const BT709_PRIMARIES = 1;
/** Transfers that browsers and libvips show as sRGB: BT.709, unspecified, BT.601, and sRGB itself. */
const SRGB_LIKE_TRANSFERS: readonly number[] = [1, UNSPECIFIED, 6, 13];

/** H.273, tables 2 and 3: the values that name primaries and a transfer. All others are reserved or unspecified. */
const NAMED_PRIMARIES: readonly number[] = [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22];
const NAMED_TRANSFERS: readonly number[] = [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18];

/** Returns whether both values name something, so that they say more than an ICC profile beside them. */
export const isNamed = (primaries: number, transfer: number): boolean =>
  NAMED_PRIMARIES.includes(primaries) && NAMED_TRANSFERS.includes(transfer);

/** Returns whether the samples can be used as sRGB without a conversion. */
export function isPlainSrgb(primaries: number, transfer: number): boolean {
  return (
    (primaries === BT709_PRIMARIES || primaries === UNSPECIFIED) && SRGB_LIKE_TRANSFERS.includes(transfer)
  );
}
