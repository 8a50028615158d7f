/**
 * All tables of the schema, by how a space's rows are found in them (RULES 12.6). A move copies them, and an export reads
 * them, by this one list; a table that it does not name fails a test. A new table is one line here.
 */
import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../../../../schema/tables.ts";

/**
 * The key by which the space of a row is found: a column with its id, `model_id` (of published contents the negated
 * number), `record` (`records.seq`), or a key of R2, whose second part is the space.
 */
export type SpaceKey = "space" | "model" | "record" | "object";

interface Options {
  /** The column with the id of the space. */
  space?: string;
  /** The column that counts with AUTOINCREMENT. Its numbers move unchanged. */
  counter?: string;
  /** Columns that the other database fills by itself. */
  left?: readonly string[];
  /**
   * Columns that triggers of the other database write, too. They are copied, so that the triggers find nothing to write, and
   * are not compared.
   */
  derived?: readonly string[];
  /** Conditions that make the rows of a space disjoint parts, each of which has an index. */
  parts?: readonly string[];
  /** The column that gives the order of the copy, which has an index; by default the key. `rowid` if only `space_id` has. */
  order?: string;
  /** The directory has the rows of all spaces anyway. */
  isOfDirectory?: boolean;
  /** A row that is there is changed in place, because triggers write rows of other tables if it is removed. */
  isInPlace?: boolean;
  /** Triggers look at the record of a row that is inserted, so the record is copied before it. */
  needsRecord?: boolean;
  /** Tables of which a trigger removes rows with one of this table. */
  dependants?: readonly string[];
}

/** A table whose rows belong to spaces. */
export interface SpaceTable extends Options {
  name: string;
  by: SpaceKey;
  space: string;
  /** The columns by which rows are copied: the primary key, or the beginning of an index if several rows go together. */
  unit: readonly string[];
  /** The columns that are copied. */
  columns: readonly string[];
  /** Those that hold text. */
  texts: readonly string[];
  /** Those that hold values of any type. */
  anyValues: readonly string[];
}

/** A table without rows of spaces, or whose rows are made anew on the other database, and the reason. */
export interface OtherTable {
  name: string;
  stays: string;
}

export type TableEntry = SpaceTable | OtherTable;

const columnsOf = (table: SQLiteTable): SQLiteColumn[] =>
  Object.values(getTableColumns(table)) as SQLiteColumn[];

function moves(by: SpaceKey, table: SQLiteTable, unit: string[], options: Options = {}): SpaceTable {
  const columns = columnsOf(table).filter(({ name }) => !options.left?.includes(name));
  const namesWhere = (isIt: (type: string) => boolean): string[] =>
    columns.filter((column) => isIt(column.getSQLType())).map(({ name }) => name);
  return {
    space: "space_id",
    ...options,
    name: getTableName(table),
    by,
    unit,
    columns: columns.map(({ name }) => name),
    texts: namesWhere((type) => type === "text"),
    anyValues: namesWhere((type) => type === "blob"),
  };
}

const stays = (table: SQLiteTable, why: string): OtherTable => ({ name: getTableName(table), stays: why });

/** In the order of a copy: a table comes after those by which its rows are found. */
export const TABLES: readonly TableEntry[] = [
  moves("space", schema.spaces, ["id"], { space: "id" }),
  moves("space", schema.spaceNames, ["name"], { order: "rowid", isOfDirectory: true }),
  moves("space", schema.apiKeys, ["id"]),
  moves("space", schema.previewTokens, ["hash"], { order: "rowid" }),
  moves("space", schema.members, ["id"]),
  moves("space", schema.sessions, ["hash"], { order: "rowid" }),
  moves("space", schema.models, ["id"], { counter: "id" }),
  moves("model", schema.modelChanges, ["model_id"]),
  moves("model", schema.removedFields, ["model_id", "field"], { order: "field" }),
  moves("model", schema.searchRebuilds, ["model_id"]),
  moves("model", schema.records, ["seq"], {
    ...{ counter: "seq", order: "id" },
    ...{ isInPlace: true, dependants: ["record_locales", "record_locale_versions"] },
    // Triggers write it with the rows of record_locales, which may come later, or have changed since.
    derived: ["held"],
  }),
  moves("record", schema.recordVersions, ["record", "no"], {
    isInPlace: true,
    dependants: ["record_locale_versions"],
  }),
  moves("record", schema.recordLocales, ["record", "locale"], {
    ...{ isInPlace: true, needsRecord: true },
    // A trigger makes it of `data`, where the sweep has not done so yet.
    derived: ["filled"],
  }),
  moves("record", schema.recordLocaleVersions, ["record", "locale", "version"]),
  moves("record", schema.recordValues, ["record"]),
  moves("record", schema.recordUniques, ["record"]),
  moves("space", schema.media, ["space_id", "id"], {
    left: ["seq"],
    order: "id",
    parts: ["t.deleted_at IS NULL", "t.deleted_at IS NOT NULL"],
  }),
  moves("space", schema.masters, ["space_id", "media_id", "version"], { order: "rowid" }),
  moves("space", schema.variants, ["space_id", "media_id", "version", "file"], { order: "rowid" }),
  moves("space", schema.waitingMedia, ["space_id", "media_id"], { order: "media_id" }),
  moves("space", schema.removedMedia, ["space_id", "media_id"], { order: "media_id" }),
  moves("space", schema.backups, ["id"]),
  moves("space", schema.backupMasters, ["space_id", "media_id", "version"], { order: "rowid" }),
  moves("space", schema.remotes, ["space_id", "hash"], { order: "hash" }),
  moves("space", schema.uploads, ["id"], { order: "rowid" }),
  moves("object", schema.doomedObjects, ["key"]),
  moves("space", schema.events, ["no"], { counter: "no" }),
  moves("space", schema.idempotencyKeys, ["caller", "key"], { order: "rowid" }),
  moves("space", schema.webhooks, ["id"]),
  moves("space", schema.webhookDeliveries, ["id"], { order: "rowid" }),

  stays(schema.spaceTotals, "triggers on the copied rows count them anew"),
  stays(schema.idempotencyCallers, "triggers on the copied rows count them anew"),
  stays(
    schema.modelChangeTouches,
    "empty when no change of a model is under way, for which the last slice waits",
  ),
  stays(schema.disorderedModels, "triggers on the copied records note the order anew"),
  stays(schema.purges, "the database that was changed invalidates; edge copies know no databases"),
  stays(schema.purgeAllowance, "the database's own part of the platform's allowance"),
  stays(schema.foldEdition, "one row for all spaces; what is older is folded anew on the other database"),
  stays(schema.batchGuards, "always empty"),
  stays(schema.spacePlaces, "the directory's: the last step of a move writes it"),
  stays(schema.storageChecks, "how far the database itself was compared with R2"),
  stays(schema.thisShard, "the database's own number"),
  stays(schema.spaceMoves, "each database's side of a move"),
  stays(schema.moveTouches, "what a move has still to copy"),
  stays(schema.numberBlocks, "the directory's"),
  stays(schema.rootSessions, "the directory's: sessions that open every space"),
];

const isSpaceTable = (entry: TableEntry): entry is SpaceTable => "by" in entry;

/** The tables whose rows move. */
export const SPACE_TABLES: readonly SpaceTable[] = TABLES.filter(isSpaceTable);

/** Returns the table of this name. @throws Error if there is none whose rows move */
export function spaceTable(name: string): SpaceTable {
  const found = SPACE_TABLES.find((table) => table.name === name);
  if (!found) throw new Error(`No rows of ${name} move.`);
  return found;
}
