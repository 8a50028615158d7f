/** The known pages of a list: in order, without gaps, and as they were read last. */
import { describe, expect, it } from "vitest";
import {
  cursorBelow,
  NO_PAGES,
  pagesBetween,
  withPage,
  type KnownPages,
} from "../../../src/console/api/pages.ts";

const page = (cursor: string | null, traces: number[], nextCursor: string | null) => ({
  cursor,
  traces,
  nextCursor,
});
const three = (): KnownPages =>
  [page(null, [1, 2], "b"), page("b", [3, 4], "c"), page("c", [5], null)].reduce(withPage, NO_PAGES);
const starts = ({ pages }: KnownPages): number[] => pages.map(({ start }) => start);

describe("the pages of a list", () => {
  it("are known in order, and say what is below", () => {
    expect(cursorBelow(NO_PAGES)).toBe(null);
    expect(cursorBelow(withPage(NO_PAGES, page(null, [1], "b")))).toBe("b");
    expect(cursorBelow(three())).toBe(undefined);
    expect(three().traces).toEqual([1, 2, 3, 4, 5]);
    expect(starts(three())).toEqual([0, 2, 4]);
  });

  it("stay the same object when a page is read again and says the same", () => {
    const known = three();
    expect(withPage(known, page("b", [3, 4], "c"))).toBe(known);
    expect(withPage(known, page("of another list", [9], null))).toBe(known);
  });

  it("move when a page in the middle grows or shrinks", () => {
    const known = withPage(three(), page("b", [3], "c"));
    expect(known.traces).toEqual([1, 2, 3, 5]);
    expect(starts(known)).toEqual([0, 2, 3]);
  });

  it("end where a page leads to another one than before", () => {
    const known = withPage(three(), page(null, [0, 1], "a"));
    expect(known.traces).toEqual([0, 1]);
    expect(cursorBelow(known)).toBe("a");
  });

  it("are found by the items on screen", () => {
    const cursors = (first: number, last: number): (string | null)[] =>
      pagesBetween(three(), { first, last }).map(({ cursor }) => cursor);
    expect(cursors(0, 1)).toEqual([null]);
    expect(cursors(1, 2)).toEqual([null, "b"]);
    expect(cursors(3, 9)).toEqual(["b", "c"]);
    expect(cursors(9, 12)).toEqual([]);
    expect(pagesBetween(NO_PAGES, { first: 0, last: 9 })).toEqual([]);
  });

  it("keeps an empty list as one page without items", () => {
    const known = withPage(NO_PAGES, page(null, [], null));
    expect(pagesBetween(known, { first: 0, last: 0 })).toHaveLength(1);
    expect(cursorBelow(known)).toBe(undefined);
  });
});
