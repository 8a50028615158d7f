/** Records that only one database of a move has. */
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Unit } from "./walk-rows.ts";

/** Returns those of the records, by their `seq`, that the source has and the target has not. */
export async function lackedRecords(
  { source, target }: { source: Database; target: Database },
  records: readonly Unit[number][],
): Promise<Set<Unit[number]>> {
  const those = async (db: Database, isThere: boolean, some: Iterable<Unit[number]>): Promise<number[]> => {
    const found = await db.all<{ seq: number }>(sql`SELECT j.value AS seq
      FROM json_each(${JSON.stringify([...some])}) j
      WHERE EXISTS (SELECT 1 FROM records r WHERE r.seq = j.value) = ${isThere ? 1 : 0}`);
    return found.map(({ seq }) => seq);
  };
  const lacked = records.length === 0 ? [] : await those(target, false, new Set(records));
  return new Set(lacked.length === 0 ? [] : await those(source, true, lacked));
}
