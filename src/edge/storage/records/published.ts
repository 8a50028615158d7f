/**
 * Published contents of models with drafts. They are further rows of `records`, with the id of the draft and the
 * negated number of the model, so that lists, filters and sorts work on them as on any other rows. Their `seq` is that
 * of the draft minus a constant, so that both have the same order of creation.
 */
import { sql, type SQL } from "drizzle-orm";

/** Larger than every `seq` that SQLite assigns, but small enough for exact JavaScript numbers. */
const SHIFT = 2 ** 52;
const shift = sql.raw(String(SHIFT));

/** Returns the `seq` of the published content of the record `seq`. */
export const publishedSeq = (seq: number): number => seq - SHIFT;

export const publishedSeqOf = (seq: SQL): SQL => sql`(${seq} - ${shift})`;

/** Returns the `seq` of the record to which the row `seq` belongs. */
export const ownerOf = (seq: SQL): SQL => sql`CASE WHEN ${seq} < 0 THEN ${seq} + ${shift} ELSE ${seq} END`;

/** Returns the `seq` of all rows of a record, published content included, as an SQL list. */
export const rowsOfRecord = (seq: number): SQL => sql.raw(`(${seq}, ${publishedSeq(seq)})`);

/** Returns the model numbers in the rows of a model's records, as an SQL list. */
export const modelNumbers = ({ id, drafts }: { id: number; drafts: boolean }): SQL =>
  sql.raw(drafts ? `(${id}, ${-id})` : `(${id})`);

/** Assigns the columns of a record that was never published and has no plans. */
export const UNPUBLISH = sql`published_version = NULL, published_at = NULL, first_published_at = NULL, publish_at = NULL,
  unpublish_at = NULL`;

/** Removes the published content of the record `seq` if the condition `records` on its own row `r` holds. */
export const withdraw = (seq: number, records: SQL): SQL => sql`
  DELETE FROM records WHERE seq = ${sql.raw(String(publishedSeq(seq)))}
    AND EXISTS (SELECT 1 FROM records r WHERE ${records})`;
