/** Pages of a list: the position where a page begins, and the cursor of the next page. */
import { LIST } from "../../../limits.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import type { Position } from "./keyset.ts";

/** A requested page. */
export interface OpenPage {
  limit: number;
  /** The position where the previous page ended; null for the first page. */
  after: Position | null;
  /** The cursor of the next page, if this one ends at `last`; null for the last page. */
  next(last: Position | null): Promise<string | null>;
}

export interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * Opens the page of a query. `list` has everything that determines the items of the list and their order.
 * @throws ApiError INVALID_CURSOR
 */
export async function openPage(secret: string, list: unknown[], query: PageQuery): Promise<OpenPage> {
  const name = JSON.stringify(list);
  return {
    limit: query.limit ?? LIST.limitDefault,
    after: query.cursor === undefined ? null : await openCursor(secret, name, query.cursor),
    next: async (last) => (last === null ? null : sealCursor(secret, name, last)),
  };
}

/** Returns, for a list in descending order of ids, the id at which the previous page ended; null for the first page. */
export const lastIdOf = ({ after }: OpenPage): string | null => (after === null ? null : String(after[0]));

export interface PageMeta {
  nextCursor: string | null;
  limit: number;
}

/** Removes the additional row that shows whether there is a next page, and makes its cursor. */
export async function closePage<Row>(
  page: OpenPage,
  found: Row[],
  positionOf: (row: Row) => Position,
): Promise<{ rows: Row[]; meta: PageMeta }> {
  const rows = found.slice(0, page.limit);
  const last = found.length > page.limit ? rows.at(-1) : undefined;
  const nextCursor = await page.next(last === undefined ? null : positionOf(last));
  return { rows, meta: { nextCursor, limit: page.limit } };
}
