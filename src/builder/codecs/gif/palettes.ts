/** Chooses the colour table of a frame: that of the file, which is made for its first frame, or one of its own. */
import { ColourSet, distanceOf, MOST_COLOURS, Palette } from "./palette.ts";
import { Quantiser } from "./quantise.ts";
import type { Area } from "../../animation/rectangles.ts";

/** Up to this mean squared distance, the file's table is good enough: about two steps per channel. */
const GOOD_ENOUGH = 24;
/** A local table is used if its mean error is below this share of the error of the file's table. */
const WORTH_IT = 0.5;
/** Mean squared distance over all pixels that a smaller table may cost. */
const MEAN_LOSS = 2;
const PIXELS_A_COLOUR = 64;
const LEAST_COLOURS = 7;
/** The colour of a frame that is all transparent, because a table cannot be empty. */
const BLACK = 0xff00_0000;

export class GifPalettes {
  readonly global = new Palette();
  readonly #local = new Palette();
  readonly #quantiser = new Quantiser();
  readonly #isExact: boolean;
  #isFirst = true;
  #isWritten = false;

  /** @param isExact whether the original colours are kept if all of them fit a table */
  constructor(isExact: boolean) {
    this.#isExact = isExact;
  }

  /** Ends the file's table once it has been written: no colour is added to it any more. */
  close(): void {
    this.#isWritten = true;
  }

  /** Chooses the table for the pixels of `area` that differ from `before`; for all pixels when that is null. */
  choose(area: Area, pixels: Uint32Array, before: Uint32Array | null): Palette {
    const each = (visit: (pixel: number) => void): void =>
      area.each((i) => {
        const pixel = pixels[i] as number;
        if (pixel !== 0 && !(before && before[i] === pixel)) visit(pixel);
      });
    if (this.#isFirst) {
      this.#isFirst = false;
      this.global.load(this.#coloursOf(each));
      return this.global;
    }
    const shared = meanError(this.global, each);
    if (shared.mean <= (this.#isExact ? 0 : GOOD_ENOUGH)) return this.global;
    const colours = this.#coloursOf(each, this.#isExact ? MOST_COLOURS : coloursFor(shared.count));
    // Until the file's table is written, colours can be added to it as long as there is room.
    const together = [...new Set([...this.global.colours, ...colours])];
    if (together.length <= MOST_COLOURS && !this.#isWritten) {
      this.global.load(together);
      return this.global;
    }
    this.#local.load(colours);
    return meanError(this.#local, each).mean < shared.mean * WORTH_IT ? this.#local : this.global;
  }

  /**
   * Returns the best colours for the pixels. Resizing makes many colours where few look the same and make a smaller
   * file.
   */
  #coloursOf(each: (visit: (pixel: number) => void) => void, most = MOST_COLOURS): readonly number[] {
    const set = new ColourSet(most);
    each((pixel) => set.add(pixel));
    if (set.colours.length === 0) return [BLACK];
    if (!set.isOverfull && this.#isExact) return set.colours;
    this.#quantiser.start();
    each((pixel) => this.#quantiser.add(pixel));
    return this.#quantiser.colours(most, MEAN_LOSS);
  }
}

/**
 * Returns the number of colours for an area. A colour costs 3 bytes, a pixel about half a byte, so few pixels get few
 * colours.
 */
function coloursFor(pixels: number): number {
  const entries = 2 ** Math.floor(Math.log2(pixels / PIXELS_A_COLOUR));
  return Math.min(MOST_COLOURS, Math.max(LEAST_COLOURS, entries - 1));
}

function meanError(
  palette: Palette,
  each: (visit: (pixel: number) => void) => void,
): { mean: number; count: number } {
  const { colours } = palette;
  let [sum, count] = [0, 0];
  each((pixel) => {
    sum += distanceOf(colours[palette.indexOf(pixel)] as number, pixel);
    count++;
  });
  return { mean: count === 0 ? 0 : sum / count, count };
}
