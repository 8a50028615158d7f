/** The locales of a space (RULES 3.30), as its row holds them. */
import { DAY_MS, LOCALES } from "../../limits.ts";
import { DEFAULT_NUMBER } from "./numbers.ts";
import { without } from "./without.ts";

/** A locale as the setting names it. */
export interface Locale {
  code: string;
  /** The locale whose values a read may borrow. */
  fallback?: string | undefined;
}

/** A locale that was removed and whose values are kept. They return with its code. */
interface Dropped {
  no: number;
  /** When the sweep removes the values, in milliseconds. */
  until: number;
}

export interface SpaceLocales {
  /** The first is the default. */
  list: Locale[];
  /** The numbers of the locales by code, without the default, which has none of its own. */
  numbers: Readonly<Record<string, number>>;
  /** The last number that was given. None is given twice. */
  last: number;
  dropped: Readonly<Record<string, Dropped>>;
}

export const NO_LOCALES: SpaceLocales = { list: [], numbers: {}, last: 0, dropped: {} };

export const localesIn = (column: string | null): SpaceLocales =>
  column === null ? NO_LOCALES : (JSON.parse(column) as SpaceLocales);

export const hasLocales = ({ list }: SpaceLocales): boolean => list.length > 0;

export const defaultCode = ({ list }: SpaceLocales): string => list[0]?.code ?? "";

/** Returns the number of a locale; undefined for a code that the space does not have. */
export function numberOfCode(locales: SpaceLocales, code: string): number | undefined {
  if (code === locales.list[0]?.code) return DEFAULT_NUMBER;
  return Object.hasOwn(locales.numbers, code) ? locales.numbers[code] : undefined;
}

/** Returns the code of a number; undefined for a locale that the space does not have now. */
export const codeOfNumber = (locales: SpaceLocales, no: number): string | undefined =>
  locales.list.find(({ code }) => numberOfCode(locales, code) === no)?.code;

/** Returns the codes of numbers. A number of a locale that the space does not have now counts as the default's. */
export const codesOfNumbers = (locales: SpaceLocales, numbers: Iterable<number>): string[] =>
  Array.from(numbers, (no) => codeOfNumber(locales, no) ?? defaultCode(locales));

export const codesOf = ({ list }: SpaceLocales): string[] => list.map(({ code }) => code);

/** Returns the codes that a locale borrows from, the nearest first. */
export function fallbacksOf({ list }: SpaceLocales, code: string): string[] {
  const chain: string[] = [];
  let next = list.find((one) => one.code === code)?.fallback;
  while (next !== undefined && next !== code && !chain.includes(next)) {
    chain.push(next);
    const at = next;
    next = list.find((one) => one.code === at)?.fallback;
  }
  return chain;
}

/** Returns the codes whose fallbacks lead in a circle. */
export const codesInCircles = (list: readonly Locale[]): string[] =>
  list.flatMap(({ code, fallback }) => {
    const seen = new Set<string>();
    let next = fallback;
    while (next !== undefined && !seen.has(next)) {
      if (next === code) return [code];
      seen.add(next);
      const at = next;
      next = list.find((one) => one.code === at)?.fallback;
    }
    return [];
  });

/** Removed locales whose values a change of the setting drops, and for how long they are kept. */
export interface Removal {
  codes: readonly string[];
  now: number;
  keptDays: number;
}

const LEFT_OVER = "#";

/**
 * Returns the key under which the values of an expired locale wait for the sweep after its code was added again with a
 * new number, such as `de#2`.
 */
const leftOver = (code: string, { no }: Dropped): string => `${code}${LEFT_OVER}${no}`;

/** Returns whether a key of `dropped` is such a key instead of a code. */
export const isLeftOver = (key: string): boolean => key.includes(LEFT_OVER);

/** Returns the locales after a change. A code that returns while its values are kept has them again. */
export function changedLocales(
  before: SpaceLocales,
  list: Locale[],
  { codes, now, keptDays }: Removal,
): SpaceLocales {
  const numbers: Record<string, number> = {};
  // Expired entries also stay until the sweep has removed their values.
  const dropped: Record<string, Dropped> = { ...before.dropped };
  let { last } = before;
  for (const code of codes) {
    const no = before.numbers[code];
    if (no !== undefined) dropped[code] = { no, until: now + keptDays * DAY_MS };
  }
  for (const { code } of list.slice(1)) {
    const kept = dropped[code];
    numbers[code] = before.numbers[code] ?? (kept && kept.until > now ? kept.no : ++last);
    if (kept && kept.no !== numbers[code]) dropped[leftOver(code, kept)] = kept;
  }
  return { list, numbers, last, dropped: without(dropped, ...Object.keys(numbers)) };
}

/** Returns whether a space can have no further locale, because it had so many that no number is left. */
export const isOutOfNumbers = ({ last }: SpaceLocales): boolean => last > LOCALES.numbersMax;
