/** What EXIF's orientations 1 to 8 do to a picture as it is stored (EXIF 2.32, tag 274). */

/** Rows and columns change places, before anything else. */
@inline
export function isTransposed(orientation: i32): boolean {
  return orientation >= 5;
}

/** Rows are seen from their other end. */
@inline
export function isMirrored(orientation: i32): boolean {
  return orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
}

/** The last row is seen first. */
@inline
export function isUpwards(orientation: i32): boolean {
  return orientation == 3 || orientation == 4 || orientation >= 7;
}
