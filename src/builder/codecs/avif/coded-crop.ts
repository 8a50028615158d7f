/** Which part of a coded picture is wanted. */
import type { AvifFacts } from "../../../image/model/facts.ts";
import type { Rect } from "../../../image/geometry/size.ts";

/**
 * Returns the rectangle of the coded picture that is handed out. @param crop within the clean aperture; null for all of
 * it
 */
export function codedCrop(facts: AvifFacts, crop: Rect | null): Rect {
  const aperture = facts.crop ?? { left: 0, top: 0, width: facts.codedWidth, height: facts.codedHeight };
  return crop ? { ...crop, left: aperture.left + crop.left, top: aperture.top + crop.top } : aperture;
}
