/** The known pages of a list. Pure: a page that is read again and says the same changes nothing. */

/** The value on which an item's place in the list depends. */
export type Trace = number;

export interface KnownPage {
  cursor: string | null;
  /** The index of its first item. */
  start: number;
  traces: readonly Trace[];
  nextCursor: string | null;
}

export interface KnownPages {
  /** In the order of the list, without a gap. */
  pages: readonly KnownPage[];
  /** The traces of all these pages. */
  traces: readonly Trace[];
}

export const NO_PAGES: KnownPages = { pages: [], traces: [] };

const endOf = ({ start, traces }: KnownPage): number => start + traces.length;

/**
 * Returns the cursor of the page below the last that is known: null for the first page, undefined when there is none.
 */
export function cursorBelow({ pages }: KnownPages): string | null | undefined {
  const last = pages.at(-1);
  return last ? (last.nextCursor ?? undefined) : null;
}

/**
 * Returns the pages that hold any of the items from `first` to `last`. It costs the same however many pages are known.
 */
export function pagesBetween(
  { pages }: KnownPages,
  { first, last }: { first: number; last: number },
): readonly KnownPage[] {
  let [low, high] = [0, pages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const page = pages[middle];
    if (page && page.start + Math.max(1, page.traces.length) <= first) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((pages[end]?.start ?? Infinity) <= last) end += 1;
  return pages.slice(low, end);
}

const isSame = (a: readonly Trace[], b: readonly Trace[]): boolean =>
  a.length === b.length && a.every((trace, at) => trace === b[at]);

/**
 * Adds a page that was read: below the others, or in the place of its earlier reading. A page that belongs to another
 * list is left out.
 */
export function withPage(known: KnownPages, read: Omit<KnownPage, "start">): KnownPages {
  const { pages, traces } = known;
  if (cursorBelow(known) === read.cursor) {
    const page = { ...read, start: traces.length };
    return { pages: [...pages, page], traces: traces.concat(read.traces) };
  }
  const at = pages.findIndex(({ cursor }) => cursor === read.cursor);
  const was = pages[at];
  if (!was) return known;
  const isLinked = was.nextCursor === read.nextCursor;
  if (isLinked && isSame(was.traces, read.traces)) return known;
  const page = { ...read, start: was.start };
  // A page that follows another one than before is read anew.
  const below = isLinked ? pages.slice(at + 1) : [];
  const shift = page.traces.length - was.traces.length;
  return {
    pages: [...pages.slice(0, at), page, ...below.map((one) => ({ ...one, start: one.start + shift }))],
    traces: [...traces.slice(0, was.start), ...page.traces, ...(isLinked ? traces.slice(endOf(was)) : [])],
  };
}
