/** The records that name a media item or a record, and whether there are any. */
import { sql, type SQL } from "drizzle-orm";
import type { TypeModel } from "../content-model/type-models.ts";
import type { Database } from "./database.ts";
import { int } from "./record-index.ts";
import { titleOf } from "./record-title.ts";

/** What is named: a media item, or a record of a collection. */
export interface Referenced {
  spaceId: string;
  /** Null for a media item. */
  collection: string | null;
  id: string;
}

/** Fields of the space's models that can name it, as `f` of the model `m`. */
const namingFields = ({ spaceId, collection }: Referenced): SQL => sql`models m, json_each(m.fields) f
  WHERE m.space_id = ${spaceId} AND ${
    collection === null
      ? sql`f.value ->> 'type' = 'media'`
      : sql`f.value ->> 'type' = 'relation' AND f.value ->> 'to' = ${collection}`
  }`;

/** Holds while some record names it, itself left out. */
export const isReferenced = (referenced: Referenced): SQL => sql`
  EXISTS (SELECT 1 FROM ${namingFields(referenced)} AND EXISTS (SELECT 1 FROM record_values v
    JOIN records r ON r.seq = v.record
    WHERE v.model_id = m.id AND v.field = f.value ->> 'no' AND v.value = ${referenced.id}
      AND NOT (r.id = ${referenced.id} AND m.name = ${referenced.collection ?? ""})))`;

export interface Reference {
  seq: number;
  typeModel: TypeModel;
  model: string;
  id: string;
  title: string | null;
  /** Names of the fields that name it. */
  fields: string[];
}

/**
 * The newest records first, `limit` at most, from below `before` (a record's number). Of each field that can name it,
 * at most `limit` index rows are read.
 */
export async function listReferences(
  db: Database,
  referenced: Referenced,
  { limit, before }: { limit: number; before: number | null },
): Promise<Reference[]> {
  const below = before === null ? sql`` : sql`AND v.record < ${int(before)}`;
  const rows = await db.all<Omit<Reference, "fields"> & { fields: string }>(sql`
    WITH found AS (SELECT f.value ->> 'name' AS name, f.key AS place, (SELECT json_group_array(record) FROM
        (SELECT v.record FROM record_values v WHERE v.model_id = m.id AND v.field = f.value ->> 'no'
          AND v.value = ${referenced.id} ${below} ORDER BY v.record DESC LIMIT ${int(limit)})) AS records
      FROM ${namingFields(referenced)}),
    page AS MATERIALIZED (SELECT j.value AS seq, json_group_array(found.name ORDER BY found.place) AS fields
      FROM found, json_each(found.records) j GROUP BY j.value ORDER BY j.value DESC LIMIT ${int(limit)})
    SELECT page.seq, m.type_model AS typeModel, m.name AS model, r.id, ${titleOf("r", "m")} AS title, page.fields
    FROM page CROSS JOIN records r ON r.seq = page.seq CROSS JOIN models m ON m.id = r.model_id
    ORDER BY page.seq DESC`);
  return rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) as string[] }));
}
