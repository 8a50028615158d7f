/**
 * Computing in pieces. The checking of a drawing holds its isolate, in which other requests wait meanwhile. So it is
 * written as a generator, which yields when its caller should serve them.
 */
import type { Work } from "./work.ts";

export type InPieces<T> = Generator<undefined, T, undefined>;

/** Yields if the work since the last pause is a piece (SVG.pieceUnits). */
export function* pauseIfDue(work: Work): InPieces<void> {
  if (!work.isPauseDue) return;
  yield;
  work.begin();
}

/** Computes without any pause. */
export function inOnePiece<T>(pieces: InPieces<T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done) return step.value;
  }
}
