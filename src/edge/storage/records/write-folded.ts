/** Writes the column `records.folded` of records as they were read, in as few statements as D1's limits allow. */
import { sql, type SQL } from "drizzle-orm";
import { CONTENT } from "../../../limits.ts";

export interface FoldedRecord {
  seq: number;
  /** The version that was read. A record that has changed since has been folded by that change. */
  version: number;
  folded: string;
}

const encoder = new TextEncoder();

/** Groups of records whose columns have at most 1 MB together, but at least one record. */
function* chunks(records: readonly FoldedRecord[]): Generator<FoldedRecord[]> {
  let chunk: FoldedRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const own = encoder.encode(record.folded).byteLength;
    if (chunk.length > 0 && bytes + own > CONTENT.foldedMaxBytes) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(record);
    bytes += own;
  }
  if (chunk.length > 0) yield chunk;
}

/** The statements for the records for which `condition` holds. */
export const writeFolded = (records: readonly FoldedRecord[], condition: SQL): SQL[] =>
  [...chunks(records)].map(
    (chunk) => sql`
      UPDATE records SET folded = j.value ->> 'folded' FROM json_each(${JSON.stringify(chunk)}) j
      WHERE records.seq = j.value ->> 'seq' AND records.version = j.value ->> 'version'
        AND records.folded IS NOT j.value ->> 'folded' AND ${condition}`,
  );
