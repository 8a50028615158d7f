/**
 * The query of `readEntry`. Its text is written once per variant: to write it for each request took more time than all
 * else that a read by id does.
 */
import { and, eq, getTableColumns, isNull, sql, type Column, type SQL } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { apiKeys, models, records, spaces } from "../../../../schema/tables.ts";
import type { ModelSource } from "../../../content/model/model.ts";
import { toQuery, type Database } from "../database/database.ts";

/** What the text of the query depends on. */
export interface EntryVariant {
  /** Whether the caller has a key, which is looked up too. */
  hasKey: boolean;
  /** The content of the record. "by key": the draft unless the key has the role `read`. Null reads no record. */
  content: "draft" | "published" | "by key" | null;
  /** Whether target collections are read. */
  hasRelations: boolean;
}

export interface EntryValues {
  /** The hash of the key. */
  hash: string;
  spaceName: string;
  typeModel: string;
  model: string;
  id: string;
  /** Names of relation fields, as a JSON array. */
  relations: string;
}

const SELECTED = {
  key: { id: apiKeys.id, name: apiKeys.name, role: apiKeys.role },
  space: getTableColumns(spaces),
  model: getTableColumns(models),
  record: getTableColumns(records),
};
type Part = keyof typeof SELECTED;

/** A target collection. */
export type RelatedModel = ModelSource & {
  /** 1 or 0. */
  public: number;
};

/** A row as it is read: null for what was not found or not asked for. */
export interface EntryRow {
  key: Pick<typeof apiKeys.$inferSelect, "id" | "name" | "role"> | null;
  space: typeof spaces.$inferSelect | null;
  model: typeof models.$inferSelect | null;
  record: typeof records.$inferSelect | null;
  related: RelatedModel[];
}

/** Returns the value of a request that stands at this place of the text. */
const value = (name: keyof EntryValues): SQL => sql`${PLACES[name]}`;
const PLACES = {
  hash: sql.placeholder("hash"),
  spaceName: sql.placeholder("spaceName"),
  typeModel: sql.placeholder("typeModel"),
  model: sql.placeholder("model"),
  id: sql.placeholder("id"),
  relations: sql.placeholder("relations"),
};

/** Returns the model number of the row that holds the requested content of the record. */
function rowsSeen(content: EntryVariant["content"]): SQL {
  if (content === "draft") return sql`${models.id}`;
  const isPublished = content === "published" ? sql`1` : sql`${apiKeys.role} = 'read'`;
  return sql`CASE WHEN ${models.drafts} AND ${isPublished} THEN -${models.id} ELSE ${models.id} END`;
}

const RELATED = sql<string>`(SELECT json_group_array(json_object('id', t.id, 'typeModel', t.type_model,
    'name', t.name, 'version', t.version, 'titleField', t.title_field,
    'drafts', t.drafts, 'public', t.public, 'fields', t.fields))
  FROM models t WHERE t.space_id = ${spaces.id} AND t.type_model = 'collections' AND t.name IN
    (SELECT f.value ->> 'to' FROM json_each(${models.fields}) f
      WHERE f.value ->> 'name' IN (SELECT value FROM json_each(${value("relations")}))))`;

interface EntryQuery {
  text: string;
  /** The names of the values in the order in which they are bound. */
  names: (keyof EntryValues)[];
  /** The objects of a row, in the order of its columns. */
  parts: Part[];
}

function write({ hasKey, content, hasRelations }: EntryVariant): EntryQuery {
  const named = and(eq(spaces.name, value("spaceName")), isNull(spaces.removedAt));
  const ofModel = and(
    eq(models.spaceId, spaces.id),
    sql`${models.typeModel} = ${value("typeModel")}`,
    eq(models.name, value("model")),
  );
  const ofRecord = and(
    sql`${records.modelId} = ${rowsSeen(content)}`,
    eq(records.id, value("id")),
    isNull(records.deletedAt),
  );
  const parts: Part[] = [...(hasKey ? ["key" as const] : []), "space", "model"];
  if (content !== null) parts.push("record");
  const selected = {
    ...Object.fromEntries(parts.map((part) => [part, SELECTED[part]])),
    ...(hasRelations && { related: RELATED }),
  };
  const from = new QueryBuilder().select(selected);
  const found = hasKey
    ? from
        .from(apiKeys)
        .leftJoin(spaces, and(eq(spaces.id, apiKeys.spaceId), named))
        .leftJoin(models, ofModel)
        .where(eq(apiKeys.hash, value("hash")))
    : from.from(spaces).leftJoin(models, ofModel).where(named);
  const query = toQuery((content === null ? found : found.leftJoin(records, ofRecord)).getSQL());
  const places = new Map<unknown, string>(Object.entries(PLACES).map(([name, place]) => [place, name]));
  const names = query.params.map((param) => places.get(param) as keyof EntryValues);
  return { text: query.sql, names, parts };
}

const written = new Map<string, EntryQuery>();

function queryOf(variant: EntryVariant): EntryQuery {
  const { hasKey, content, hasRelations } = variant;
  const name = `${hasKey} ${content} ${hasRelations}`;
  const known = written.get(name) ?? write(variant);
  written.set(name, known);
  return known;
}

/** Returns the object of a row of a table that was joined; null if there was none. */
function objectOf(columns: Record<string, Column>, values: readonly unknown[]): object | null {
  if (values.every((one) => one === null)) return null;
  return Object.fromEntries(
    Object.entries(columns).map(([name, column], index) => {
      const one = values[index];
      return [name, one === null ? null : column.mapFromDriverValue(one)];
    }),
  );
}

/** Null if there is no such key, or no such space where no key is looked up. */
export async function runEntryQuery(
  db: Database,
  variant: EntryVariant,
  values: EntryValues,
): Promise<EntryRow | null> {
  const { text, names, parts } = queryOf(variant);
  const statement = db.$client.prepare(text).bind(...names.map((name) => values[name]));
  const [row] = await statement.raw();
  if (!row) return null;
  const found: Record<Part, object | null> = { key: null, space: null, model: null, record: null };
  let at = 0;
  for (const part of parts) {
    const columns: Record<string, Column> = SELECTED[part];
    found[part] = objectOf(columns, row.slice(at, (at += Object.keys(columns).length)));
  }
  const related = variant.hasRelations ? (JSON.parse(String(row[at])) as RelatedModel[]) : [];
  return { ...found, related } as EntryRow;
}
