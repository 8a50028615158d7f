/** The tables of D1. Times are milliseconds since 1970 UTC; ids are ULIDs. No cascades: the sweep removes. */
import { sql } from "drizzle-orm";
import {
  customType,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/**
 * One row a space, with its plan and its settings (RULES 2.1, 2.2). A removed one stays until the sweep has emptied it.
 */
export const spaces = sqliteTable("spaces", {
  id: text().primaryKey(),
  /** The canonical name; also a row of `space_names`. */
  name: text().notNull(),
  tenantId: text("tenant_id"),
  trashRetentionDays: integer("trash_retention_days").notNull(),
  /** How long earlier contents of records are kept. */
  historyDays: integer("history_days").notNull().default(30),
  adaptiveLoading: integer("adaptive_loading", { mode: "boolean" }).notNull().default(true),
  compression: integer({ mode: "boolean" }).notNull().default(true),
  quality: integer().notNull().default(80),
  /** The ratios that crops may have, as a JSON array of `W:H`; null for the default (src/limits.ts). */
  aspectRatios: text("aspect_ratios"),
  /** The backgrounds that pictures may have, as a JSON array of `rrggbb` and `transparent`; null for the default. */
  backgrounds: text(),
  /** Whether suggested focal points are shown and used. */
  suggestFocalPoint: integer("suggest_focal_point", { mode: "boolean" }).notNull().default(false),
  /** The variants that are built ahead after an upload (RULES 9.7). */
  prebuild: text({ enum: ["presets", "none"] })
    .notNull()
    .default("presets"),
  /** The statements about rights that variants keep of their master's (RULES 9.9). */
  metadata: text({ enum: ["copyright", "none"] })
    .notNull()
    .default("copyright"),
  /** The widest gamut of variants (RULES 9.10). */
  gamut: text({ enum: ["srgb", "p3"] })
    .notNull()
    .default("srgb"),
  /** The locales as JSON (src/content/locales/locales.ts); null before a space had any. */
  locales: text(),
  /** The addresses whose pictures are served from other servers, as a JSON array; null for none (RULES 13.1). */
  origins: text(),
  /** The bytes of such pictures that the plan allows. */
  remoteBytes: integer("remote_bytes").notNull().default(10_737_418_240),
  createdAt: integer("created_at").notNull(),
  /** Set when the space is removed; its names are free at once, the sweep removes what it held. */
  removedAt: integer("removed_at"),
});

/**
 * Canonical names, earlier names and tenant ids share one namespace (RULES 1.1, 2.1). The directory has the names of
 * all spaces; each further shard has a copy of those of its own spaces (RULES 12.1).
 */
export const spaceNames = sqliteTable(
  "space_names",
  {
    name: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    /** In the directory: when the name was claimed for a space of a further shard, until the sweep finds it there. */
    claimedAt: integer("claimed_at"),
  },
  (t) => [
    index("space_names_by_space").on(t.spaceId),
    index("space_names_claimed")
      .on(t.claimedAt)
      .where(sql`claimed_at IS NOT NULL`),
  ],
);

/** The directory: the shard of each space that does not stand on shard 0 (RULES 12.1). Other databases have no rows. */
export const spacePlaces = sqliteTable("space_places", {
  spaceId: text("space_id").primaryKey(),
  shard: integer().notNull(),
  /** Grows with each move of the space. */
  move: integer().notNull().default(0),
});

/**
 * The number of the database that has the row, once a space was put there: a database bound as another is found out.
 */
export const thisShard = sqliteTable("this_shard", {
  id: integer().primaryKey(),
  shard: integer().notNull(),
});

/**
 * Where a space of this database comes from, or went to (RULES 12.6): one row for each space that was moved. Triggers on
 * the tables of spaces read it, while there is a move (src/edge/storage/shards/move-triggers.ts).
 */
export const spaceMoves = sqliteTable("space_moves", {
  spaceId: text("space_id").primaryKey(),
  /** The number of the space's last move that this database knows. Of two databases, the one with the higher is right. */
  move: integer().notNull(),
  /**
   * `leaving`: the space stands here, and is copied to another database. `left`: it stands on the other one; its rows
   * here are swept. `arriving`: it is copied to here. `here`: it has come. `stayed`: its last move was given up.
   */
  state: text({ enum: ["leaving", "left", "arriving", "here", "stayed"] }).notNull(),
  /** The number of the other database. */
  other: integer().notNull(),
  /** Writes of the space are refused until then, in milliseconds: the last slice is copied. */
  closedUntil: integer("closed_until").notNull().default(0),
  /** 1 within the batches of the move itself, which the triggers let pass. */
  bypass: integer().notNull().default(0),
  /** How far the copy is, as JSON; of one that arrives. */
  progress: text().notNull().default("{}"),
  /** Grows with each slice of the copy, so that of two that copy one fails. */
  step: integer().notNull().default(0),
  /** The texts of the triggers that note changes, by their hash: a copy under others begins anew. */
  edition: text().notNull().default(""),
  /** The move is worked on by one until then, unless that one ends before. */
  drivenUntil: integer("driven_until").notNull().default(0),
  startedAt: integer("started_at").notNull(),
  /** The time of the end. `left`: the last write was refused here. `here` and `stayed`: the move ended. */
  endedAt: integer("ended_at"),
  /** The time from which all sides know of the move, of `left`. */
  settledAt: integer("settled_at"),
  /** The time from which no row of the space is left here, of `left`. */
  sweptAt: integer("swept_at"),
  /** Why the move does not go on, or was given up. */
  reason: text(),
});

/** Rows of a space that were changed after their copy, by triggers: each is copied once more. */
export const moveTouches = sqliteTable(
  "move_touches",
  {
    no: integer().primaryKey({ autoIncrement: true }),
    spaceId: text("space_id").notNull(),
    tableName: text("table_name").notNull(),
    /** The key of the row, or of several, as a JSON list. */
    unit: text().notNull(),
  },
  (t) => [index("move_touches_by_space").on(t.spaceId, t.no)],
);

/** The directory: blocks of row numbers that were given beside the first one of each database (RULES 12.2). */
export const numberBlocks = sqliteTable("number_blocks", {
  block: integer().primaryKey(),
  shard: integer().notNull(),
});

/** The kinds of callers that make keys, members and preview tokens. */
const MAKER_KINDS = ["key", "member", "root"] as const;

/** One row a key of a space, without the key itself (RULES 1.4, 2.3). A revoked key has no row. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    name: text().notNull(),
    role: text({ enum: ["read", "preview", "write", "admin"] }).notNull(),
    /** SHA-256 of the key, hex. The key itself is shown once and never stored. */
    hash: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** The scopes of the key as they were given, as JSON; null for the whole space. */
    scopes: text(),
    /** When the key ends by itself; null for never. */
    expiresAt: integer("expires_at"),
    /** The maker: `key`, `member` or `root`. Null for keys that are older than the column. */
    makerKind: text("maker_kind", { enum: MAKER_KINDS }),
    /** The id of the key or member that made it; of a root member the address, of the root token `root`. */
    makerId: text("maker_id"),
  },
  (t) => [
    uniqueIndex("api_keys_by_hash").on(t.hash),
    index("api_keys_by_space").on(t.spaceId, t.id),
    index("api_keys_by_maker").on(t.spaceId, t.makerId),
  ],
);

/**
 * Tokens that read drafts for a preview page (RULES 2.5). They have the scopes of their maker, and end with it: the
 * batch that removes the maker, or changes its role or scopes, removes them.
 */
export const previewTokens = sqliteTable(
  "preview_tokens",
  {
    /** SHA-256 of the token, hex. */
    hash: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    /** The scopes of the maker, as JSON; null for the whole space. */
    scopes: text(),
    makerKind: text("maker_kind", { enum: MAKER_KINDS }).notNull(),
    /** The id of the key or member that made it; of a root member the address, of the root token `root`. */
    makerId: text("maker_id").notNull(),
    makerName: text("maker_name").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [
    index("preview_tokens_by_maker").on(t.spaceId, t.makerId),
    index("preview_tokens_by_expiry").on(t.expiresAt),
  ],
);

/** One row a person who may sign in to a space (RULES 2.6). A removed member has no row. */
export const members = sqliteTable(
  "members",
  {
    id: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    /** Trimmed, in lower case. */
    email: text().notNull(),
    role: text({ enum: ["read", "preview", "write", "admin"] }).notNull(),
    /** The scopes of the member as they were given, as JSON; null for the whole space. */
    scopes: text(),
    /** The issuer and the subject that the first sign-in has bound; null before it. */
    iss: text(),
    sub: text(),
    createdAt: integer("created_at").notNull(),
    /** The last sign-in; null before the first. */
    lastSeenAt: integer("last_seen_at"),
    /** Sessions that are older are not accepted in this space, wherever they were made. */
    sessionsSince: integer("sessions_since").notNull().default(0),
    makerKind: text("maker_kind", { enum: MAKER_KINDS }).notNull(),
    makerId: text("maker_id"),
  },
  (t) => [
    uniqueIndex("members_by_email").on(t.spaceId, t.email),
    uniqueIndex("members_by_subject").on(t.spaceId, t.iss, t.sub),
    index("members_by_space").on(t.spaceId, t.id),
  ],
);

/** Sessions of people, in the database of the space in which they signed in (RULES 2.7). */
export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the token, hex. */
    hash: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    iss: text().notNull(),
    sub: text().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [
    index("sessions_by_subject").on(t.spaceId, t.iss, t.sub),
    index("sessions_by_expiry").on(t.expiresAt),
  ],
);

/** The directory: sessions of root members, who are listed in `ROOT_MEMBERS`. */
export const rootSessions = sqliteTable(
  "root_sessions",
  {
    /** SHA-256 of the token, hex. */
    hash: text().primaryKey(),
    email: text().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("root_sessions_by_expiry").on(t.expiresAt)],
);

/**
 * One row a media item, in the trash too, with what lists filter and sort by (RULES 4.2). Its files, the present and
 * earlier ones, are rows of `masters`.
 */
export const media = sqliteTable(
  "media",
  {
    /** A ULID. Another space may have an item of the same id, from an import. */
    id: text().notNull(),
    spaceId: text("space_id").notNull(),
    filename: text().notNull(),
    alt: text().notNull().default(""),
    /** The alt texts of the locales but the default as JSON, by code. Null before there was one. */
    alts: text(),
    /** The centre of crops, in percent of width and height: both columns, or neither for the centre. */
    focalX: integer("focal_x"),
    focalY: integer("focal_y"),
    /** The facts of the master offered now, so that lists can filter and sort by them. */
    mime: text().notNull().default(""),
    width: integer().notNull().default(0),
    height: integer().notNull().default(0),
    animated: integer({ mode: "boolean" }).notNull().default(false),
    /**
     * `filename` and `alt` with case and accents folded, as a JSON list. Null until the sweep has filled these five.
     */
    folded: text(),
    /**
     * The words of `filename`, of `alt`, and of the creator and notice of its master, as `media_search` takes them. The
     * third is absent if there are none. Null until the sweep has filled it.
     */
    words: text(),
    /** Its number in `media_search`, given by a trigger. */
    seq: integer(),
    /** The version offered now; a row of `masters`. */
    masterVersion: integer("master_version").notNull(),
    /** The last version number given to an upload; numbers are never used twice. */
    lastVersion: integer("last_version").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    purgeAt: integer("purge_at"),
    /** As in `records`. */
    createdBy: text("created_by"),
    updatedBy: text("updated_by"),
  },
  (t) => [
    primaryKey({ columns: [t.spaceId, t.id] }),
    index("media_by_space")
      .on(t.spaceId, t.id)
      .where(sql`deleted_at IS NULL`),
    index("media_trash_by_space")
      .on(t.spaceId, t.id)
      .where(sql`deleted_at IS NOT NULL`),
    index("media_trash_by_deletion")
      .on(t.spaceId, t.deletedAt, t.id)
      .where(sql`deleted_at IS NOT NULL`),
    index("media_by_filename")
      .on(t.spaceId, t.filename, t.id)
      .where(sql`deleted_at IS NULL`),
    index("media_by_alt")
      .on(t.spaceId, t.alt, t.id)
      .where(sql`deleted_at IS NULL`),
    index("media_by_mime")
      .on(t.spaceId, t.mime, t.id)
      .where(sql`deleted_at IS NULL`),
    index("media_by_creation")
      .on(t.spaceId, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL`),
    index("media_by_width")
      .on(t.spaceId, t.width, t.id)
      .where(sql`deleted_at IS NULL`),
    index("media_by_height")
      .on(t.spaceId, t.height, t.id)
      .where(sql`deleted_at IS NULL`),
    index("media_to_describe")
      .on(t.id)
      .where(sql`folded IS NULL`),
    index("media_without_words")
      .on(t.id)
      .where(sql`words IS NULL`),
    uniqueIndex("media_by_seq").on(t.seq),
    index("media_by_purge")
      .on(t.purgeAt)
      .where(sql`purge_at IS NOT NULL`),
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
    /** MasterFacts as JSON (src/image/model/facts.ts). */
    facts: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Set when a newer version took its place: the bytes stay until then. */
    purgeAt: integer("purge_at"),
    /** Its placeholder (src/image/protocol/placeholder.ts): both columns, or neither. */
    thumbHash: text("thumb_hash"),
    dominantColor: text("dominant_color"),
    /** Tries at the placeholder so far; null once there will be no other: it is known, or cannot be. */
    placeholderTries: integer("placeholder_tries").default(0),
    /** The focal point that its picture suggests, in percent, made with the placeholder: both columns, or neither. */
    suggestedFocalX: integer("suggested_focal_x"),
    suggestedFocalY: integer("suggested_focal_y"),
    /** Until its presets are ordered of its space's queue. False for what was stored before there was this. */
    isToPrebuild: integer("is_to_prebuild", { mode: "boolean" }).notNull().default(false),
    /** When the sweep last found no bytes of it in R2; null while they are there. */
    missingAt: integer("missing_at"),
    /**
     * Tries to read what its file states beside its pixels, so far; null once there will be no other. The upload does it
     * for new masters, and the sweep for those from before.
     */
    inspectionTries: integer("inspection_tries").default(0),
    /**
     * SHA-256 of a drawing as it was sent, hex: `sha256` is that of the file that the sanitizer wrote. Null for pictures,
     * and for drawings that were stored before there was this.
     */
    sentSha256: text("sent_sha256"),
  },
  (t) => [
    primaryKey({ columns: [t.spaceId, t.mediaId, t.version] }),
    index("masters_missing")
      .on(t.missingAt)
      .where(sql`missing_at IS NOT NULL`),
    index("masters_by_space").on(t.spaceId),
    index("masters_by_placeholder")
      .on(t.spaceId, t.placeholderTries, sql`media_id DESC`)
      .where(sql`placeholder_tries IS NOT NULL AND purge_at IS NULL`),
    index("masters_to_inspect")
      .on(t.inspectionTries, sql`media_id DESC`)
      .where(sql`inspection_tries IS NOT NULL AND purge_at IS NULL`),
    index("masters_to_prebuild")
      .on(t.spaceId, t.mediaId)
      .where(sql`is_to_prebuild = 1`),
    index("masters_by_purge")
      .on(t.purgeAt)
      .where(sql`purge_at IS NOT NULL`),
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
    /** It was asked for with a focal point of the request's own: it makes room before all others (RULES 9.2). */
    hasRequestedFocalPoint: integer("has_requested_focal_point", { mode: "boolean" })
      .notNull()
      .default(false),
    sizeBytes: integer("size_bytes").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.spaceId, t.mediaId, t.version, t.file] }),
    index("variants_by_expiry").on(t.expiresAt),
    index("variants_by_space").on(t.spaceId),
  ],
);

/**
 * Pictures of other servers (RULES 13): one row an address, with the hidden master that was fetched from it. It is no
 * media item, so lists, the trash, references and media totals know nothing of it. Its bytes are at
 * `m/{spaceId}/{id}/{version}/{file}` in R2, and its variants are rows of `variants` under its `id`.
 */
export const remotes = sqliteTable(
  "remotes",
  {
    spaceId: text("space_id").notNull(),
    /** SHA-256 of the address, hex. */
    hash: text().notNull(),
    /** A ULID, in the place of a media item's id. A new one whenever the address is fetched without a row. */
    id: text().notNull(),
    url: text().notNull(),
    /** The entry of the space's `origins` that allowed it when it was fetched. */
    origin: text().notNull(),
    /** Grows whenever the file at the address has changed. */
    version: integer().notNull(),
    /** The last number given to a fetched file; numbers are never used twice. */
    lastVersion: integer("last_version").notNull(),
    /** Last segment of the R2 key: `master.jpg`. */
    file: text().notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    sha256: text().notNull(),
    /** MasterFacts as JSON (src/image/model/facts.ts). */
    facts: text().notNull(),
    /** The validators that the origin gave. */
    etag: text(),
    lastModified: text("last_modified"),
    /** When the origin last gave or confirmed the file. */
    fetchedAt: integer("fetched_at").notNull(),
    /** Until then the origin need not be asked again. */
    freshUntil: integer("fresh_until").notNull(),
    /** When a visitor last asked for it, to some hours: those that nobody asks for are removed. */
    askedAt: integer("asked_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.spaceId, t.hash] }),
    uniqueIndex("remotes_by_id").on(t.id),
    index("remotes_by_asking").on(t.spaceId, t.askedAt),
    index("remotes_by_age").on(t.askedAt),
    index("remotes_by_origin").on(t.spaceId, t.origin, t.sizeBytes),
  ],
);

/**
 * The totals of each space (published contents, which are a record's second row, left out), kept by triggers on `media`,
 * `masters`, `variants`, `remotes` and `records` (see the migration), so that it is true in every transaction and costs one row to
 * read. A space that never held anything has no row.
 */
export const spaceTotals = sqliteTable("space_totals", {
  spaceId: text("space_id").primaryKey(),
  media: integer().notNull().default(0),
  trashedMedia: integer("trashed_media").notNull().default(0),
  records: integer().notNull().default(0),
  trashedRecords: integer("trashed_records").notNull().default(0),
  masterBytes: integer("master_bytes").notNull().default(0),
  variants: integer().notNull().default(0),
  variantBytes: integer("variant_bytes").notNull().default(0),
  remotePictures: integer("remote_pictures").notNull().default(0),
  remoteBytes: integer("remote_bytes").notNull().default(0),
});

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
    /** When the sweep found the object in R2 without a row (RULES 10.12); null for a pending delete of any other origin. */
    foundAt: integer("found_at"),
  },
  (t) => [
    index("doomed_by_due").on(t.dueAt),
    index("doomed_found")
      .on(t.foundAt)
      .where(sql`found_at IS NOT NULL`),
  ],
);

/**
 * How far the sweep has compared this database with R2, and how many sweeps it has had: fewer than the deployment knows of,
 * after a restore to an earlier time (RULES 10.12). One row.
 */
export const storageChecks = sqliteTable("storage_checks", {
  id: integer().primaryKey(),
  runs: integer().notNull().default(0),
  /** When a restore was noticed; null once all pending deletes are held, and all masters looked up. */
  restoredAt: integer("restored_at"),
  isHeld: integer("is_held", { mode: "boolean" }).notNull().default(false),
  /** The last master that was looked up in R2, as `mediaId/version`. */
  mastersAfter: text("masters_after").notNull().default(""),
  /** The last object of R2 whose row was looked up. */
  listedAfter: text("listed_after").notNull().default(""),
});

/**
 * Tags whose copies at the edge are to be invalidated (RULES 10.7). Written in the batch of the change that makes the
 * copies untrue; the row goes when the invalidation and its repeat were made.
 */
export const purges = sqliteTable(
  "purges",
  {
    tag: text().primaryKey(),
    /** 0 for media, 1 for content: the lower goes first. */
    rank: integer().notNull(),
    dueAt: integer("due_at").notNull(),
    /** The invalidation and its repeat: 2, then 1. */
    callsLeft: integer("calls_left").notNull(),
    /** Grows with each change that the tag stands for: a call that began before the change does not settle it. */
    change: integer().notNull(),
  },
  (t) => [index("purges_by_due").on(t.rank, t.dueAt)],
);

/** How many invalidations may be called now: one row, refilled by time. */
export const purgeAllowance = sqliteTable("purge_allowance", {
  id: integer().primaryKey(),
  calls: real().notNull(),
  countedAt: integer("counted_at").notNull(),
  /** The drain that took the last call. */
  claim: text().notNull(),
});

/**
 * Uploads that come in parts (RULES 4.7). The parts themselves are objects in R2, at `u/{spaceId}/{id}/{n}`: what is
 * there is what has been received.
 */
export const uploads = sqliteTable(
  "uploads",
  {
    id: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    filename: text().notNull(),
    /** Null: the item's own is left as it is, or empty for a new item. */
    alt: text(),
    /** Percent, as in `media`. Null as with `alt`. */
    focalX: integer("focal_x"),
    focalY: integer("focal_y"),
    sizeBytes: integer("size_bytes").notNull(),
    /** The item whose file is replaced; of a completed upload, the item that has the file. */
    mediaId: text("media_id"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** Set in the batch that writes the media item: an upload becomes one item, however often it is completed. */
    completedAt: integer("completed_at"),
  },
  (t) => [index("uploads_by_expiry").on(t.expiresAt), index("uploads_by_space").on(t.spaceId)],
);

/** A model of a space's records: one row a collection or page model, or a component of records (RULES 3.1). */
export const models = sqliteTable(
  "models",
  {
    /** Never used twice, so that no row of a removed model can turn up in another one. */
    id: integer().primaryKey({ autoIncrement: true }),
    spaceId: text("space_id").notNull(),
    typeModel: text("type_model", { enum: ["collections", "pages", "components"] }).notNull(),
    name: text().notNull(),
    /** The name that editors read. */
    label: text(),
    description: text(),
    /** The number of the field that titles its records; null for the first one that holds text. */
    titleField: integer("title_field"),
    /** The template of the page that previews a record (src/content/model/preview-url.ts). */
    previewUrl: text("preview_url"),
    /** Its records have a draft and, once published, a published content beside it. */
    drafts: integer({ mode: "boolean" }).notNull().default(false),
    /** Anybody reads its records, without a key. */
    public: integer({ mode: "boolean" }).notNull().default(false),
    /** StoredField[] as JSON (src/content/field-types/fields.ts). */
    fields: text().notNull(),
    /**
     * StoredComponents as JSON (src/content/model/components.ts): the definitions of the components that its fields hold,
     * and of those that these hold. Written with each change of them, so that records are read with one row.
     */
    components: text().notNull().default("{}"),
    /** The last number given to a field. Numbers are never used twice: a removed field's values cannot come back. */
    lastField: integer("last_field").notNull(),
    /** Grows with each change; every write of a record names the version it was validated against. */
    version: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [uniqueIndex("models_by_name").on(t.spaceId, t.typeModel, t.name)],
);

/** A model's change that is worked on in the background, or the last one that was (RULES 3.2): one row per model. */
export const modelChanges = sqliteTable(
  "model_changes",
  {
    modelId: integer("model_id").primaryKey(),
    spaceId: text("space_id").notNull(),
    /** A ULID. */
    id: text().notNull(),
    state: text({ enum: ["working", "done", "refused", "withdrawn"] }).notNull(),
    /** The request, as JSON. */
    asked: text().notNull(),
    /** The model's version that it is made from. */
    version: integer().notNull(),
    /** How far it is: 0 for the records themselves, 1 for published contents, 2 for what changed meanwhile. */
    phase: integer().notNull().default(0),
    /** The last record that was checked in this phase. */
    afterId: text("after_id").notNull().default(""),
    checked: integer().notNull().default(0),
    /** Records there were when it began, published contents included. */
    total: integer().notNull(),
    /** The records that stand against a refused change, as JSON. */
    conflicts: text().notNull().default("[]"),
    /** Numbers of fields whose rows among the unique values are to be removed, as JSON: of one that did not succeed. */
    leftUniques: text("left_uniques").notNull().default("[]"),
    /** The numbers of the models whose records hold the component that is changed, as JSON; of a component alone. */
    holders: text().notNull().default("[]"),
    startedAt: integer("started_at").notNull(),
    endedAt: integer("ended_at"),
  },
  (t) => [
    index("model_changes_to_do")
      .on(t.startedAt)
      .where(sql`state = 'working' OR left_uniques <> '[]'`),
    index("model_changes_of_components")
      .on(t.startedAt)
      .where(sql`state = 'working' AND holders <> '[]'`),
  ],
);

/** Records that were written while their model's change is worked on, by triggers: each is looked at once more. */
export const modelChangeTouches = sqliteTable(
  "model_change_touches",
  {
    /** Grows: what is written after a look has a higher one. */
    no: integer().primaryKey({ autoIncrement: true }),
    modelId: integer("model_id").notNull(),
    record: integer().notNull(),
  },
  (t) => [index("model_change_touches_by_model").on(t.modelId, t.no)],
);

/**
 * Records and pages, the trashed ones too. `seq` is the order of creation and what the index rows point at. Where a
 * model has drafts, a record's row is its draft, and its published content is a row of its own, with the same id, under
 * the negated number of the model and at a `seq` that keeps the order (src/edge/storage/records/published.ts).
 */
export const records = sqliteTable(
  "records",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    modelId: integer("model_id").notNull(),
    spaceId: text("space_id").notNull(),
    /** A ULID, or a page model's name. A page's content in the trash has a ULID of its own. */
    id: text().notNull(),
    /** The values as JSON, by field number. */
    data: text().notNull(),
    /**
     * The texts in `data` whose case and accents fold into something that SQLite's own `lower` does not give: folded,
     * as JSON by field number. Under `words` those of searchable fields, as `record_search` takes them. Null until the
     * sweep has filled it.
     */
    folded: text(),
    /** Bytes of `data`, so that a page of a list can end by size without reading what it leaves out. */
    sizeBytes: integer("size_bytes").notNull(),
    version: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    purgeAt: integer("purge_at"),
    /** The version that is published, and since when; null for none. Of models with drafts alone, as what follows. */
    publishedVersion: integer("published_version"),
    publishedAt: integer("published_at"),
    /** When it was published for the first time; null where only `publishedAt` tells. */
    firstPublishedAt: integer("first_published_at"),
    /** When the draft is to be published, and when the record is to be unpublished. */
    publishAt: integer("publish_at"),
    unpublishAt: integer("unpublish_at"),
    /**
     * The versions and publications of the record's locales as JSON, by the number of the locale
     * (src/content/locales/editions.ts). Null until the record is written in a space with locales.
     */
    locales: text(),
    /** The earliest plan of a locale other than the default, whose own plans are the columns above. */
    localePlanAt: integer("locale_plan_at"),
    /**
     * The numbers of the locales that have a row of `record_locales`, in order, as `,1,3,`: kept by triggers. Null for
     * none. May lack locales whose row the sweep has yet to fill; never names one without a row. Lists find records that
     * lack a locale by it.
     */
    held: text(),
    /**
     * The actors of `createdAt` and `updatedAt` (src/edge/storage/events/actor.ts). Null where the row is older than these.
     */
    createdBy: text("created_by"),
    updatedBy: text("updated_by"),
  },
  (t) => [
    uniqueIndex("records_by_id").on(t.modelId, t.id),
    index("records_by_creation")
      .on(t.modelId, t.createdAt)
      .where(sql`deleted_at IS NULL`),
    index("records_by_update")
      .on(t.modelId, t.updatedAt)
      .where(sql`deleted_at IS NULL`),
    index("records_by_publication")
      .on(t.modelId, t.publishedAt)
      .where(sql`deleted_at IS NULL AND model_id < 0`),
    index("records_by_first_publication")
      .on(t.modelId, sql`coalesce(first_published_at, published_at)`)
      .where(sql`deleted_at IS NULL AND model_id < 0`),
    index("records_trash_by_space")
      .on(t.spaceId, t.deletedAt, t.id)
      .where(sql`deleted_at IS NOT NULL`),
    index("records_trash_by_id")
      .on(t.id)
      .where(sql`deleted_at IS NOT NULL`),
    index("records_to_fold")
      .on(t.seq)
      .where(sql`folded IS NULL`),
    index("records_by_purge")
      .on(t.purgeAt)
      .where(sql`purge_at IS NOT NULL`),
    index("records_to_publish")
      .on(t.publishAt)
      .where(sql`publish_at IS NOT NULL AND deleted_at IS NULL`),
    index("records_to_unpublish")
      .on(t.unpublishAt)
      .where(sql`unpublish_at IS NOT NULL AND deleted_at IS NULL`),
    index("records_by_locale_plan")
      .on(t.localePlanAt)
      .where(sql`locale_plan_at IS NOT NULL AND deleted_at IS NULL`),
    index("records_by_held")
      .on(t.modelId, t.held)
      .where(sql`deleted_at IS NULL`),
  ],
);

/**
 * Models in whose records `seq` is not in order of creation: an active one has a later `created_at` than another one with a
 * higher `seq`, or had, as after an import of older records. Triggers on records write a row in the statement that breaks
 * the order, whatever statement that is, and remove it with the last record. Lists of other models read index rows in order
 * of `seq`, and have theirs.
 */
export const disorderedModels = sqliteTable("disordered_models", {
  /** As in the rows of records: a negated number stands for the published contents of a model. */
  modelId: integer("model_id").primaryKey(),
});

/**
 * The localized values of records in each locale but the default, whose values stand in the record's own row. One row a
 * record and locale that holds a value; published contents have rows of their own. A trigger removes the rows with their
 * record.
 */
export const recordLocales = sqliteTable(
  "record_locales",
  {
    /** `records.seq`. */
    record: integer().notNull(),
    /** The number of the locale in its space. */
    locale: integer().notNull(),
    /** As in the record's row. */
    modelId: integer("model_id").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** As `records.folded`: `words` are those of the locale's own values. */
    folded: text().notNull(),
    /** The values that are not empty as JSON, by the number that the field has in the locale. */
    data: text().notNull(),
    /**
     * The numbers in `data` without that of the locale, in order, as `,1,3,`: written with the row, then kept by a trigger.
     * Null where the sweep has yet to fill it. Lists find records that lack a value by it.
     */
    filled: text(),
  },
  (t) => [
    primaryKey({ columns: [t.record, t.locale] }),
    index("record_locales_by_model").on(t.modelId, t.locale, t.record),
    index("record_locales_by_filled").on(t.modelId, t.locale, t.filled, t.record),
    index("record_locales_to_fill")
      .on(t.record)
      .where(sql`filled IS NULL`),
  ],
);

/**
 * Earlier contents of records in spaces with locales: one row for what a change has replaced, so that a history grows by
 * what changed. The number 0 stands for the record's own row. A trigger removes what no kept version shows any more.
 */
export const recordLocaleVersions = sqliteTable(
  "record_locale_versions",
  {
    /** `records.seq`. */
    record: integer().notNull(),
    locale: integer().notNull(),
    /** The version that made the content. */
    version: integer().notNull(),
    /** The first version that does not have it any more. */
    until: integer().notNull(),
    data: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.record, t.locale, t.version] })],
);

/**
 * The events of a record, one row each (RULES 3.13). A record from before this table has its first row with its next
 * change.
 */
export const recordVersions = sqliteTable(
  "record_versions",
  {
    /** `records.seq`. */
    record: integer().notNull(),
    /** Counts the record's events. */
    no: integer().notNull(),
    /** The version that the event made or concerned. */
    version: integer().notNull(),
    event: text({
      enum: ["created", "updated", "published", "unpublished", "trashed", "restored"],
    }).notNull(),
    /** The event made the version. */
    isContent: integer("is_content", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    /** The actor: both columns, or neither. In rows without `actorKind`, a key. */
    keyId: text("key_id"),
    keyName: text("key_name"),
    actorKind: text("actor_kind", { enum: ["key", "member", "root", "system"] }),
    /** Numbers of the fields that it changed, as JSON. */
    changed: text().notNull(),
    /** When the sweep removes it; null while the version is the record's present or published one. */
    purgeAt: integer("purge_at"),
    /** The values of the version, as in `records.data`. Null while the record itself holds them. */
    data: text(),
  },
  (t) => [
    primaryKey({ columns: [t.record, t.no] }),
    uniqueIndex("record_versions_by_version")
      .on(t.record, t.version)
      .where(sql`is_content = 1`),
    index("record_versions_by_purge")
      .on(t.purgeAt)
      .where(sql`purge_at IS NOT NULL`),
  ],
);

/** Text, a number or an empty blob, kept as it is given: a BLOB column converts nothing. */
const anyValue = customType<{ data: string | number | Uint8Array }>({ dataType: () => "blob" });

/**
 * The mirror of an active record's fields that filters, sorts and cursors use. One row a field, one an item of a
 * list. Null is the empty blob: it sorts after every text and number, and a primary key takes it. Text is cut to its
 * first 200 characters. A trashed record has no rows here. WITHOUT ROWID (see the migration): the key is the table.
 */
export const recordValues = sqliteTable(
  "record_values",
  {
    modelId: integer("model_id").notNull(),
    field: integer().notNull(),
    value: anyValue().notNull(),
    /** `records.seq`. */
    record: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.modelId, t.field, t.value, t.record] }),
    index("record_values_by_record").on(t.record, t.field),
  ],
);

/** The whole values of unique fields of active records; a trashed record frees its own. WITHOUT ROWID. */
export const recordUniques = sqliteTable(
  "record_uniques",
  {
    modelId: integer("model_id").notNull(),
    field: integer().notNull(),
    value: anyValue().notNull(),
    record: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.modelId, t.field, t.value] }),
    index("record_uniques_by_record").on(t.record, t.field),
  ],
);

/** Field numbers whose index rows the sweep removes: removed fields, and new ones whose change never came through. */
export const removedFields = sqliteTable(
  "doomed_fields",
  {
    modelId: integer("model_id").notNull(),
    field: integer().notNull(),
    dueAt: integer("due_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.modelId, t.field] })],
);

/**
 * Always empty: a guard of a batch inserts a row without a value to make the batch fail
 * (src/edge/storage/database/guard.ts).
 */
export const batchGuards = sqliteTable("batch_guards", { holds: integer().notNull() });

/**
 * Models whose searchable fields changed: the words of their records are worked out anew, in slices in order of id. The
 * number 0 stands for the media of all spaces.
 * Two FTS5 tables without content are searched (RULES 3.15).
 * `record_search` has the words of each record that is not in the trash, drafts and published contents apart, at the
 * rowid `records.seq`, each behind the number of its model. `media_search` has the words of file name and alt text of
 * each media item that is not in the trash, at the rowid `media.seq`, each behind the id of its space. Triggers on
 * `records` and `media` keep them (see the migration), so that what is found is true in every transaction, whatever
 * wrote it.
 */
export const searchRebuilds = sqliteTable("search_rebuilds", {
  modelId: integer("model_id").primaryKey(),
  /** The last record (or media item) whose words are made as they are now. */
  afterId: text("after_id").notNull(),
});

/**
 * The edition of the folding by which stored texts and words were made: one row. When the code has a later one, the
 * sweep makes all of them anew.
 */
export const foldEdition = sqliteTable("fold_edition", {
  id: integer().primaryKey(),
  edition: integer().notNull(),
});

/** Requests that came with an Idempotency-Key, and their first answers. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** SHA-256 of the caller's key, or "root": what one caller's key names is nothing to another one. */
    caller: text().notNull(),
    key: text().notNull(),
    /** The space of the request. Null for requests outside any space, and where the key is older than the column. */
    spaceId: text("space_id"),
    /** SHA-256 of the method, the address and the body. */
    request: text().notNull(),
    /** The seed of the ids of created records: a run that repeats one which crashed creates nothing twice. */
    seed: text().notNull(),
    /** The run under way; it alone writes the answer. */
    run: text().notNull(),
    /** When a run without an answer counts as crashed. */
    runsUntil: integer("runs_until").notNull(),
    /** The answer: null while the request runs. */
    status: integer(),
    /** Its ETag and Location, as JSON. */
    headers: text(),
    body: text(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.caller, t.key] }),
    index("idempotency_keys_by_expiry").on(t.expiresAt),
    index("idempotency_keys_by_space").on(t.spaceId),
  ],
);

/** How many idempotency keys each caller has, counted by triggers, so that a claim need not count them. */
export const idempotencyCallers = sqliteTable("idempotency_callers", {
  caller: text().primaryKey(),
  keys: integer().notNull(),
  /** The bytes of the bodies and headers of its stored answers. */
  bytes: integer().notNull().default(0),
});

/**
 * Changes and refusals of spaces, one line each, for 365 days (RULES 14.1): the audit, and the outbox of webhooks. A line
 * is written in the batch of its change.
 */
export const events = sqliteTable(
  "events",
  {
    /** The order in which the database wrote them. */
    no: integer().primaryKey({ autoIncrement: true }),
    spaceId: text("space_id").notNull(),
    at: integer().notNull(),
    /** The request that made the change; null for the service itself. */
    requestId: text("request_id"),
    actorKind: text("actor_kind", { enum: ["key", "member", "root", "system"] }).notNull(),
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    /** `record.updated` (src/edge/storage/events/actions.ts). */
    action: text().notNull(),
    targetKind: text("target_kind").notNull(),
    targetId: text("target_id").notNull(),
    /** `collections/articles`, of records and models. */
    targetModel: text("target_model"),
    /** The facts that receivers of webhooks are told beside the target, as JSON. */
    facts: text().notNull().default("{}"),
    /** How often it happened, of refusals: these are one line per actor, action and hour. */
    count: integer().notNull().default(1),
    /** The hour of refusals, counted since 1970; null for changes. */
    hour: integer(),
  },
  (t) => [
    index("events_by_space").on(t.spaceId),
    index("events_by_time").on(t.spaceId, t.at),
    index("events_by_actor").on(t.spaceId, t.actorId, t.at),
    index("events_by_action").on(t.spaceId, t.action, t.at),
    index("events_by_target").on(t.spaceId, t.targetId, t.at),
    uniqueIndex("events_refused")
      .on(t.spaceId, t.actorId, t.action, t.hour)
      .where(sql`hour IS NOT NULL`),
  ],
);

/**
 * Media items of an import whose files have not come yet (RULES 18.5): the line of each, from which its rows are made
 * once the file is here. Nothing else knows of them.
 */
export const waitingMedia = sqliteTable(
  "waiting_media",
  {
    spaceId: text("space_id").notNull(),
    mediaId: text("media_id").notNull(),
    /** SHA-256 of the file that is waited for, hex. */
    sha256: text().notNull(),
    /** MediaLine or TrashedMediaLine as JSON (src/exchange/lines.ts). */
    line: text().notNull(),
    /** When the sweep removes it: a later run of the import sends the line again. */
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.spaceId, t.mediaId] }), index("waiting_media_by_expiry").on(t.expiresAt)],
);

/**
 * Media items that were removed for good: their ids stay with the numbers of their versions for as long as the space is
 * there, so that an import that brings an id again uses no number for another file (RULES 18.5). Bytes, edge copies and
 * backups have the number in their names.
 */
export const removedMedia = sqliteTable(
  "removed_media",
  {
    spaceId: text("space_id").notNull(),
    mediaId: text("media_id").notNull(),
    /** The highest number that a version of the item had, or had reserved. */
    lastVersion: integer("last_version").notNull(),
    /**
     * The version that the item offered at last, and the SHA-256 of its file: these may come back together. Empty for a
     * drawing, which the sanitiser may write otherwise then.
     */
    masterVersion: integer("master_version").notNull(),
    sha256: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.spaceId, t.mediaId] })],
);

/**
 * Backups of spaces: one row each, which outlives its space. The lines are objects in R2, at
 * `backups/{spaceId}/{id}/{part}.ndjson`, or `…/{part}-{attempt}.ndjson` for a page that was made anew.
 */
export const backups = sqliteTable(
  "backups",
  {
    /** A ULID. */
    id: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    /** The name that the space had. */
    spaceName: text("space_name").notNull(),
    state: text({ enum: ["working", "done", "failed", "removing"] }).notNull(),
    /** How far the export is; null before its first page and after its last. */
    cursor: text(),
    /** Pages that are stored. */
    parts: integer().notNull().default(0),
    lines: integer().notNull().default(0),
    bytes: integer().notNull().default(0),
    masters: integer().notNull().default(0),
    startedAt: integer("started_at").notNull(),
    endedAt: integer("ended_at"),
    /** Why it failed. */
    reason: text(),
    /** How often pages were made anew, as JSON by their numbers: `{"3": 1}`. */
    remade: text().notNull().default("{}"),
  },
  (t) => [
    index("backups_by_space").on(t.spaceId, t.id),
    index("backups_to_do")
      .on(t.state, t.id)
      .where(sql`state IN ('working', 'removing')`),
  ],
);

/**
 * Masters that kept backups name: their bytes stay although no media item has them any more. One row a master, with the
 * newest backup that names it. If that one is removed, the one before it claims the master.
 */
export const backupMasters = sqliteTable(
  "backup_masters",
  {
    spaceId: text("space_id").notNull(),
    mediaId: text("media_id").notNull(),
    version: integer().notNull(),
    /** Last segment of the R2 key. */
    file: text().notNull(),
    lastBackup: text("last_backup").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.spaceId, t.mediaId, t.version] }),
    index("backup_masters_by_space").on(t.spaceId),
    index("backup_masters_by_backup").on(t.lastBackup),
  ],
);

/** Receivers of events (RULES 15.1). */
export const webhooks = sqliteTable(
  "webhooks",
  {
    /** The id; of a webhook that an import brought, with the id of its space behind it (src/edge/storage/webhooks/keys.ts). */
    id: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    name: text().notNull(),
    url: text().notNull(),
    /** The types of events, as a JSON array; `*` stands for all. */
    events: text().notNull(),
    /** The names of models whose events it gets, as a JSON array; null for all. */
    models: text(),
    /** `removed`: the sweep removes its deliveries, and then the row. */
    state: text({ enum: ["enabled", "disabled", "removed"] }).notNull(),
    /** Why the service has disabled it; null if a caller has. */
    disabledReason: text("disabled_reason"),
    disabledAt: integer("disabled_at"),
    /** The signing secret, encrypted (src/edge/webhooks/vault.ts); null before one is made. */
    secret: text(),
    /** The secret before, which signs too until `previousUntil`. */
    previousSecret: text("previous_secret"),
    previousUntil: integer("previous_until"),
    /** The number of the last event that became a delivery, or that the webhook did not ask for. */
    cursor: integer().notNull(),
    /** The first failure since the last success. */
    failingSince: integer("failing_since"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [index("webhooks_by_space").on(t.spaceId, t.id)],
);

/** Events on their way to a webhook, and those that came (RULES 15.3). */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    webhookId: text("webhook_id").notNull(),
    spaceId: text("space_id").notNull(),
    /** `events.no`, by which deliveries of one lane are ordered; null for a ping. */
    eventNo: integer("event_no"),
    /** The type of the event: `record.updated`. */
    type: text().notNull(),
    /** Deliveries of one lane, such as a record, go out one after the other. */
    lane: text().notNull(),
    state: text({ enum: ["pending", "delivered", "failed"] }).notNull(),
    /** The time of the event. */
    at: integer().notNull(),
    /** The facts that the receiver is told, as JSON. */
    data: text().notNull(),
    /** The attempts, as a JSON array. */
    attempts: text().notNull().default("[]"),
    /** Failed attempts since the delivery was asked for. */
    tries: integer().notNull().default(0),
    /** When it is attempted. Null once it is settled, and while an earlier one of its lane is pending. */
    dueAt: integer("due_at"),
    /** An attempt is under way until then; 0 if none is. */
    leasedUntil: integer("leased_until").notNull().default(0),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    index("webhook_deliveries_by_webhook").on(t.webhookId, t.id),
    index("webhook_deliveries_by_due")
      .on(t.webhookId, t.dueAt)
      .where(sql`due_at IS NOT NULL`),
    index("webhook_deliveries_by_lane")
      .on(t.webhookId, t.lane, t.eventNo)
      .where(sql`state = 'pending'`),
    index("webhook_deliveries_by_space").on(t.spaceId),
    index("webhook_deliveries_by_age").on(t.createdAt),
  ],
);
