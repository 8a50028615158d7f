/** A GIF's colour table, and which of its colours a pixel gets. Pixels here are opaque. */

/** One index of 256 stays free for "transparent". */
export const MOST_COLOURS = 255;
/** Six bits a channel. */
const CACHE_CELLS = 262_144;
const SLOTS = 1024;
const UNKNOWN = -1;

/** Different colours, up to so many as a table holds. */
export class ColourSet {
  readonly #slots = new Uint32Array(SLOTS);
  readonly #indices = new Int16Array(SLOTS);
  readonly colours: number[] = [];
  #last = 0;

  /** Adds a pixel's colour; false when there is no place for it. */
  add(pixel: number): boolean {
    if (pixel === this.#last) return true;
    const slot = this.#find(pixel);
    if (this.#slots[slot] !== pixel) {
      if (this.colours.length === MOST_COLOURS) return false;
      this.#slots[slot] = pixel;
      this.#indices[slot] = this.colours.length;
      this.colours.push(pixel);
    }
    this.#last = pixel;
    return true;
  }

  /** Where the colour stands in `colours`; -1 for one that was not added. */
  indexOf(pixel: number): number {
    const slot = this.#find(pixel);
    return this.#slots[slot] === pixel ? (this.#indices[slot] as number) : UNKNOWN;
  }

  /** Opaque pixels are never 0, which stands for an empty slot. */
  #find(pixel: number): number {
    let slot = (Math.imul(pixel, 0x9e3779b1) >>> 22) & (SLOTS - 1);
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== pixel) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }
}

export class Palette {
  #set = new ColourSet();
  readonly #nearest = new Int16Array(CACHE_CELLS);

  load(colours: Iterable<number>): void {
    this.#set = new ColourSet();
    for (const colour of colours) this.#set.add(colour);
    this.#nearest.fill(UNKNOWN);
  }

  get colours(): readonly number[] {
    return this.#set.colours;
  }

  /** The index of the pixel's own colour, or of one that is nearest to it. */
  indexOf(pixel: number): number {
    const exact = this.#set.indexOf(pixel);
    if (exact !== UNKNOWN) return exact;
    const cell = ((pixel & 0xfc) << 10) | ((pixel & 0xfc00) >>> 4) | ((pixel & 0xfc_0000) >>> 18);
    const known = this.#nearest[cell] as number;
    return known !== UNKNOWN ? known : (this.#nearest[cell] = this.#search((pixel & 0xfc_fcfc) | 0x02_0202));
  }

  #search(pixel: number): number {
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < this.colours.length; i++) {
      const distance = distanceOf(this.colours[i] as number, pixel);
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return best;
  }
}

/** Squared distance of two opaque colours. */
export function distanceOf(a: number, b: number): number {
  const red = (a & 255) - (b & 255);
  const green = ((a >>> 8) & 255) - ((b >>> 8) & 255);
  const blue = ((a >>> 16) & 255) - ((b >>> 16) & 255);
  return red * red + green * green + blue * blue;
}
