/** Reads everything that a content route needs first, in one D1 query: credential, space, model, record. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { models, records } from "../../../../schema/tables.ts";
import type { Content } from "../../../content/model/publication.ts";
import type { Database } from "../database/database.ts";
import { joined } from "../locales/sides.ts";
import {
  runEntryQuery,
  type EntryRow,
  type EntryVariant,
  type RelatedModel,
  type TokenOwner,
} from "./entry-query.ts";
import { isOfFormerRoot, type CallerRole, type Reader } from "./keys.ts";
import { isModelInside, scopesIn, seesModel, WHOLE_SPACE, type Scopes } from "./scopes.ts";
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
  /** The locale whose values are read with the record, in its usual form; absent for those of the default alone. */
  locale?: string | undefined;
}

export interface Entry {
  role: CallerRole;
  kind: "root" | "key" | "member" | "preview token" | "anybody";
  /** The key or member of the caller, or the maker of its preview token; null for the root token. */
  owner: TokenOwner | null;
  scopes: Scopes;
  /** When the token ends; null for never. */
  expiresAt: number | null;
  space: SpaceRow | null;
  model: ModelRow | null;
  record: RecordRow | null;
  /** The target collections of the requested relation fields. */
  related: RelatedModel[];
}

function variantOf(
  credential: Reader,
  { id, content = "draft", relations = [], locale }: EntryAddress,
): EntryVariant {
  const token = credential.kind === "key" ? credential.of : null;
  const seen = content === "by role" ? (token ? "by key" : "draft") : content;
  return {
    token,
    content: id === undefined ? null : seen,
    hasRelations: relations.length > 0,
    hasLocale: locale !== undefined,
  };
}

/** The kinds of callers by the kinds of their tokens. */
const KINDS = { key: "key", session: "member", preview: "preview token" } as const;

/**
 * Reads the entry of a request. Null when the credential is unknown or has ended, and for a caller without one if there
 * is no public model of that name. A token is only looked up together with the requested space, so the key of another
 * space finds no space, and so does the session of a person who is no member of it. Tokens are never cached. A model
 * outside the caller's scopes is not found.
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
    locale: `$.numbers."${address.locale ?? ""}"`,
  });
  const record = found ? withSide(found) : null;
  if (kind === "key") {
    const hasEnded = !found || (found.expiresAt !== null && found.expiresAt <= Date.now());
    if (hasEnded || (found.owner === null && credential.of !== "session")) return null;
    if (found.owner && isOfFormerRoot(credential, found.owner)) return null;
    const scopes = scopesIn(found.owner?.scopes ?? null);
    const role = found.owner?.role ?? "read";
    return insideOf({ ...found, record, scopes, role, kind: KINDS[credential.of] });
  }
  // For a caller without a credential, a model that is not public looks like one that does not exist.
  if (kind === "anybody" && found?.model?.public !== true) return null;
  const nothing = { space: null, model: null, record: null, related: [], owner: null, expiresAt: null };
  const role = kind === "root" ? "root" : "read";
  return { ...nothing, ...found, record, role, kind, scopes: WHOLE_SPACE };
}

/** Returns an entry as if models outside its scopes were not there. */
function insideOf(entry: Entry): Entry {
  const { model, scopes } = entry;
  const isInside = model !== null && isModelInside(scopes, model);
  const related = entry.related.filter(({ name }) => seesModel(scopes, name));
  return isInside ? { ...entry, related } : { ...entry, model: null, record: null, related: [] };
}

/** Returns the record with its values in the locale that was read with it. */
const withSide = ({ record, side }: Pick<EntryRow, "record" | "side">): RecordRow | null =>
  record && { ...record, data: joined(record.data, side) };

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
