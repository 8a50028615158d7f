/** Reads everything that a content route needs first, in one D1 query: credential, space, model, record. */
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
  /** The id of the record; if it is absent, no record is read. */
  id?: string | undefined;
  /** Which content of the record to read; by default the draft. "by role": the draft if the caller may see it. */
  content?: Content | "by role";
  /** Relation fields whose target collections are read too. */
  relations?: readonly string[];
}

export interface Entry {
  role: CallerRole;
  /** The key of the caller; null for the root token. */
  key: Author;
  space: SpaceRow | null;
  model: ModelRow | null;
  record: RecordRow | null;
  /** The target collections of the requested relation fields. */
  related: RelatedModel[];
}

export type RelatedModel = ModelSource & {
  /** 1 or 0. */
  public: number;
};

/** The model number of the row that holds the requested content of the record. */
function rowsSeen(content: Content | "by role", credential: Reader): SQL {
  if (content === "draft" || (content === "by role" && credential.kind !== "key")) return sql`${models.id}`;
  const isPublished = content === "published" ? sql`1` : sql`${apiKeys.role} = 'read'`;
  return sql`CASE WHEN ${models.drafts} AND ${isPublished} THEN -${models.id} ELSE ${models.id} END`;
}

/** A condition that matches no record, by a lookup. With a constant false, D1 would scan all records. */
const NO_RECORD = eq(records.seq, -1);

/**
 * Null when the credential is unknown, and for a caller without one if there is no public model of that name. A key is
 * only looked up together with the requested space, so the key of another space finds no space. Keys are never cached.
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
    // For a caller without a credential, a model that is not public looks like one that does not exist.
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

/** Reads the model and the record again, for a write that collided with another one. */
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
