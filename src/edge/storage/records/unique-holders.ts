/** Finds the records that hold given values of unique fields. */
import { sql } from "drizzle-orm";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Model } from "../../../content/model/model.ts";
import type { Database } from "../database/database.ts";
import { publishedSeqOf } from "./published.ts";
import { asDouble, int, wholeValues } from "./record-index.ts";

export interface UniqueHolder {
  /** The index of the value in the question. */
  place: number;
  /** The id of the record. */
  id: string;
  /** 1 when its published content has the value, whatever its draft has; else 0. */
  isPublished: number;
}

/** Finds the holders of `values` among the active records of a model. A value that no record has is left out. */
export async function uniqueHolders(
  db: Database,
  model: Pick<Model, "id">,
  fields: StoredField[],
  values: readonly [field: number, value: unknown][],
): Promise<UniqueHolder[]> {
  const ofPublished = wholeValues(fields, sql`r.seq = ${publishedSeqOf(sql`u.record`)}`);
  return db.all<UniqueHolder>(sql`
    SELECT j.key AS place, holder.id,
      EXISTS (SELECT 1 FROM (${ofPublished}) p WHERE p.no = u.field AND p.v = u.value) AS isPublished
    FROM json_each(${JSON.stringify(values)}) j
    CROSS JOIN record_uniques u ON u.model_id = ${int(model.id)} AND u.field = j.value ->> 0
      AND u.value = ${asDouble(sql`j.value ->> 1`)}
    CROSS JOIN records holder ON holder.seq = u.record`);
}
