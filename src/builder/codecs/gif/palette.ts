/** A GIF's colour table, and the nearest of its colours for a pixel. All pixels here are opaque. */

/** Most colours of a table. One index of 256 is the transparent one. */
export const MOST_COLOURS = 255;
const CACHE_BITS = 16;
const CACHE_SLOTS = 1 << CACHE_BITS;
const SLOTS = 1024;

/** A set of colours, up to the number that fits a table. */
export class ColourSet {
  readonly #slots = new Uint32Array(SLOTS);
  readonly colours: number[] = [];
  readonly #most: number;
  #last = 0;

  /** Whether a colour did not fit. */
  isOverfull = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a pixel's colour. */
  add(pixel: number): void {
    if (pixel === this.#last || this.isOverfull) return;
    this.#last = pixel;
    const slot = this.#find(pixel);
    if (this.#slots[slot] === pixel) return;
    if (this.colours.length === this.#most) this.isOverfull = true;
    else {
      this.#slots[slot] = pixel;
      this.colours.push(pixel);
    }
  }

  /** Returns the slot of a pixel. A slot with 0 is empty, because opaque pixels are never 0. */
  #find(pixel: number): number {
    let slot = (Math.imul(pixel, 0x9e3779b1) >>> 22) & (SLOTS - 1);
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== pixel) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }
}

export class Palette {
  #colours: readonly number[] = [];
  readonly #channels = new Int16Array(3 * 256);
  /** A cache of looked-up pixels. Each has one possible place, which keeps the last pixel. */
  readonly #keys = new Uint32Array(CACHE_SLOTS);
  readonly #found = new Uint8Array(CACHE_SLOTS);

  load(colours: readonly number[]): void {
    this.#colours = colours;
    colours.forEach((colour, i) => {
      for (let c = 0; c < 3; c++) this.#channels[3 * i + c] = (colour >>> (8 * c)) & 255;
    });
    this.#keys.fill(0);
  }

  get colours(): readonly number[] {
    return this.#colours;
  }

  /** Returns the index of the colour nearest to that of the pixel. */
  indexOf(pixel: number): number {
    const slot = Math.imul(pixel, 0x9e3779b1) >>> (32 - CACHE_BITS);
    if (this.#keys[slot] !== pixel) {
      this.#keys[slot] = pixel;
      this.#found[slot] = this.#search(pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255);
    }
    return this.#found[slot] as number;
  }

  #search(red: number, green: number, blue: number): number {
    const channels = this.#channels;
    let best = 0;
    let least = Infinity;
    for (let i = 0, at = 0; i < this.#colours.length; i++, at += 3) {
      const r = (channels[at] as number) - red;
      const g = (channels[at + 1] as number) - green;
      const b = (channels[at + 2] as number) - blue;
      const distance = r * r + g * g + b * b;
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return best;
  }
}

/** Returns the squared distance of two opaque colours. */
export function distanceOf(a: number, b: number): number {
  const red = (a & 255) - (b & 255);
  const green = ((a >>> 8) & 255) - ((b >>> 8) & 255);
  const blue = ((a >>> 16) & 255) - ((b >>> 16) & 255);
  return red * red + green * green + blue * blue;
}
