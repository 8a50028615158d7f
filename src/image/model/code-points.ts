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

/** Whether the samples can be used as sRGB without a conversion. */
export function isPlainSrgb(primaries: number, transfer: number): boolean {
  return (
    (primaries === BT709_PRIMARIES || primaries === UNSPECIFIED) && SRGB_LIKE_TRANSFERS.includes(transfer)
  );
}
