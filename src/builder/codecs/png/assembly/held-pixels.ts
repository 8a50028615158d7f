/**
 * Holds the pixels of a picture as indices into its colours, one byte each, for as long as it has no more than 256
 * colours. Whether a PNG can have a palette is known only after its last pixel, but the palette precedes the pixels.
 */
import { allocate } from "../../../pixels/assembly/shared/arena";

const MOST_COLOURS: i32 = 256;
/** Places of the hash table of colours. At most a quarter is taken, so a search is short. */
const HASH_BITS: u32 = 10;
const HASH_PLACES: i32 = 1 << HASH_BITS;
const HASH_FACTOR: u32 = 0x9e3779b1;
const OPAQUE: u32 = 0xff000000;
/** The factor that copies a grey level into red, green and blue. */
const GREY: u32 = 0x010101;

/** The colours in order of appearance: red, green, blue and alpha in a u32, red lowest. */
const colours = memory.data(4 * MOST_COLOURS);
/** A place holds the number of its colour plus 1 (u16); 0 is none. */
const places = memory.data(2 * HASH_PLACES);
let colourCount = 0;

let pixels: usize = 0;
let rowPixels: usize = 0;
let channels: usize = 0;
/** Rows that are held. */
export let heldRows: i32 = 0;

/** Allocates room for `rows` rows of `width` pixels. @returns false when the memory is at its end */
export function layOutHeldPixels(width: i32, channelsIn: i32, rows: i32): boolean {
  rowPixels = width;
  channels = channelsIn;
  pixels = allocate(<u64>width * <u64>rows);
  return pixels ? true : false;
}

/** Returns the pixel at `from` as red, green, blue and alpha. */
@inline
function pixelAt(from: usize): u32 {
  if (channels == 4) return load<u32>(from);
  if (channels == 3) return (<u32>load<u16>(from)) | ((<u32>load<u8>(from + 2)) << 16) | OPAQUE;
  const level = <u32>load<u8>(from) * GREY;
  return channels == 1 ? level | OPAQUE : level | ((<u32>load<u8>(from + 1)) << 24);
}

/** Returns the number of a colour, which is added when it is new; -1 when that would be one too many. */
function numberOf(colour: u32): i32 {
  let place = <i32>((colour * HASH_FACTOR) >> (32 - HASH_BITS));
  for (;;) {
    const entry = <i32>load<u16>(places + ((<usize>place) << 1));
    if (entry == 0) break;
    if (load<u32>(colours + ((<usize>(entry - 1)) << 2)) == colour) return entry - 1;
    place = (place + 1) & (HASH_PLACES - 1);
  }
  if (colourCount == MOST_COLOURS) return -1;
  store<u32>(colours + ((<usize>colourCount) << 2), colour);
  store<u16>(places + ((<usize>place) << 1), <u16>++colourCount);
  return colourCount - 1;
}

/**
 * Holds the next `count` rows at `from`.
 * @returns how many were held: fewer than `count` when a row has the 257th colour
 */
export function hold(from: usize, count: i32): i32 {
  let last: u32 = 0;
  let number = -1;
  for (let row = 0; row < count; row++) {
    const to = pixels + <usize>heldRows * rowPixels;
    for (let x: usize = 0; x < rowPixels; x++, from += channels) {
      const pixel = pixelAt(from);
      if (pixel != last || number < 0) {
        number = numberOf(pixel);
        if (number < 0) return row;
        last = pixel;
      }
      store<u8>(to + x, <u8>number);
    }
    heldRows++;
  }
  return count;
}

/** Writes row `row` to `to` as it was. */
export function restore(row: i32, to: usize): void {
  const from = pixels + <usize>row * rowPixels;
  for (let x: usize = 0; x < rowPixels; x++, to += channels) {
    const colour = load<u32>(colours + ((<usize>load<u8>(from + x)) << 2));
    if (channels == 4) store<u32>(to, colour);
    else if (channels == 2) store<u16>(to, <u16>((colour & 0xff) | ((colour >> 24) << 8)));
    else {
      store<u8>(to, <u8>colour);
      if (channels == 1) continue;
      store<u8>(to + 1, <u8>(colour >> 8));
      store<u8>(to + 2, <u8>(colour >> 16));
    }
  }
}

/** Writes row `row` to `to` as samples of `depth` bits, those of `samples` by colour, the first pixel highest. */
export function pack(row: i32, depth: i32, samples: usize, to: usize): void {
  const from = pixels + <usize>row * rowPixels;
  const perByte: usize = 8 / depth;
  for (let x: usize = 0; x < rowPixels; x += perByte) {
    let byte: u32 = 0;
    for (let i: usize = 0; i < perByte; i++) {
      byte <<= depth;
      if (x + i < rowPixels) byte |= load<u8>(samples + load<u8>(from + x + i));
    }
    store<u8>(to++, <u8>byte);
  }
}

export function heldColours(): i32 {
  return colourCount;
}

@inline
export function heldColour(number: i32): u32 {
  return load<u32>(colours + ((<usize>number) << 2));
}
