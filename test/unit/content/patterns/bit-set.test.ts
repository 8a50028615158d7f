import fc from "fast-check";
import { expect, it } from "vitest";
import {
  addAll,
  addBit,
  hasBit,
  lowestBit,
  sparse,
  WORD_BITS,
  wordsOf,
} from "../../../../src/content/patterns/bit-set.ts";

const SIZE = 500;
const numbers = fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: 60 });

const setOf = (members: readonly number[]): Uint32Array => {
  const set = new Uint32Array(wordsOf(SIZE));
  for (const member of members) addBit(set, member);
  return set;
};

const membersOf = (set: Uint32Array): number[] =>
  Array.from({ length: SIZE }, (_, n) => n).filter((n) => hasBit(set, n));

it("holds the numbers that were added, and no others", () => {
  fc.assert(
    fc.property(numbers, (members) => {
      expect(membersOf(setOf(members))).toEqual(members.toSorted((a, b) => a - b));
    }),
  );
});

it("adds a sparse set to another", () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const set = setOf(a);
      addAll(set, sparse(setOf(b)));
      expect(membersOf(set)).toEqual([...new Set([...a, ...b])].sort((x, y) => x - y));
    }),
  );
});

it("finds the lowest bit of a word", () => {
  for (let bit = 0; bit < WORD_BITS; bit++) {
    expect(lowestBit((1 << bit) | (1 << (WORD_BITS - 1)))).toBe(bit);
  }
});
