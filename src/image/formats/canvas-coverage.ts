import type { Rect, Size } from "../model/size.ts";

const contains = (outer: Rect, inner: Rect): boolean =>
  outer.left <= inner.left &&
  outer.top <= inner.top &&
  outer.left + outer.width >= inner.left + inner.width &&
  outer.top + outer.height >= inner.top + inner.height;

/** What becomes of a frame's area before the next frame: it stays, is cleared, or is as it was before. */
export type Disposal = "keep" | "clear" | "restore";

/**
 * Whether an animation of opaque frames shows transparent canvas all the same: its first frame may be smaller
 * than the canvas, and a cleared frame may not be covered by the next. Browsers leave the canvas transparent
 * there, whatever background colour the file names.
 */
export class Coverage {
  /** The area that is transparent before the next frame; null when none is. */
  #bare: Rect | null;
  #transparent = false;

  constructor(canvas: Size) {
    this.#bare = { left: 0, top: 0, width: canvas.width, height: canvas.height };
  }

  draw(frame: Rect, disposal: Disposal): void {
    if (this.#bare !== null && !contains(frame, this.#bare)) this.#transparent = true;
    if (disposal === "clear") this.#bare = frame;
    else if (disposal === "keep") this.#bare = null;
  }

  get transparent(): boolean {
    return this.#transparent;
  }
}
