/**
 * Holds a picture as numbers of its colours, two bytes per pixel, for as long as it has few of them. A picture with more
 * is a photograph, or a drawing that has been shrunk, and takes fewer bytes with loss.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";

const MOST_COLOURS: i32 = 8192;
/** Places of the hash table of colours. At most a quarter is taken, so a search is short. */
const HASH_BITS: u32 = 15;
const HASH_PLACES: i32 = 1 << HASH_BITS;
const HASH_FACTOR: u32 = 0x9e3779b1;
const OPAQUE: u32 = 0xff000000;
/** The factor that copies a grey level into red, green and blue. */
const GREY: u32 = 0x010101;

/** The colours (u32): blue lowest, then green, red and alpha, as in VP8L. */
let colours: usize = 0;
export let colourCount = 0;
/** A place holds the number of its colour plus 1 (u16); 0 is none. */
let places: usize = 0;
/** The number of each pixel's colour (u16). */
let pixels: usize = 0;
let width = 0;
let channels: usize = 0;
let rowsHeld = 0;
/** Whether all rows so far are held. */
export let isHeld = false;
/** Whether a pixel so far can be seen through. */
export let isTranslucent = false;

/** @returns false when the memory is at its end */
export function layOutPixels(pictureWidth: i32, height: i32, channelCount: usize): boolean {
  width = pictureWidth;
  channels = channelCount;
  colours = allocate(4 * MOST_COLOURS);
  places = allocate(2 * HASH_PLACES);
  pixels = allocate(2 * <u64>width * <u64>height);
  isHeld = true;
  return colours && places && pixels ? true : false;
}

/** Returns the colour of a number. */
@inline
export function colourOf(number: i32): u32 {
  return load<u32>(colours + ((<usize>number) << 2));
}

/** Returns the number of the colour of the pixel at a place. */
@inline
export function numberAt(place: i32): i32 {
  return <i32>load<u16>(pixels + ((<usize>place) << 1));
}

/** Returns the colour of the pixel at `from`. A fully transparent one has no colour. */
@inline
function pixelAt(from: usize): u32 {
  if (channels == 4) {
    const pixel = load<u32>(from);
    return pixel >> 24 ? (pixel & 0xff00ff00) | ((pixel & 0xff) << 16) | ((pixel >> 16) & 0xff) : 0;
  }
  if (channels == 3) {
    return (
      OPAQUE | ((<u32>load<u8>(from)) << 16) | ((<u32>load<u8>(from + 1)) << 8) | (<u32>load<u8>(from + 2))
    );
  }
  const grey = <u32>load<u8>(from) * GREY;
  if (channels == 1) return OPAQUE | grey;
  const alpha = <u32>load<u8>(from + 1);
  return alpha ? (alpha << 24) | grey : 0;
}

/** Returns the number of a colour, which is added when it is new; -1 when that would be one too many. */
function numberOf(colour: u32): i32 {
  let place = <i32>((colour * HASH_FACTOR) >> (32 - HASH_BITS));
  for (;;) {
    const entry = <i32>load<u16>(places + ((<usize>place) << 1));
    if (entry == 0) break;
    if (colourOf(entry - 1) == colour) return entry - 1;
    place = (place + 1) & (HASH_PLACES - 1);
  }
  if (colourCount == MOST_COLOURS) return -1;
  store<u32>(colours + ((<usize>colourCount) << 2), colour);
  store<u16>(places + ((<usize>place) << 1), <u16>++colourCount);
  if (colour >> 24 != 255) isTranslucent = true;
  return colourCount - 1;
}

/** Writes the colours of a row of samples (u32). */
export function readPixels(row: usize, to: usize): void {
  for (let x = 0; x < width; x++) {
    store<u32>(to, pixelAt(row));
    to += 4;
    row += channels;
  }
}

/** Holds a row of pixels (u32), unless one of its colours is one too many. */
export function holdRow(row: usize): void {
  if (!isHeld) return;
  let to = pixels + 2 * <usize>rowsHeld * <usize>width;
  let last: u32 = 0;
  let number = -1;
  for (let x = 0; x < width; x++) {
    const colour = load<u32>(row);
    if (number < 0 || colour != last) {
      number = numberOf(colour);
      if (number < 0) {
        isHeld = false;
        return;
      }
    }
    last = colour;
    store<u16>(to, <u16>number);
    to += 2;
    row += 4;
  }
  rowsHeld++;
}

/** Orders the colours by their value, with the numbers of the pixels. There are at most 256. */
export function orderColours(): void {
  const rank = places;
  for (let i = 0; i < colourCount; i++) {
    let below: u16 = 0;
    for (let other = 0; other < colourCount; other++) if (colourOf(other) < colourOf(i)) below++;
    store<u16>(rank + ((<usize>i) << 1), below);
  }
  const ordered = rank + 2 * 256;
  for (let i = 0; i < colourCount; i++) {
    store<u32>(ordered + ((<usize>load<u16>(rank + ((<usize>i) << 1))) << 2), colourOf(i));
  }
  memory.copy(colours, ordered, 4 * <usize>colourCount);
  const count = width * rowsHeld;
  for (let place = 0; place < count; place++) {
    const at = pixels + ((<usize>place) << 1);
    store<u16>(at, load<u16>(rank + ((<usize>load<u16>(at)) << 1)));
  }
}

/** Returns the address of the colours (u32). */
export function colourTable(): usize {
  return colours;
}
