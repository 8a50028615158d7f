/** Which colour table a frame gets: the file's, made for its first frame, or one of its own. */
import { ColourSet, distanceOf, MOST_COLOURS, Palette } from "./palette.ts";
import { Quantiser } from "./quantise.ts";
import type { Area } from "./rectangles.ts";

/** Mean squared distance up to which the file's table is good enough: about two steps a channel. */
const GOOD_ENOUGH = 12;
/** A table of the frame's own must be better than the file's by so much to be worth its bytes. */
const WORTH_IT = 0.7;
/** Of a frame that is all transparent: a table cannot be empty. */
const BLACK = 0xff00_0000;

export class GifPalettes {
  readonly global = new Palette();
  readonly #local = new Palette();
  readonly #quantiser = new Quantiser();
  #isFirst = true;

  /** The table for those pixels of `area` that are not as `before`; all of them when that is null. */
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
    if (shared <= GOOD_ENOUGH) return this.global;
    this.#local.load(this.#coloursOf(each));
    return meanError(this.#local, each) < shared * WORTH_IT ? this.#local : this.global;
  }

  /** The colours themselves where a table holds them all, else the best that stand for them. */
  #coloursOf(each: (visit: (pixel: number) => void) => void): readonly number[] {
    const set = new ColourSet();
    each((pixel) => set.add(pixel));
    if (!set.isOverfull) return set.colours.length > 0 ? set.colours : [BLACK];
    this.#quantiser.start();
    each((pixel) => this.#quantiser.add(pixel));
    return this.#quantiser.colours(MOST_COLOURS);
  }
}

function meanError(palette: Palette, each: (visit: (pixel: number) => void) => void): number {
  const { colours } = palette;
  let [sum, count] = [0, 0];
  each((pixel) => {
    sum += distanceOf(colours[palette.indexOf(pixel)] as number, pixel);
    count++;
  });
  return count === 0 ? 0 : sum / count;
}
