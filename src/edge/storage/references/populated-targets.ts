/** Reads the targets of one level of populate in one D1 query: models, records and media. */
import { sql } from "drizzle-orm";
import { NO_COMPONENTS } from "../../../content/model/components.ts";
import type { ModelSource } from "../../../content/model/model.ts";
import { publicationOf, type Content, type Publication } from "../../../content/model/publication.ts";
import type { Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";
import { modelsInside, type Scopes } from "../spaces/scopes.ts";
import type { MediaWithMaster } from "../media/media.ts";

export interface TargetKeys {
  /** Collections whose definition is needed, even without targets. */
  collections: string[];
  records: [collection: string, id: string][];
  media: string[];
}

export interface TargetRecord extends Publication {
  seq: number;
  /** The editions of the record, as JSON. */
  locales: string | null;
  collection: string;
  id: string;
  /** Null if the records before it used up `bytesMax`. */
  data: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
  createdBy: string | null;
  updatedBy: string | null;
  sizeBytes: number;
}

export interface Targets {
  models: ModelSource[];
  records: TargetRecord[];
  media: MediaWithMaster[];
}

interface Row extends Publication {
  seq: number;
  locales: string | null;
  kind: "model" | "record" | "media";
  collection: string;
  id: string | number;
  body: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
  createdBy: string | null;
  updatedBy: string | null;
  sizeBytes: number;
  /** 1 or 0 for a model. */
  drafts: number;
  /** Null for others than models. */
  components: string | null;
}

/**
 * Reads the active targets; those of models with drafts with the requested content. The data of records are read in the
 * requested order, until they have `bytesMax`.
 */
export async function readTargets(
  db: Database,
  spaceId: string,
  keys: TargetKeys,
  seen: { content: Content; onlyPublic: boolean; scopes: Scopes },
  bytesMax: number,
): Promise<Targets> {
  const { content, onlyPublic, scopes } = seen;
  const isSeen = sql`m.public >= ${int(Number(onlyPublic))} AND ${modelsInside(scopes)}`;
  const isPublished = int(Number(content === "published"));
  const rows = await db.all<Row>(sql`
    SELECT 'model' AS kind, name AS collection, id, fields AS body, version, 0 AS createdAt, 0 AS updatedAt, 0 AS sizeBytes,
      drafts, NULL AS publishedVersion, NULL AS publishedAt, NULL AS firstPublishedAt, NULL AS publishAt, NULL AS unpublishAt,
      components, NULL AS seq, NULL AS locales, NULL AS createdBy, NULL AS updatedBy
    FROM models m WHERE space_id = ${spaceId} AND type_model = 'collections' AND ${isSeen}
      AND name IN (SELECT value FROM json_each(${JSON.stringify(keys.collections)}))
    UNION ALL
    SELECT 'record', collection, id,
      CASE WHEN sum(size_bytes) OVER (ORDER BY place) <= ${bytesMax} THEN data END,
      version, created_at, updated_at, size_bytes, 0, published_version, published_at, first_published_at,
      publish_at, unpublish_at, NULL, seq, locales, created_by, updated_by
    FROM (SELECT j.key AS place, m.name AS collection, r.*
      FROM json_each(${JSON.stringify(keys.records)}) j
      CROSS JOIN models m ON m.space_id = ${spaceId} AND m.type_model = 'collections' AND m.name = j.value ->> 0
        AND ${isSeen}
      CROSS JOIN records r ON r.model_id = CASE WHEN m.drafts AND ${isPublished} THEN -m.id ELSE m.id END
        AND r.id = j.value ->> 1 AND r.deleted_at IS NULL)
    UNION ALL
    SELECT 'media', '', me.id, json_object(
      'media', json_object('id', me.id, 'spaceId', me.space_id, 'filename', me.filename, 'alt', me.alt, 'alts', me.alts,
        'focalX', me.focal_x, 'focalY', me.focal_y, 'masterVersion', me.master_version, 'lastVersion', me.last_version,
        'createdAt', me.created_at, 'updatedAt', me.updated_at, 'createdBy', me.created_by, 'updatedBy', me.updated_by),
      'master', json_object('mediaId', ma.media_id, 'version', ma.version, 'spaceId', ma.space_id, 'file', ma.file,
        'sizeBytes', ma.size_bytes, 'sha256', ma.sha256, 'facts', ma.facts, 'createdAt', ma.created_at,
        'thumbHash', ma.thumb_hash, 'dominantColor', ma.dominant_color,
        'suggestedFocalX', ma.suggested_focal_x, 'suggestedFocalY', ma.suggested_focal_y, 'missingAt', ma.missing_at)),
      0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM json_each(${JSON.stringify(keys.media)}) j
    CROSS JOIN media me ON me.id = j.value AND me.space_id = ${spaceId} AND me.deleted_at IS NULL
    CROSS JOIN masters ma ON ma.space_id = me.space_id AND ma.media_id = me.id AND ma.version = me.master_version`);
  const targets: Targets = { models: [], records: [], media: [] };
  for (const row of rows) addTarget(targets, row);
  return targets;
}

function addTarget(targets: Targets, row: Row): void {
  const { collection, version, createdAt, updatedAt, sizeBytes } = row;
  switch (row.kind) {
    case "model":
      targets.models.push({
        id: Number(row.id),
        typeModel: "collections",
        name: collection,
        version,
        titleField: null,
        drafts: row.drafts === 1,
        fields: row.body ?? "[]",
        components: row.components ?? NO_COMPONENTS,
      });
      return;
    case "record":
      targets.records.push({
        collection,
        id: String(row.id),
        data: row.body,
        version,
        createdAt,
        updatedAt,
        sizeBytes,
        seq: row.seq,
        locales: row.locales,
        createdBy: row.createdBy,
        updatedBy: row.updatedBy,
        ...publicationOf(row),
      });
      return;
    case "media":
      targets.media.push(JSON.parse(row.body ?? "{}") as Targets["media"][number]);
  }
}
