import type { Rect, Size } from "../geometry/size.ts";

const contains = (outer: Rect, inner: Rect): boolean =>
  outer.left <= inner.left &&
  outer.top <= inner.top &&
  outer.left + outer.width >= inner.left + inner.width &&
  outer.top + outer.height >= inner.top + inner.height;

/** What happens to a frame's area before the next frame: it stays, is cleared, or is restored to what was before. */
export type Disposal = "keep" | "clear" | "restore";

/**
 * Finds out whether an animation of opaque frames still shows transparent canvas. Its first frame may be smaller than
 * the canvas, and the next frame may not cover one that was cleared. Browsers leave the canvas transparent there,
 * whatever background colour the file names.
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
