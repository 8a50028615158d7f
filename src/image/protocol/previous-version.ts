/**
 * Everything that this version does so that the previous version understands it. A deploy replaces the two Workers one
 * after the other, and a roll-back does the same, so an edge and a builder of neighbouring versions call each other for
 * some seconds. Versions that are further apart never do: the builder answers "version" to an order without the
 * encoder version that it knows, and the order waits.
 *
 * The previous version is that of 2026-11-26, in which the edge could also hand over a master as a stream, and the
 * builder could also answer a small file as a stream. This file and its test may go with the first change after a deploy
 * of this version: by then, every edge hands over pieces, and every builder answers with bytes.
 */

/** The argument of `open` without which an edge of the previous version answers with a stream. */
export const AS_PIECES = "pieces";

/** The field of an order without which a builder of the previous version answers a small file as a stream. */
export const TAKES_BYTES = { takesBytes: true } as const;
