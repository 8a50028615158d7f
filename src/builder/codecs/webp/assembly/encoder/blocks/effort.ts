/** How hard the encoder looks for the fewest bytes. */

/**
 * The predictions that are coded to compare them: of a block of 4 x 4, of ten, and of luma and of chroma in one piece,
 * of four. Five of a block would save 0.5 % of the bytes in a third more time, all ten nothing more.
 */
export let blockCandidates = 3;
export let planeCandidates = 2;

/** Codes only the prediction that looks best, because a visitor waits for the picture. */
export function hurry(): void {
  blockCandidates = 1;
  planeCandidates = 1;
}
