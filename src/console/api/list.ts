/**
 * A list that the service answers in pages, of which only those on screen are held. What is known of a page beside its
 * items, its length and the cursor of the next, is kept for all that were ever read, so that the list keeps its height,
 * and is found as it was on the way back to it.
 */
import { useQueries, useQueryClient, type QueryKey } from "@tanstack/preact-query";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";

export interface ListPage<Item> {
  data: Item[];
  meta: { nextCursor: string | null; limit: number; total?: number; totalIsExact?: boolean };
}

/** Of each item, what its place in the list depends on. */
type Trace = number;

interface KnownPage {
  cursor: string | null;
  start: number;
  traces: readonly Trace[];
}

export interface List<Item> {
  /** One per item that was ever read, in order. */
  traces: readonly Trace[];
  /** Undefined while its page is read again. */
  item: (index: number) => Item | undefined;
  /** More to come below. */
  hasMore: boolean;
  isFirstRead: boolean;
  error: Error | null;
  /** How many there are, if the service counted. */
  total: { count: number; isExact: boolean } | null;
  retry: () => void;
}

interface ListOptions<Item> {
  queryKey: QueryKey;
  read: (cursor: string | null, signal: AbortSignal) => Promise<ListPage<Item>>;
  trace?: (item: Item) => Trace;
  /** Indices on screen. */
  shown: { first: number; last: number };
}

const START = "start";
const MEMORY = "list-memory";
/** Pages on either side of those on screen that are kept for a way back. */
const HELD_PAGES = 4;

type Pages = ReadonlyMap<string, ListPage<Trace>>;
const one = (): Trace => 1;

export function useList<Item>({ queryKey, read, trace = one, shown }: ListOptions<Item>): List<Item> {
  const queries = useQueryClient();
  const identity = JSON.stringify(queryKey);
  const keyOf = useCallback(
    (cursor: string | null): QueryKey => [...(JSON.parse(identity) as QueryKey), cursor ?? START],
    [identity],
  );
  const [memory, setMemory] = useState<{ identity: string; pages: Pages } | null>(null);
  const remembered =
    memory?.identity === identity ? memory.pages : (queries.getQueryData<Pages>([MEMORY, identity]) ?? EMPTY);

  // What the store holds from an earlier visit is known at once: the way back leads to the same place.
  const { pages, next } = useMemo(() => {
    const known: KnownPage[] = [];
    let cursor: string | null = null;
    let start = 0;
    for (;;) {
      const held: ListPage<Item> | undefined = queries.getQueryData(keyOf(cursor));
      const page: ListPage<Trace> | undefined = held
        ? { ...held, data: held.data.map(trace) }
        : remembered.get(cursor ?? START);
      if (!page) return { pages: known, next: { cursor } };
      known.push({ cursor, start, traces: page.data });
      start += page.data.length;
      cursor = page.meta.nextCursor;
      if (cursor === null) return { pages: known, next: null };
    }
    // `remembered` grows with what was read.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `trace` is the same for a list's life
  }, [queries, keyOf, remembered]);

  const count = (pages.at(-1)?.start ?? 0) + (pages.at(-1)?.traces.length ?? 0);
  const wanted = pages.filter(
    ({ start, traces }) => start <= shown.last && start + Math.max(1, traces.length) > shown.first,
  );
  const isNextWanted = next !== null && shown.last >= count - 1;
  const cursors = [...wanted.map(({ cursor }) => cursor), ...(isNextWanted ? [next.cursor] : [])];
  const results = useQueries({
    queries: cursors.map((cursor) => ({
      queryKey: keyOf(cursor),
      queryFn: ({ signal }: { signal: AbortSignal }) => read(cursor, signal),
    })),
  });

  const answers = new Map(cursors.map((cursor, at) => [cursor ?? START, results[at]?.data]));
  const stamp = results.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  useEffect(() => {
    const fresh = [...answers].flatMap(([cursor, page]) => (page ? [[cursor, page] as const] : []));
    if (fresh.length === 0) return;
    const all: Pages = new Map([
      ...remembered,
      ...fresh.map(([cursor, page]) => [cursor, { ...page, data: page.data.map(trace) }] as const),
    ]);
    queries.setQueryData<Pages>([MEMORY, identity], all);
    setMemory({ identity, pages: all });
    const [first, last] = [pages.indexOf(wanted[0] as KnownPage), pages.indexOf(wanted.at(-1) as KnownPage)];
    if (first < 0) return;
    const far = pages.filter((_, at) => at < first - HELD_PAGES || at > last + HELD_PAGES);
    for (const { cursor } of far)
      queries.removeQueries({ queryKey: keyOf(cursor), exact: true, type: "inactive" });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the stamp stands for the answers
  }, [stamp, identity]);

  const traces = useMemo(() => pages.flatMap((page) => [...page.traces]), [pages]);
  const first = answers.get(START) ?? queries.getQueryData<ListPage<Item>>(keyOf(null));
  const { total, totalIsExact = true } = (first ?? remembered.get(START))?.meta ?? {};
  return {
    traces,
    item(index) {
      const page = wanted.findLast(({ start }) => start <= index);
      return page && answers.get(page.cursor ?? START)?.data[index - page.start];
    },
    hasMore: next !== null,
    isFirstRead: pages.length === 0,
    error: results.find(({ error }) => error)?.error ?? null,
    total: total === undefined ? null : { count: total, isExact: totalIsExact },
    retry: () => void queries.refetchQueries({ queryKey: JSON.parse(identity) as QueryKey, type: "active" }),
  };
}

const EMPTY: Pages = new Map();
