/** The tables of D1. Times are milliseconds since 1970 UTC; ids are ULIDs. No cascades: the sweep removes. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const spaces = sqliteTable("spaces", {
  id: text().primaryKey(),
  /** The canonical name; also a row of `space_names`. */
  name: text().notNull(),
  tenantId: text("tenant_id"),
  trashRetentionDays: integer("trash_retention_days").notNull(),
  adaptiveLoading: integer("adaptive_loading", { mode: "boolean" }).notNull().default(true),
  compression: integer({ mode: "boolean" }).notNull().default(true),
  quality: integer().notNull().default(80),
  createdAt: integer("created_at").notNull(),
  /** Set when the space is removed; its names are free at once, the sweep removes what it held. */
  removedAt: integer("removed_at"),
});

/** Canonical names, earlier names and tenant ids share one namespace (completion §1, §2). */
export const spaceNames = sqliteTable(
  "space_names",
  {
    name: text().primaryKey(),
    spaceId: text("space_id").notNull(),
  },
  (t) => [index("space_names_by_space").on(t.spaceId)],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    name: text().notNull(),
    role: text({ enum: ["read", "write", "admin"] }).notNull(),
    /** SHA-256 of the key, hex. The key itself is shown once and never stored. */
    hash: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [uniqueIndex("api_keys_by_hash").on(t.hash), index("api_keys_by_space").on(t.spaceId, t.id)],
);

export const media = sqliteTable(
  "media",
  {
    id: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    filename: text().notNull(),
    alt: text().notNull().default(""),
    /** The version offered now; a row of `masters`. */
    masterVersion: integer("master_version").notNull(),
    /** The last version number given to an upload; numbers are never used twice. */
    lastVersion: integer("last_version").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    purgeAt: integer("purge_at"),
  },
  (t) => [
    index("media_by_space").on(t.spaceId, t.id).where(sql`deleted_at IS NULL`),
    index("media_trash_by_space").on(t.spaceId, t.id).where(sql`deleted_at IS NOT NULL`),
    index("media_by_purge").on(t.purgeAt).where(sql`purge_at IS NOT NULL`),
  ],
);

/** One row a stored master file. Its bytes are at `m/{spaceId}/{mediaId}/{version}/{file}` in R2, never rewritten. */
export const masters = sqliteTable(
  "masters",
  {
    mediaId: text("media_id").notNull(),
    version: integer().notNull(),
    spaceId: text("space_id").notNull(),
    /** Last segment of the R2 key: `master.jpg`. */
    file: text().notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    sha256: text().notNull(),
    /** MasterFacts as JSON (src/image/master.ts). */
    facts: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Set when a newer version took its place: the bytes stay until then. */
    purgeAt: integer("purge_at"),
  },
  (t) => [
    primaryKey({ columns: [t.mediaId, t.version] }),
    index("masters_by_space").on(t.spaceId),
    index("masters_by_purge").on(t.purgeAt).where(sql`purge_at IS NOT NULL`),
  ],
);

/** One row a built variant. Its bytes are at `v/{spaceId}/{mediaId}/{version}/{file}` in R2, written once. */
export const variants = sqliteTable(
  "variants",
  {
    mediaId: text("media_id").notNull(),
    version: integer().notNull(),
    /** The identity within a master version, and the last segment of the R2 key: `w1000-q80-e1.webp`. */
    file: text().notNull(),
    spaceId: text("space_id").notNull(),
    encoderVersion: integer("encoder_version").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.mediaId, t.version, t.file] }),
    index("variants_by_expiry").on(t.expiresAt),
    index("variants_by_space").on(t.spaceId),
  ],
);

/**
 * R2 keys to be removed once `due_at` has passed, unless a row claims them by then.
 * Written before bytes are (the intent of an upload or a build) and in the batch that removes their row,
 * so that no crash between R2 and D1 can leak an object.
 */
export const doomedObjects = sqliteTable(
  "doomed_objects",
  {
    key: text().primaryKey(),
    dueAt: integer("due_at").notNull(),
    /** An R2 multipart upload to abort as well. */
    uploadId: text("upload_id"),
  },
  (t) => [index("doomed_by_due").on(t.dueAt)],
);
