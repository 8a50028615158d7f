/** The column `records.folded` written anew, of records as they were read: as many statements as D1's values need. */
import { sql, type SQL } from "drizzle-orm";
import { CONTENT } from "../../limits.ts";

export interface FoldedRecord {
  seq: number;
  /** Of the record when it was read: one that changed since has folded itself. */
  version: number;
  folded: string;
}

const encoder = new TextEncoder();

/** Runs of records whose columns have at most a MB together, one record at least. */
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

/** For records that `condition` holds for. */
export const writeFolded = (records: readonly FoldedRecord[], condition: SQL): SQL[] =>
  [...chunks(records)].map(
    (chunk) => sql`
      UPDATE records SET folded = j.value ->> 'folded' FROM json_each(${JSON.stringify(chunk)}) j
      WHERE records.seq = j.value ->> 'seq' AND records.version = j.value ->> 'version' AND ${condition}`,
  );
