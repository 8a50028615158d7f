/** The title of a record. D1 extracts it, because the data of a record may be large, and lists have many records. */
import { sql, type SQL } from "drizzle-orm";

const TITLE_MAX_CHARACTERS = 200;

/** The value of the title field of `model`, or of its first text field, in `record`. Null if it has no value. */
export function titleOf(record: string, model: string): SQL {
  const data = sql.raw(`${record}.data`);
  const path = sql`'$."' || (f.value ->> 'no') || '"'`;
  const named = sql.raw(`${model}.title_field`);
  return sql`(SELECT substr(CASE WHEN json_type(${data}, ${path}) IS NULL THEN f.value ->> 'absent'
      ELSE json_extract(${data}, ${path}) END, 1, ${sql.raw(String(TITLE_MAX_CHARACTERS))})
    FROM json_each(${sql.raw(`${model}.fields`)}) f
    WHERE CASE WHEN ${named} IS NULL THEN f.value ->> 'type' IN ('string', 'text') ELSE f.value ->> 'no' = ${named} END
    LIMIT 1)`;
}
