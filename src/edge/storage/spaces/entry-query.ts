/**
 * The query of `readEntry`. Its text is written once per variant: to write it for each request took more time than all
 * else that a read by id does.
 */
import { and, eq, getTableColumns, gte, isNull, sql, type Column, type SQL } from "drizzle-orm";
import { QueryBuilder, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  apiKeys,
  members,
  models,
  previewTokens,
  recordLocales,
  records,
  sessions,
  spaces,
} from "../../../../schema/tables.ts";
import type { ModelSource } from "../../../content/model/model.ts";
import { toQuery, type Database } from "../database/database.ts";
import type { KeyRole, TokenKind } from "./keys.ts";

/** The parts on which the text of the query depends. */
export interface EntryVariant {
  /** The kind of the caller's token, which is looked up too; null for a caller without one. */
  token: TokenKind | null;
  /** The content of the record. "by key": the draft unless the key has the role `read`. Null reads no record. */
  content: "draft" | "published" | "by key" | null;
  /** Whether target collections are read. */
  hasRelations: boolean;
  /** Whether the content of a locale is read with the record. */
  hasLocale: boolean;
}

export interface EntryValues {
  /** The hash of the token. */
  hash: string;
  spaceName: string;
  typeModel: string;
  model: string;
  id: string;
  /** Names of relation fields, as a JSON array. */
  relations: string;
  /** The path of the locale's number in the locales of the space. */
  locale: string;
}

/** The owner of a token. Every column is null if the session belongs to no member of the space. */
export interface TokenOwner {
  kind: "key" | "member" | "root";
  /** The id of the key, of the member, or of the maker of a preview token. */
  id: string;
  name: string;
  role: KeyRole;
  /** The scopes, as JSON. */
  scopes: string | null;
}

/** The tables of tokens: how a token, its owner and the space of the path are found. */
interface TokenTable {
  table: typeof apiKeys | typeof previewTokens | typeof sessions;
  owner: Record<keyof TokenOwner, SQLiteColumn | SQL<string>>;
  /** The space that the token opens. */
  spaceId: SQLiteColumn;
}

const TOKENS: Record<TokenKind, TokenTable> = {
  key: {
    table: apiKeys,
    owner: {
      kind: sql<string>`'key'`,
      id: apiKeys.id,
      name: apiKeys.name,
      role: apiKeys.role,
      scopes: apiKeys.scopes,
    },
    spaceId: apiKeys.spaceId,
  },
  preview: {
    table: previewTokens,
    owner: {
      kind: previewTokens.makerKind,
      id: previewTokens.makerId,
      name: previewTokens.makerName,
      role: sql<string>`'preview'`,
      scopes: previewTokens.scopes,
    },
    spaceId: previewTokens.spaceId,
  },
  session: {
    table: sessions,
    owner: {
      kind: sql<string>`'member'`,
      id: members.id,
      name: members.email,
      role: members.role,
      scopes: members.scopes,
    },
    spaceId: members.spaceId,
  },
};

const SELECTED = {
  space: getTableColumns(spaces),
  model: getTableColumns(models),
  record: getTableColumns(records),
};
type Part = keyof typeof SELECTED;

/** The columns of a token's owner and of its end, which come first in a row. */
const OWNER_COLUMNS = 6;

/** A target collection. */
export type RelatedModel = ModelSource & {
  /** 1 or 0. */
  public: number;
};

/** A row as it is read: null for what was not found or not asked for. */
export interface EntryRow {
  /** The owner of the token; null without a token, and for a session of a person who is no member. */
  owner: TokenOwner | null;
  /** When the token ends; null for never. */
  expiresAt: number | null;
  space: typeof spaces.$inferSelect | null;
  model: typeof models.$inferSelect | null;
  record: typeof records.$inferSelect | null;
  related: RelatedModel[];
  /** The record's content in the locale, as JSON; null for the default locale, and for one without values. */
  side: string | null;
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
  locale: sql.placeholder("locale"),
};

/** Returns the model number of the row that holds the requested content of the record. */
function rowsSeen({ content, token }: EntryVariant): SQL {
  if (content === "draft") return sql`${models.id}`;
  const role = token === null ? sql`'read'` : TOKENS[token].owner.role;
  const isPublished = content === "published" ? sql`1` : sql`${role} = 'read'`;
  return sql`CASE WHEN ${models.drafts} AND ${isPublished} THEN -${models.id} ELSE ${models.id} END`;
}

const RELATED = sql<string>`(SELECT json_group_array(json_object('id', t.id, 'typeModel', t.type_model,
    'name', t.name, 'version', t.version, 'titleField', t.title_field,
    'drafts', t.drafts, 'public', t.public, 'fields', t.fields, 'components', t.components))
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

/** The content of the record in the locale: the default one has no number among those of the space. */
const SIDE = sql<string | null>`(SELECT ${recordLocales.data} FROM ${recordLocales}
  WHERE ${recordLocales.record} = ${records.seq} AND ${recordLocales.locale} = ${spaces.locales} ->> ${value("locale")})`;

/** The membership of a session's person in the space of the path, unless its sessions were ended since. */
const ofSession = and(
  eq(members.iss, sessions.iss),
  eq(members.sub, sessions.sub),
  sql`${members.spaceId} = (SELECT n.space_id FROM space_names n WHERE n.name = ${value("spaceName")})`,
  gte(sessions.createdAt, members.sessionsSince),
);

function write(variant: EntryVariant): EntryQuery {
  const { token, content, hasRelations, hasLocale } = variant;
  const named = and(eq(spaces.name, value("spaceName")), isNull(spaces.removedAt));
  const ofModel = and(
    eq(models.spaceId, spaces.id),
    sql`${models.typeModel} = ${value("typeModel")}`,
    eq(models.name, value("model")),
  );
  const ofRecord = and(
    sql`${records.modelId} = ${rowsSeen(variant)}`,
    eq(records.id, value("id")),
    isNull(records.deletedAt),
  );
  const parts: Part[] = ["space", "model"];
  if (content !== null) parts.push("record");
  const found = token === null ? null : TOKENS[token];
  const selected = {
    ...(found && { owner: found.owner, expiresAt: found.table.expiresAt }),
    ...Object.fromEntries(parts.map((part) => [part, SELECTED[part]])),
    ...(hasRelations && { related: RELATED }),
    ...(hasLocale && content !== null && { side: SIDE }),
  };
  const from = new QueryBuilder().select(selected);
  const ofToken = (table: TokenTable) => {
    const rows = from.from(table.table);
    const owned = token === "session" ? rows.leftJoin(members, ofSession) : rows;
    return owned
      .leftJoin(spaces, and(eq(spaces.id, table.spaceId), named))
      .leftJoin(models, ofModel)
      .where(eq(table.table.hash, value("hash")));
  };
  const rows = found ? ofToken(found) : from.from(spaces).leftJoin(models, ofModel).where(named);
  const query = toQuery((content === null ? rows : rows.leftJoin(records, ofRecord)).getSQL());
  const places = new Map<unknown, string>(Object.entries(PLACES).map(([name, place]) => [place, name]));
  const names = query.params.map((param) => places.get(param) as keyof EntryValues);
  return { text: query.sql, names, parts };
}

const written = new Map<string, EntryQuery>();

function queryOf(variant: EntryVariant): EntryQuery {
  const { token, content, hasRelations, hasLocale } = variant;
  const name = `${token} ${content} ${hasRelations} ${hasLocale}`;
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

/** Runs the query. Null if there is no such key, or no such space where no key is looked up. */
export async function runEntryQuery(
  db: Database,
  variant: EntryVariant,
  values: EntryValues,
): Promise<EntryRow | null> {
  const { text, names, parts } = queryOf(variant);
  const statement = db.$client.prepare(text).bind(...names.map((name) => values[name]));
  const [row] = await statement.raw();
  if (!row) return null;
  const found: Record<Part, object | null> = { space: null, model: null, record: null };
  const [kind, id, name, role, scopes, expiresAt] = row;
  const owner = variant.token === null || id === null ? null : { kind, id, name, role, scopes };
  let at = variant.token === null ? 0 : OWNER_COLUMNS;
  for (const part of parts) {
    const columns: Record<string, Column> = SELECTED[part];
    found[part] = objectOf(columns, row.slice(at, (at += Object.keys(columns).length)));
  }
  const related = variant.hasRelations ? (JSON.parse(String(row[at++])) as RelatedModel[]) : [];
  const side = variant.hasLocale && variant.content !== null ? row[at] : null;
  const ends = variant.token === null ? null : expiresAt;
  return { ...found, owner, expiresAt: ends, related, side } as EntryRow;
}
