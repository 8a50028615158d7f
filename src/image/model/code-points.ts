/** Code points of ITU-T H.273 (CICP) for colour primaries and transfer, from PNG `cICP` and HEIF `nclx`. */

export interface CodePoints {
  primaries: number;
  transfer: number;
  /** Whether 0 is black and the largest value white; else 16 and 235 of 255 are. */
  fullRange: boolean;
}

const UNSPECIFIED = 2;
const BT709_PRIMARIES = 1;
/** BT.709 and BT.601 transfer are shown as sRGB by browsers and libvips, like unspecified and sRGB itself. */
const SRGB_LIKE_TRANSFERS: readonly number[] = [1, UNSPECIFIED, 6, 13];

/** Whether the samples can be taken as sRGB, so that nothing has to be converted. */
export function isPlainSrgb(primaries: number, transfer: number): boolean {
  return (
    (primaries === BT709_PRIMARIES || primaries === UNSPECIFIED) && SRGB_LIKE_TRANSFERS.includes(transfer)
  );
}
