/** Finds the records that refer to a media item or a record. */
import { sql, type SQL } from "drizzle-orm";
import type { TypeModel } from "../../../content/model/type-models.ts";
import type { Database } from "../database/database.ts";
import { ownerOf, publishedSeq, publishedSeqOf } from "../records/published.ts";
import { int } from "../records/record-index.ts";
import { titleOf } from "../records/record-title.ts";

/** The target of references: a media item, or a record of a collection. */
export interface Referenced {
  spaceId: string;
  /** Null for a media item. */
  collection: string | null;
  id: string;
}

/** The fields `f` of models `m` of the space that can refer to the target. */
const namingFields = ({ spaceId, collection }: Referenced): SQL => sql`models m, json_each(m.fields) f
  WHERE m.space_id = ${spaceId} AND ${
    collection === null
      ? sql`f.value ->> 'type' = 'media'`
      : sql`f.value ->> 'type' = 'relation' AND f.value ->> 'to' = ${collection}`
  }`;

/** The condition that a record other than the target itself refers to it. */
export const isReferenced = (referenced: Referenced): SQL => sql`
  EXISTS (SELECT 1 FROM ${namingFields(referenced)} AND EXISTS (SELECT 1 FROM record_values v
    JOIN records r ON r.seq = v.record
    WHERE v.model_id IN (m.id, CASE WHEN m.drafts THEN -m.id ELSE m.id END) AND v.field = f.value ->> 'no' AND v.value = ${referenced.id}
      AND NOT (r.id = ${referenced.id} AND m.name = ${referenced.collection ?? ""})))`;

export interface Reference {
  seq: number;
  typeModel: TypeModel;
  model: string;
  id: string;
  title: string | null;
  /** The names of the fields that refer to the target. */
  fields: string[];
}

/**
 * Lists at most `limit` referring records with numbers below `before`, newest first. It reads at most `limit` index
 * rows per field that can refer to the target.
 */
export async function listReferences(
  db: Database,
  referenced: Referenced,
  { limit, before, seesDrafts }: { limit: number; before: number | null; seesDrafts: boolean },
): Promise<Reference[]> {
  const below =
    before === null
      ? sql``
      : sql`AND v.record < CASE k.value WHEN 1 THEN ${int(before)} ELSE ${int(publishedSeq(before))} END`;
  // The sign of the model numbers to search: 1 for drafts and records without, -1 for published contents.
  const contents = seesDrafts
    ? sql`k.value = 1 OR m.drafts`
    : sql`k.value = CASE WHEN m.drafts THEN -1 ELSE 1 END`;
  const shown = seesDrafts
    ? sql`page.seq`
    : sql`CASE WHEN m.drafts THEN ${publishedSeqOf(sql`page.seq`)} ELSE page.seq END`;
  const rows = await db.all<Omit<Reference, "fields"> & { fields: string }>(sql`
    WITH found AS (SELECT f.value ->> 'name' AS name, f.key AS place, (SELECT json_group_array(record) FROM
        (SELECT ${ownerOf(sql`v.record`)} AS record FROM record_values v
          WHERE v.model_id = m.id * k.value AND v.field = f.value ->> 'no'
          AND v.value = ${referenced.id} ${below} ORDER BY v.record DESC LIMIT ${int(limit)})) AS records,
        m.id AS model
      FROM json_each('[1,-1]') k CROSS JOIN ${namingFields(referenced)} AND (${contents})),
    page AS MATERIALIZED (SELECT j.value AS seq, found.model, json_group_array(found.name ORDER BY found.place) AS fields
      FROM found, json_each(found.records) j GROUP BY j.value ORDER BY j.value DESC LIMIT ${int(limit)})
    SELECT page.seq, m.type_model AS typeModel, m.name AS model, r.id, ${titleOf("r", "m")} AS title, page.fields
    FROM page CROSS JOIN models m ON m.id = page.model CROSS JOIN records r ON r.seq = ${shown}
    ORDER BY page.seq DESC`);
  return rows.map((row) => ({ ...row, fields: [...new Set(JSON.parse(row.fields) as string[])] }));
}
