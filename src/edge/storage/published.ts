/**
 * Published contents of models with drafts: rows of `records` beside the draft's, with the same id, under the negated
 * number of the model, so that lists, filters and sorts find them as they find any. Their `seq` is the draft's, moved
 * down by a constant: the order of creation is the same among both.
 */
import { sql, type SQL } from "drizzle-orm";

/** Below every `seq` that SQLite gives, and within what a JavaScript number holds exactly. */
const SHIFT = 2 ** 52;
const shift = sql.raw(String(SHIFT));

/** The `seq` of the published content of the record at `seq`. */
export const publishedSeq = (seq: number): number => seq - SHIFT;

export const publishedSeqOf = (seq: SQL): SQL => sql`(${seq} - ${shift})`;

/** The record's own `seq`, whichever of its rows `seq` is. */
export const ownerOf = (seq: SQL): SQL => sql`CASE WHEN ${seq} < 0 THEN ${seq} + ${shift} ELSE ${seq} END`;

/** All rows of a record, published content included, as a list of `seq`. */
export const rowsOfRecord = (seq: number): SQL => sql.raw(`(${seq}, ${publishedSeq(seq)})`);

/** The model numbers that the rows of its records stand under, as a list. */
export const modelNumbers = ({ id, drafts }: { id: number; drafts: boolean }): SQL =>
  sql.raw(drafts ? `(${id}, ${-id})` : `(${id})`);

/** Columns of a record that is not published, nor will be or cease to be by itself. */
export const UNPUBLISH = sql`published_version = NULL, published_at = NULL, publish_at = NULL, unpublish_at = NULL`;

/** Removes what is published of the record at `seq` while `records` (over its own row `r`) holds. */
export const withdraw = (seq: number, records: SQL): SQL => sql`
  DELETE FROM records WHERE seq = ${sql.raw(String(publishedSeq(seq)))}
    AND EXISTS (SELECT 1 FROM records r WHERE ${records})`;
