/** The trash of a space as one list: records, pages' contents and media. */
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { masters, media, models, records } from "../../../schema/tables.ts";
import type { Database } from "./database.ts";
import type { ModelRow, RecordRow } from "./entries.ts";
import { current, type MediaWithMaster } from "./media.ts";
import { titleOf } from "./record-title.ts";

export const TRASH_KINDS = ["record", "media"] as const;
export type TrashKind = (typeof TRASH_KINDS)[number];

export interface TrashRow {
  id: string;
  kind: TrashKind;
  deletedAt: number;
  purgeAt: number;
  typeModel: string | null;
  model: string | null;
  /** Of a media item, its file name. */
  title: string | null;
}

export interface TrashPage {
  kinds: readonly TrashKind[];
  limit: number;
  before: { deletedAt: number; id: string } | null;
}

/** The latest deleted first, from below `before`. One query, which reads about `limit` rows of each kind. */
export async function listTrash(db: Database, spaceId: string, page: TrashPage): Promise<TrashRow[]> {
  const { kinds, limit, before } = page;
  const below = before ? sql`AND (t.deleted_at, t.id) < (${before.deletedAt}, ${before.id})` : sql``;
  const order = sql`ORDER BY t.deleted_at DESC, t.id DESC LIMIT ${limit}`;
  const ofRecords = sql`
    SELECT t.id, 'record' AS kind, t.deleted_at AS deletedAt, t.purge_at AS purgeAt, m.type_model AS typeModel,
      m.name AS model, ${titleOf("t", "m")} AS title
    FROM records t LEFT JOIN models m ON m.id = t.model_id
    WHERE t.space_id = ${spaceId} AND t.deleted_at IS NOT NULL ${below} ${order}`;
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

/** One entry, record or media; null when it is not in the trash. */
export async function readTrashEntry(db: Database, spaceId: string, id: string): Promise<TrashEntry | null> {
  // Not as a batch: there D1 gives rows by column name, and those of a join share names.
  const found = await db
    .select({ record: records, model: models, title: sql<string | null>`${titleOf("records", "models")}` })
    .from(records)
    .leftJoin(models, eq(models.id, records.modelId))
    .where(and(eq(records.id, id), eq(records.spaceId, spaceId), isNotNull(records.deletedAt)))
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
