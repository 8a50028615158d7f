/** Returns what simplifying the declarations of each element costs, before any of them is simplified. */
import { priceOfValue, PRICES } from "../../work/work.ts";
import { LONGEST_CHARACTERS } from "./values.ts";

interface Declaration {
  property: string;
  value: string;
}

const REFERENCE = /var\(\s*(--[^\s,)]*)/gi;
/** The number of variables that may lead to one another before their values count as the longest that there may be. */
const ROUNDS_MAX = 8;
/** Each variable is put into the value, which is then read again: so many characters per unit. */
const CHARACTERS_PER_UNIT = 4;

/** Returns the prices in the units of `Work`. */
export function pricesOfSimplifying(declared: readonly (readonly Declaration[])[]): number[] {
  const lengths = lengthsOf(declared);
  return declared.map((declarations) => {
    let price = 0;
    for (const { value } of declarations) {
      const { references, length } = expanded(value, lengths);
      price += PRICES.declaration + priceOfValue(value) + ((1 + references) * length) / CHARACTERS_PER_UNIT;
    }
    return price;
  });
}

/** Returns the length of a value whose variables have these lengths. */
function expanded(
  value: string,
  lengths: ReadonlyMap<string, number>,
): { references: number; length: number } {
  let [references, length] = [0, value.length];
  if (!value.includes("(")) return { references, length };
  for (const [, name = ""] of value.matchAll(REFERENCE)) {
    references += 1;
    length += lengths.get(name) ?? 0;
  }
  return { references, length: Math.min(length, LONGEST_CHARACTERS) };
}

/** Returns the longest that each variable may be once the variables in it are put in. */
function lengthsOf(declared: readonly (readonly Declaration[])[]): ReadonlyMap<string, number> {
  const distinct = new Map<string, Set<string>>();
  for (const { property, value } of declared.flat()) {
    if (!property.startsWith("--")) continue;
    const values = distinct.get(property);
    if (values) values.add(value);
    else distinct.set(property, new Set([value]));
  }
  const lengths = new Map<string, number>();
  for (let round = 0; round <= ROUNDS_MAX; round++) {
    let isSettled = true;
    for (const [name, values] of distinct) {
      const before = lengths.get(name) ?? 0;
      let longest = before;
      for (const value of values) longest = Math.max(longest, expanded(value, lengths).length);
      if (longest === before) continue;
      lengths.set(name, round === ROUNDS_MAX ? LONGEST_CHARACTERS : longest);
      isSettled = false;
    }
    if (isSettled) break;
  }
  return lengths;
}
