/** Pages of a list: where one begins, and the cursor of the next. */
import { LIST } from "../../limits.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import type { Position } from "./keyset.ts";

/** A page that was asked for. */
export interface OpenPage {
  limit: number;
  /** Where the page before ended; null for the first. */
  after: Position | null;
  /** The cursor of the page after one that ends at `last`; null after the last page. */
  next(last: Position | null): Promise<string | null>;
}

export interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * `list` names the list, with all that decides what is in it and in which order.
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

/** Of a list in descending order of id: where its next page begins; null for the first. */
export const lastIdOf = ({ after }: OpenPage): string | null => (after === null ? null : String(after[0]));

export interface PageMeta {
  nextCursor: string | null;
  limit: number;
}

/** Cuts off the one row too many that tells whether there is a next page. */
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
