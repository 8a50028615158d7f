/** The trash of a space as one list: records, pages' contents and media. */
import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import { masters, media, models, records } from "../../../../schema/tables.ts";
import type { Database } from "../database/database.ts";
import type { ModelRow, RecordRow } from "../spaces/entries.ts";
import { current, type MediaWithMaster } from "../media/media.ts";
import { publishedSeq, publishedSeqOf } from "../records/published.ts";
import { modelsInside, seesModel, type Scopes } from "../spaces/scopes.ts";
import { titleOf } from "../records/record-title.ts";

export const TRASH_KINDS = ["record", "media"] as const;
export type TrashKind = (typeof TRASH_KINDS)[number];

export interface TrashRow {
  id: string;
  kind: TrashKind;
  deletedAt: number;
  purgeAt: number;
  typeModel: string | null;
  model: string | null;
  /** The title of a record, or the file name of a media item. */
  title: string | null;
}

export interface TrashPage {
  kinds: readonly TrashKind[];
  limit: number;
  before: { deletedAt: number; id: string } | null;
  /** Whether the caller may see what is not published. */
  seesDrafts: boolean;
  /** The scopes of the caller. */
  scopes: Scopes;
}

/** Lists the trash after `before`, latest deleted first. One query, which reads about `limit` rows of each kind. */
export async function listTrash(db: Database, spaceId: string, page: TrashPage): Promise<TrashRow[]> {
  const { limit, before, seesDrafts, scopes } = page;
  const kinds = page.kinds.filter((kind) => kind === "record" || scopes.media !== "none");
  if (kinds.length === 0) return [];
  const below = before ? sql`AND (t.deleted_at, t.id) < (${before.deletedAt}, ${before.id})` : sql``;
  const order = sql`ORDER BY t.deleted_at DESC, t.id DESC LIMIT ${limit}`;
  const title = seesDrafts
    ? titleOf("t", "m")
    : sql`CASE WHEN m.drafts THEN ${titleOf("p", "m")} ELSE ${titleOf("t", "m")} END`;
  const ofRecords = sql`
    SELECT t.id, 'record' AS kind, t.deleted_at AS deletedAt, t.purge_at AS purgeAt, m.type_model AS typeModel,
      m.name AS model, ${title} AS title
    FROM records t LEFT JOIN models m ON m.id = t.model_id
      ${seesDrafts ? sql`` : sql`LEFT JOIN records p ON m.drafts AND p.seq = ${publishedSeqOf(sql`t.seq`)}`}
    WHERE t.space_id = ${spaceId} AND t.deleted_at IS NOT NULL AND t.model_id > 0
      ${seesDrafts ? sql`` : sql`AND (p.seq IS NOT NULL OR m.drafts IS NOT TRUE)`} AND ${modelsInside(scopes)} ${below} ${order}`;
  const ofMedia = sql`
    SELECT t.id, 'media' AS kind, t.deleted_at AS deletedAt, t.purge_at AS purgeAt, NULL AS typeModel, NULL AS model,
      t.filename AS title
    FROM media t WHERE t.space_id = ${spaceId} AND t.deleted_at IS NOT NULL ${below} ${order}`;
  const parts = kinds.map((kind) => sql`SELECT * FROM (${kind === "record" ? ofRecords : ofMedia})`);
  return db.all<TrashRow>(sql`
    SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) ORDER BY deletedAt DESC, id DESC LIMIT ${limit}`);
}

export type TrashEntry =
  | { kind: "record"; record: RecordRow; model: ModelRow | null; title: string | null }
  | ({ kind: "media" } & MediaWithMaster);

/** Returns the published content of a trashed record, for callers who may not see drafts. */
export async function readPublishedEntry(
  db: Database,
  entry: TrashEntry & { kind: "record" },
): Promise<TrashEntry | null> {
  if (!entry.model?.drafts) return entry;
  const found = await db
    .select({ record: records, title: sql<string | null>`${titleOf("records", "models")}` })
    .from(records)
    .innerJoin(models, eq(models.id, entry.model.id))
    .where(eq(records.seq, publishedSeq(entry.record.seq)))
    .get();
  return found ? { ...entry, ...found } : null;
}

/** Reads a record or media item in the trash; null if it is not there, or outside the scopes. */
export async function readTrashEntry(
  db: Database,
  spaceId: string,
  id: string,
  scopes: Scopes,
): Promise<TrashEntry | null> {
  const found = await findEntry(db, spaceId, id);
  if (found?.kind !== "record") return scopes.media === "none" ? null : found;
  if (scopes.models === null) return found;
  return found.model && seesModel(scopes, found.model.name) ? found : null;
}

async function findEntry(db: Database, spaceId: string, id: string): Promise<TrashEntry | null> {
  // Not a batch: a batch returns rows by column name, and the columns of a join have equal names.
  const found = await db
    .select({ record: records, model: models, title: sql<string | null>`${titleOf("records", "models")}` })
    .from(records)
    .leftJoin(models, eq(models.id, records.modelId))
    .where(
      and(
        eq(records.id, id),
        eq(records.spaceId, spaceId),
        isNotNull(records.deletedAt),
        gt(records.modelId, 0),
      ),
    )
    .get();
  if (found) return { kind: "record", ...found };
  const item = await db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(and(eq(media.id, id), eq(media.spaceId, spaceId), isNotNull(media.deletedAt)))
    .get();
  return item ? { kind: "media", ...item } : null;
}
