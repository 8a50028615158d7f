/** Reads everything that a content route needs first, in one D1 query: credential, space, model, record. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { models, records } from "../../../../schema/tables.ts";
import type { Content } from "../../../content/model/publication.ts";
import type { Database } from "../database/database.ts";
import { runEntryQuery, type EntryVariant, type RelatedModel } from "./entry-query.ts";
import type { CallerRole, Reader } from "./keys.ts";
import type { Author } from "../history/record-versions.ts";
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

function variantOf(
  credential: Reader,
  { id, content = "draft", relations = [] }: EntryAddress,
): EntryVariant {
  const hasKey = credential.kind === "key";
  const seen = content === "by role" ? (hasKey ? "by key" : "draft") : content;
  return { hasKey, content: id === undefined ? null : seen, hasRelations: relations.length > 0 };
}

/**
 * Null when the credential is unknown, and for a caller without one if there is no public model of that name. A key is
 * only looked up together with the requested space, so the key of another space finds no space. Keys are never cached.
 */
export async function readEntry(
  db: Database,
  credential: Reader,
  address: EntryAddress,
): Promise<Entry | null> {
  const { kind } = credential;
  const found = await runEntryQuery(db, variantOf(credential, address), {
    hash: kind === "key" ? credential.hash : "",
    spaceName: address.spaceName,
    typeModel: address.typeModel,
    model: address.model,
    id: address.id ?? "",
    relations: JSON.stringify(address.relations ?? []),
  });
  if (kind === "key") {
    if (!found?.key) return null;
    const { role, ...key } = found.key;
    return { ...found, role, key };
  }
  // For a caller without a credential, a model that is not public looks like one that does not exist.
  if (kind === "anybody" && found?.model?.public !== true) return null;
  const nothing = { space: null, model: null, record: null, related: [] };
  return { ...nothing, ...found, role: kind === "root" ? "root" : "read", key: null };
}

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
