/** What a content route needs before it does anything, in one D1 query: credential, space, model, record. */
import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { apiKeys, models, records, spaces } from "../../../schema/tables.ts";
import type { Content } from "../content-model/publication.ts";
import type { ModelSource } from "../content-model/model.ts";
import type { Database } from "./database.ts";
import type { CallerRole, Reader } from "./keys.ts";
import type { Author } from "./record-versions.ts";
import type { SpaceRow } from "./spaces.ts";

export type ModelRow = typeof models.$inferSelect;
export type RecordRow = typeof records.$inferSelect;

export interface EntryAddress {
  spaceName: string;
  typeModel: string;
  model: string;
  /** Absent: the record is not read. */
  id?: string | undefined;
  /** Which content of it; without, the draft. "by role": what the caller may see of it, the draft if that. */
  content?: Content | "by role";
  /** Relation fields whose collections are read as well. */
  relations?: readonly string[];
}

export interface Entry {
  role: CallerRole;
  /** The caller's key; null for the root token. */
  key: Author;
  space: SpaceRow | null;
  model: ModelRow | null;
  record: RecordRow | null;
  /** The collections that the relation fields asked for lead to. */
  related: RelatedModel[];
}

export type RelatedModel = ModelSource & {
  /** 1 or 0. */
  public: number;
};

/** The model number under which the record stands, of the content that is asked for. */
function rowsSeen(content: Content | "by role", credential: Reader): SQL {
  if (content === "draft" || (content === "by role" && credential.kind !== "key")) return sql`${models.id}`;
  const isPublished = content === "published" ? sql`1` : sql`${apiKeys.role} = 'read'`;
  return sql`CASE WHEN ${models.drafts} AND ${isPublished} THEN -${models.id} ELSE ${models.id} END`;
}

/** Looked up and not found. A plain false would have D1 walk all records to join none of them. */
const NO_RECORD = eq(records.seq, -1);

/**
 * Null when the credential is unknown, and to anybody where there is no public model. A key's space only counts under the name asked for, so another space's key
 * finds no space. Keys are never cached: the hash rides in the statement.
 */
export async function readEntry(
  db: Database,
  credential: Reader,
  address: EntryAddress,
): Promise<Entry | null> {
  const named = and(sql`${spaces.name} = ${address.spaceName}`, isNull(spaces.removedAt));
  const ofModel = and(
    eq(models.spaceId, spaces.id),
    sql`${models.typeModel} = ${address.typeModel}`,
    eq(models.name, address.model),
  );
  const ofRecord =
    address.id === undefined
      ? NO_RECORD
      : and(
          sql`${records.modelId} = ${rowsSeen(address.content ?? "draft", credential)}`,
          eq(records.id, address.id),
          isNull(records.deletedAt),
        );
  const relations = JSON.stringify(address.relations ?? []);
  const related = sql<string>`(SELECT json_group_array(json_object('id', t.id, 'typeModel', t.type_model,
      'name', t.name, 'version', t.version, 'titleField', t.title_field,
      'drafts', t.drafts, 'public', t.public, 'fields', t.fields))
    FROM models t WHERE t.space_id = ${spaces.id} AND t.type_model = 'collections' AND t.name IN
      (SELECT f.value ->> 'to' FROM json_each(${models.fields}) f
        WHERE f.value ->> 'name' IN (SELECT value FROM json_each(${relations}))))`;
  const found = { space: spaces, model: models, record: records, related };
  if (credential.kind !== "key") {
    const row = await db
      .select(found)
      .from(spaces)
      .leftJoin(models, ofModel)
      .leftJoin(records, ofRecord)
      .where(named)
      .get();
    const nothing = { space: null, model: null, record: null };
    // To anybody, what is not public is not told from what is not there.
    if (credential.kind === "anybody" && row?.model?.public !== true) return null;
    return {
      role: credential.kind === "root" ? "root" : "read",
      key: null,
      ...nothing,
      ...row,
      related: relatedOf(row),
    };
  }
  const row = await db
    .select({ role: apiKeys.role, key: { id: apiKeys.id, name: apiKeys.name }, ...found })
    .from(apiKeys)
    .leftJoin(spaces, and(eq(spaces.id, apiKeys.spaceId), named))
    .leftJoin(models, ofModel)
    .leftJoin(records, ofRecord)
    .where(eq(apiKeys.hash, credential.hash))
    .get();
  return row ? { ...row, related: relatedOf(row) } : null;
}

const relatedOf = (row: { related: string } | undefined): RelatedModel[] =>
  JSON.parse(row?.related ?? "[]") as RelatedModel[];

/** The model and the record as they stand now, for a write that met another one. */
export async function readAgain(
  db: Database,
  spaceId: string,
  address: Omit<EntryAddress, "spaceName">,
): Promise<{ model: ModelRow; record: RecordRow | null } | null> {
  const ofRecord = and(
    eq(records.modelId, models.id),
    eq(records.id, address.id ?? ""),
    isNull(records.deletedAt),
  );
  const row = await db
    .select({ model: models, record: records })
    .from(models)
    .leftJoin(records, ofRecord)
    .where(
      and(
        eq(models.spaceId, spaceId),
        sql`${models.typeModel} = ${address.typeModel}`,
        eq(models.name, address.model),
      ),
    )
    .get();
  return row ?? null;
}
