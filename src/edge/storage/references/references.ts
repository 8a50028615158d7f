/** Finds the records that refer to a media item or a record. */
import { sql, type SQL } from "drizzle-orm";
import { LOCALE_FACTOR, TURN_FACTOR } from "../../../content/locales/numbers.ts";
import { linkTo } from "../../../content/search/folded-column.ts";
import { typesWhere } from "../../../content/field-types/registry.ts";
import type { TypeModel } from "../../../content/model/type-models.ts";
import type { Database } from "../database/database.ts";
import { ownerOf, publishedSeq, publishedSeqOf } from "../records/published.ts";
import { int, typeNames } from "../records/record-index.ts";
import { modelsInside, type Scopes } from "../spaces/scopes.ts";
import { titleOf } from "../records/record-title.ts";

/** The target of references: a media item, or a record of a collection. */
export interface Referenced {
  spaceId: string;
  /** Null for a media item. */
  collection: string | null;
  id: string;
}

const MEDIA_TYPES = typeNames(typesWhere(({ index }) => index === "media"));
const RECORD_TYPES = typeNames(typesWhere(({ index }) => index === "record"));
const NESTED_TYPES = typeNames(typesWhere(({ index }) => index === "nested"));

/** The first character above the mark that ends the target in a link. */
const ABOVE_MARK = "$";
const MARK_AND_ABOVE = 1;

/**
 * Returns the fields `f` of models `m` of the space that can refer to the target, with the range of index rows that do:
 * the id in a field of ids, its links in a nested field.
 */
function namingFields({ spaceId, collection, id }: Referenced): SQL {
  const link = linkTo({ collection, id });
  const end = `${link.slice(0, -MARK_AND_ABOVE)}${ABOVE_MARK}`;
  const isOfIds =
    collection === null
      ? sql`f.value ->> 'type' IN ${MEDIA_TYPES}`
      : sql`f.value ->> 'type' IN ${RECORD_TYPES} AND f.value ->> 'to' = ${collection}`;
  return sql`models m, json_each(m.fields) f, json_each(json_array(
      json_object('low', ${id}, 'high', ${id} || ' ', 'nested', 0), json_object('low', ${link}, 'high', ${end}, 'nested', 1))) k
    WHERE m.space_id = ${spaceId} AND CASE k.value ->> 'nested' WHEN 0 THEN ${isOfIds}
      ELSE f.value ->> 'type' IN ${NESTED_TYPES} END`;
}

/**
 * The condition that an index row `v` of the field `f` refers to the target. The fields of components on the way of a
 * link must be there: a field that was removed leaves its links until the record is written.
 */
const NAMES_TARGET = sql.raw(`v.field IN (SELECT f.value ->> 'no' UNION ALL
    SELECT f.value ->> 'no' + coalesce(f.value ->> 'turn', 0) * ${TURN_FACTOR} + n.value * ${LOCALE_FACTOR}
    FROM spaces p, json_each(p.locales, '$.numbers') n WHERE p.id = m.space_id AND f.value ->> 'localized') AND v.value >= k.value ->> 'low' AND v.value < k.value ->> 'high'
  AND (k.value ->> 'nested' = 0 OR substr(v.value, length(k.value ->> 'low') + 1) = '' OR NOT EXISTS (
    SELECT 1 FROM json_each('["' || replace(substr(v.value, length(k.value ->> 'low') + 1), ',', '","') || '"]') s
    WHERE NOT EXISTS (SELECT 1 FROM json_each(m.components) c, json_each(c.value, '$.fields') g
      WHERE (c.value ->> 'id') || '.' || (g.value ->> 'no') = s.value)))`);

/** Returns the condition that a record other than the target itself refers to it. */
export const isReferenced = (referenced: Referenced): SQL => sql`
  EXISTS (SELECT 1 FROM ${namingFields(referenced)} AND EXISTS (SELECT 1 FROM record_values v
    JOIN records r ON r.seq = v.record
    WHERE v.model_id IN (m.id, CASE WHEN m.drafts THEN -m.id ELSE m.id END) AND ${NAMES_TARGET}
      AND NOT (r.id = ${referenced.id} AND m.name = ${referenced.collection ?? ""})))`;

/** Returns the condition that nothing refers to the target; always true without one. */
export const isUnreferenced = (referenced: Referenced | null): SQL =>
  referenced ? sql`NOT ${isReferenced(referenced)}` : sql`1`;

export async function hasReferences(db: Database, referenced: Referenced): Promise<boolean> {
  const row = await db.get<{ has: number }>(sql`SELECT ${isReferenced(referenced)} AS has`);
  return row.has === 1;
}

export interface Reference {
  seq: number;
  typeModel: TypeModel;
  model: string;
  id: string;
  title: string | null;
  /** The names of the fields that refer to the target. */
  fields: string[];
}

export interface ReferencePage {
  limit: number;
  before: number | null;
  seesDrafts: boolean;
  /** The scopes of the caller: records of models outside are not listed. */
  scopes: Pick<Scopes, "models">;
}

/**
 * Lists at most `limit` referring records with numbers below `before`, newest first. It reads at most `limit` index
 * rows per field that can refer to the target.
 */
export async function listReferences(
  db: Database,
  referenced: Referenced,
  { limit, before, seesDrafts, scopes }: ReferencePage,
): Promise<Reference[]> {
  const below =
    before === null
      ? sql``
      : sql`AND v.record < CASE o.value WHEN 1 THEN ${int(before)} ELSE ${int(publishedSeq(before))} END`;
  // The sign of the model numbers to search: 1 for drafts and records without, -1 for published contents.
  const contents = seesDrafts
    ? sql`o.value = 1 OR m.drafts`
    : sql`o.value = CASE WHEN m.drafts THEN -1 ELSE 1 END`;
  const shown = seesDrafts
    ? sql`page.seq`
    : sql`CASE WHEN m.drafts THEN ${publishedSeqOf(sql`page.seq`)} ELSE page.seq END`;
  const rows = await db.all<Omit<Reference, "fields"> & { fields: string }>(sql`
    WITH found AS (SELECT f.value ->> 'name' AS name, f.key AS place, (SELECT json_group_array(record) FROM
        (SELECT DISTINCT ${ownerOf(sql`v.record`)} AS record FROM record_values v
          WHERE v.model_id = m.id * o.value AND ${NAMES_TARGET} ${below}
          ORDER BY v.record DESC LIMIT ${int(limit)})) AS records,
        m.id AS model
      FROM json_each('[1,-1]') o CROSS JOIN ${namingFields(referenced)} AND (${contents})
        AND ${modelsInside(scopes)}),
    page AS MATERIALIZED (SELECT j.value AS seq, found.model, json_group_array(found.name ORDER BY found.place) AS fields
      FROM found, json_each(found.records) j GROUP BY j.value ORDER BY j.value DESC LIMIT ${int(limit)})
    SELECT page.seq, m.type_model AS typeModel, m.name AS model, r.id, ${titleOf("r", "m")} AS title, page.fields
    FROM page CROSS JOIN models m ON m.id = page.model CROSS JOIN records r ON r.seq = ${shown}
    ORDER BY page.seq DESC`);
  return rows.map((row) => ({ ...row, fields: [...new Set(JSON.parse(row.fields) as string[])] }));
}
