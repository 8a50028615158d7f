/**
 * Chooses the smallest form of a picture of at most 256 colours: grey or palette, with 1, 2, 4 or 8 bits per pixel
 * (PNG specification, clauses 11.2.1 and 12.4).
 */
import { heldColour, heldColours } from "./held-pixels";

const GREY_TYPE: i32 = 0;
export const PALETTE_TYPE: i32 = 3;
/** Bytes of a chunk beside its data. */
const CHUNK_BYTES: i32 = 12;
const MOST_ENTRIES: i32 = 256;
/** More than the rank of any translucent colour. */
const OPAQUE_RANK: i32 = 4_096;

export let reducedType: i32 = 0;
export let reducedDepth: i32 = 0;
/** The sample of each colour, by its number: its grey level or its place in the palette. */
export const samples = memory.data(MOST_ENTRIES);
/** PLTE and tRNS: colours with alpha come first, because tRNS may end before the opaque ones. */
const palette = memory.data(3 * MOST_ENTRIES);
const alphas = memory.data(MOST_ENTRIES);
let alphaCount = 0;

/** Chooses the form. All pixels must be held. */
export function chooseReduction(): void {
  const count = heldColours();
  const indexBits = count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8;
  const greyBits = bitsAsGrey(count);
  // A grey row can be filtered, and needs no palette.
  if (greyBits <= indexBits) {
    reducedType = GREY_TYPE;
    reducedDepth = greyBits;
    for (let i = 0; i < count; i++) store<u8>(samples + i, <u8>((heldColour(i) & 0xff) >> (8 - greyBits)));
    return;
  }
  reducedType = PALETTE_TYPE;
  reducedDepth = indexBits;
  for (let i = 0; i < count; i++) addEntry(i, placeOf(i, count));
  alphaCount = 0;
  while (alphaCount < count && load<u8>(alphas + alphaCount) != 255) alphaCount++;
}

/** Returns the place of a colour in the palette. Dark ones come first, so that filters find neighbours alike. */
function placeOf(number: i32, count: i32): i32 {
  const rank = rankOf(number);
  let place = 0;
  for (let i = 0; i < count; i++) {
    const other = rankOf(i);
    if (other < rank || (other == rank && i < number)) place++;
  }
  return place;
}

/** Returns the rank of a colour. Translucent colours rank below opaque ones, and either by how light they are. */
@inline
function rankOf(number: i32): i32 {
  const colour = heldColour(number);
  const light = 3 * <i32>(colour & 0xff) + 6 * <i32>((colour >> 8) & 0xff) + <i32>((colour >> 16) & 0xff);
  return isTranslucent(number) ? light + <i32>(colour >> 24) : light + OPAQUE_RANK;
}

/**
 * Returns the least bits that give each colour as a grey level (clause 13.12); more than 8 when one is not grey or
 * opaque.
 */
function bitsAsGrey(count: i32): i32 {
  let bits = 1;
  for (let i = 0; i < count; i++) {
    const colour = heldColour(i);
    const level = colour & 0xff;
    if (isTranslucent(i) || (colour & 0xffffff) != level * 0x010101) return 16;
    while (bits < 8 && level % (255 / ((1 << bits) - 1)) != 0) bits <<= 1;
  }
  return bits;
}

@inline
function isTranslucent(number: i32): boolean {
  return heldColour(number) >> 24 != 255;
}

function addEntry(number: i32, place: i32): void {
  const colour = heldColour(number);
  store<u8>(samples + number, <u8>place);
  store<u8>(palette + 3 * place, <u8>colour);
  store<u8>(palette + 3 * place + 1, <u8>(colour >> 8));
  store<u8>(palette + 3 * place + 2, <u8>(colour >> 16));
  store<u8>(alphas + place, <u8>(colour >> 24));
}

/** Returns where PLTE begins, three bytes per colour. */
export function entriesAddress(): usize {
  return palette;
}

/** Returns where tRNS begins. */
export function alphasAddress(): usize {
  return alphas;
}

/** Returns the bytes of tRNS; 0 when every colour is opaque. */
export function alphaEntries(): i32 {
  return alphaCount;
}

/** Returns the bytes of the chunks PLTE and tRNS. */
export function paletteBytes(): i32 {
  return CHUNK_BYTES + 3 * heldColours() + (alphaCount > 0 ? CHUNK_BYTES + alphaCount : 0);
}

/** Returns the colour type (clause 11.2.1) that was chosen. */
export function reducedColourType(): i32 {
  return reducedType;
}

export function reducedBits(): i32 {
  return reducedDepth;
}
