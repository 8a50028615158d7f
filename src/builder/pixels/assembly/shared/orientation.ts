/** The effect of the EXIF orientations 1 to 8 on the stored picture (EXIF 2.32, tag 274). */

/** Returns whether rows and columns are swapped, before anything else. */
@inline
export function isTransposed(orientation: i32): boolean {
  return orientation >= 5;
}

/** Returns whether rows are mirrored, after the swap. */
@inline
export function isMirrored(orientation: i32): boolean {
  return orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
}

/** Returns whether the last row comes first, after the swap. */
@inline
export function isUpwards(orientation: i32): boolean {
  return orientation == 3 || orientation == 4 || orientation >= 7;
}
