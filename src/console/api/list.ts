/**
 * A list that the service answers in pages, of which only those on screen are held. The length of a page and the cursor
 * of the next are kept for all that were ever read, so that the list keeps its height, and is found as it was on the
 * way back to it.
 */
import { useQueries, useQueryClient, type QueryKey } from "@tanstack/preact-query";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { LIST_MEMORY } from "../lib/list-memory.ts";
import { cursorBelow, NO_PAGES, pagesBetween, withPage, type KnownPages, type Trace } from "./pages.ts";

export interface ListPage<Item> {
  data: Item[];
  meta: { nextCursor: string | null; limit: number; total?: number; totalIsExact?: boolean };
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
  shown: Shown;
}

export interface Range {
  first: number;
  last: number;
}
/**
 * The indices on screen, by the known pages of the list. The list asks for them while it is drawn, so that the rows
 * that follow are drawn at once and not a second time.
 */
export type Shown = (traces: readonly Trace[], isFirstRead: boolean) => Range;

const START = "start";
/** Pages on either side of those on screen that are kept for a way back. */
const HELD_PAGES = 4;

interface Memory {
  known: KnownPages;
  /** The total that the first page states. */
  total: { count: number; isExact: boolean } | null;
}

const EMPTY: Memory = { known: NO_PAGES, total: null };
const one = (): Trace => 1;

export function useList<Item>({
  queryKey,
  read,
  trace = one,
  shown: rangeOf,
}: ListOptions<Item>): List<Item> {
  const queries = useQueryClient();
  const identity = JSON.stringify(queryKey);
  const keyOf = useCallback(
    (cursor: string | null): QueryKey => [...(JSON.parse(identity) as QueryKey), cursor ?? START],
    [identity],
  );
  const [latest, setLatest] = useState<{ identity: string; memory: Memory } | null>(null);
  // Pages of an earlier visit are known at once: the way back leads to the same place.
  const memory =
    latest?.identity === identity
      ? latest.memory
      : (queries.getQueryData<Memory>([LIST_MEMORY, identity]) ?? EMPTY);
  const { known, total } = memory;
  const isFirstRead = known.pages.length === 0;

  const shown = rangeOf(known.traces, isFirstRead);
  const wanted = pagesBetween(known, shown);
  const below = cursorBelow(known);
  const isNextWanted = below !== undefined && shown.last >= known.traces.length - 1;
  const cursors = [...wanted.map(({ cursor }) => cursor), ...(isNextWanted ? [below] : [])];
  const results = useQueries({
    queries: cursors.map((cursor) => ({
      queryKey: keyOf(cursor),
      queryFn: ({ signal }: { signal: AbortSignal }) => read(cursor, signal),
    })),
  });

  const answers = new Map(cursors.map((cursor, at) => [cursor, results[at]?.data]));
  const stamp = results.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  const held = useRef(new Set<string | null>());
  useEffect(() => {
    let next = memory;
    for (const [cursor, page] of answers) {
      if (!page) continue;
      held.current.add(cursor);
      const { nextCursor, total: counted, totalIsExact = true } = page.meta;
      const pages = withPage(next.known, { cursor, nextCursor, traces: page.data.map(trace) });
      if (pages !== next.known) next = { ...next, known: pages };
      if (cursor !== null || counted === undefined) continue;
      if (counted !== next.total?.count) next = { ...next, total: { count: counted, isExact: totalIsExact } };
    }
    if (next !== memory) {
      queries.setQueryData<Memory>([LIST_MEMORY, identity], next);
      setLatest({ identity, memory: next });
    }
    const first = known.pages.findIndex(({ cursor }) => cursor === wanted[0]?.cursor);
    if (first < 0) return;
    const near = known.pages.slice(Math.max(0, first - HELD_PAGES), first + wanted.length + HELD_PAGES);
    const kept = new Set([...near.map(({ cursor }) => cursor), ...cursors]);
    for (const cursor of held.current) {
      if (kept.has(cursor)) continue;
      held.current.delete(cursor);
      queries.removeQueries({ queryKey: keyOf(cursor), exact: true, type: "inactive" });
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the stamp stands for the answers
  }, [stamp, identity]);

  return {
    traces: known.traces,
    item(index) {
      const page = wanted.findLast(({ start }) => start <= index);
      return page && answers.get(page.cursor)?.data[index - page.start];
    },
    hasMore: below !== undefined,
    isFirstRead,
    error: results.find(({ error }) => error)?.error ?? null,
    total,
    retry: () => void queries.refetchQueries({ queryKey: JSON.parse(identity) as QueryKey, type: "active" }),
  };
}
