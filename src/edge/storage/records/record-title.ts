/**
 * Selects the title of a record. D1 extracts it, because the data of a record may be large, and lists have many
 * records.
 */
import { sql, type SQL } from "drizzle-orm";
import { FIRST_TITLES } from "../../../content/model/title.ts";
import { typeNames } from "./record-index.ts";

const TITLE_MAX_CHARACTERS = 200;

/**
 * Selects the value of the title field of `model`, or of the first field that titles its records. Null if it has no
 * value.
 */
export function titleOf(record: string, model: string): SQL {
  const data = sql.raw(`${record}.data`);
  const path = sql`'$."' || (f.value ->> 'no') || '"'`;
  const named = sql.raw(`${model}.title_field`);
  return sql`(SELECT substr(CASE WHEN json_type(${data}, ${path}) IS NULL THEN f.value ->> 'absent'
      ELSE json_extract(${data}, ${path}) END, 1, ${sql.raw(String(TITLE_MAX_CHARACTERS))})
    FROM json_each(${sql.raw(`${model}.fields`)}) f
    WHERE CASE WHEN ${named} IS NULL THEN f.value ->> 'type' IN ${typeNames(FIRST_TITLES)} ELSE f.value ->> 'no' = ${named} END
    LIMIT 1)`;
}
