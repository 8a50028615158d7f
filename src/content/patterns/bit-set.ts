/** Sets of small whole numbers as words of 32 bits. */

export const WORD_BITS = 32;

export const wordsOf = (size: number): number => Math.ceil(size / WORD_BITS);

export function addBit(set: Uint32Array, bit: number): void {
  const word = Math.floor(bit / WORD_BITS);
  set[word] = ((set[word] ?? 0) | (1 << (bit % WORD_BITS))) >>> 0;
}

export function hasBit(set: Uint32Array, bit: number): boolean {
  return ((set[Math.floor(bit / WORD_BITS)] ?? 0) & (1 << (bit % WORD_BITS))) !== 0;
}

/** Returns the number of the lowest bit of a word that is not zero. */
export const lowestBit = (bits: number): number => WORD_BITS - 1 - Math.clz32(bits & -bits);

/** The words of a set that are not zero: their places and their bits. Most sets of a pattern have one or two. */
export interface SparseSet {
  places: Uint16Array;
  bits: Uint32Array;
}

export function sparse(set: Uint32Array): SparseSet {
  const words = [...set.entries()].filter(([, bits]) => bits !== 0);
  return {
    places: Uint16Array.from(words, ([place]) => place),
    bits: Uint32Array.from(words, ([, bits]) => bits),
  };
}

/** Adds all of a sparse set to a set. */
export function addAll(set: Uint32Array, { places, bits }: SparseSet): void {
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    set[place] = (set[place] as number) | (bits[at] as number);
  }
}
