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

/** One row a space, with its plan and its settings (RULES 2.1, 2.2). A removed one stays until the sweep has emptied it. */
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
  /** Whether suggested focal points are shown and used. */
  suggestFocalPoint: integer("suggest_focal_point", { mode: "boolean" }).notNull().default(false),
  /** What is built ahead after an upload (RULES 9.7). */
  prebuild: text({ enum: ["presets", "none"] })
    .notNull()
    .default("presets"),
  createdAt: integer("created_at").notNull(),
  /** Set when the space is removed; its names are free at once, the sweep removes what it held. */
  removedAt: integer("removed_at"),
});

/**
 * Canonical names, earlier names and tenant ids share one namespace (RULES 1.1, 2.1). The directory has the names of all
 * spaces; each further shard has a copy of those of its own spaces (RULES 12.1).
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

/** The number of the database that has the row, once a space was put there: a database bound as another is found out. */
export const thisShard = sqliteTable("this_shard", {
  id: integer().primaryKey(),
  shard: integer().notNull(),
});

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
  },
  (t) => [uniqueIndex("api_keys_by_hash").on(t.hash), index("api_keys_by_space").on(t.spaceId, t.id)],
);

/**
 * One row a media item, in the trash too, with what lists filter and sort by (RULES 4.2). Its files, the present and
 * earlier ones, are rows of `masters`.
 */
export const media = sqliteTable(
  "media",
  {
    id: text().primaryKey(),
    spaceId: text("space_id").notNull(),
    filename: text().notNull(),
    alt: text().notNull().default(""),
    /** What crops are centred on, in percent of width and height: both columns, or neither for the centre. */
    focalX: integer("focal_x"),
    focalY: integer("focal_y"),
    /** Of the master offered now, so that lists can filter and sort by them. */
    mime: text().notNull().default(""),
    width: integer().notNull().default(0),
    height: integer().notNull().default(0),
    animated: integer({ mode: "boolean" }).notNull().default(false),
    /** `filename` and `alt` with case and accents folded, as a JSON list. Null until the sweep has filled these five. */
    folded: text(),
    /** The words of `filename` and `alt`, as `media_search` takes them. Null until the sweep has filled it. */
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
  },
  (t) => [
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
  },
  (t) => [
    primaryKey({ columns: [t.mediaId, t.version] }),
    index("masters_by_space").on(t.spaceId),
    index("masters_by_placeholder")
      .on(t.spaceId, t.placeholderTries, sql`media_id DESC`)
      .where(sql`placeholder_tries IS NOT NULL AND purge_at IS NULL`),
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
    primaryKey({ columns: [t.mediaId, t.version, t.file] }),
    index("variants_by_expiry").on(t.expiresAt),
    index("variants_by_space").on(t.spaceId),
  ],
);

/**
 * The totals of each space (published contents, which are a record's second row, left out), kept by triggers on `media`,
 * `masters`, `variants` and `records` (see the migration), so that it is true in every transaction and costs one row to
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
  },
  (t) => [index("doomed_by_due").on(t.dueAt)],
);

/**
 * Tags whose copies at the edge are to be purged (RULES 10.7). Written in the batch of the change that makes the copies
 * untrue; the row goes when the purge and its repeat were made.
 */
export const purges = sqliteTable(
  "purges",
  {
    tag: text().primaryKey(),
    /** 0 for media, 1 for content: the lower goes first. */
    rank: integer().notNull(),
    dueAt: integer("due_at").notNull(),
    /** The purge and its repeat: 2, then 1. */
    callsLeft: integer("calls_left").notNull(),
    /** Grows with each change that the tag stands for: a call that began before the change does not settle it. */
    change: integer().notNull(),
  },
  (t) => [index("purges_by_due").on(t.rank, t.dueAt)],
);

/** How many purges may be called now: one row, refilled by time. */
export const purgeAllowance = sqliteTable("purge_allowance", {
  id: integer().primaryKey(),
  calls: real().notNull(),
  countedAt: integer("counted_at").notNull(),
  /** Who took the last call. */
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

/** What a space's records look like: one row a collection or page model (RULES 3.1). */
export const models = sqliteTable(
  "models",
  {
    /** Never used twice, so that no row of a removed model can turn up in another one. */
    id: integer().primaryKey({ autoIncrement: true }),
    spaceId: text("space_id").notNull(),
    typeModel: text("type_model", { enum: ["collections", "pages"] }).notNull(),
    name: text().notNull(),
    /** What people read of it. */
    label: text(),
    description: text(),
    /** The number of the field that titles its records; null for the first one that holds text. */
    titleField: integer("title_field"),
    /** Its records have a draft and, once published, a published content beside it. */
    drafts: integer({ mode: "boolean" }).notNull().default(false),
    /** Anybody reads its records, without a key. */
    public: integer({ mode: "boolean" }).notNull().default(false),
    /** StoredField[] as JSON (src/content/field-types/fields.ts). */
    fields: text().notNull(),
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
    /** What was asked for, as JSON. */
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
    /** What stands against it, as JSON; of a refused one. */
    conflicts: text().notNull().default("[]"),
    /** Numbers of fields whose rows among the unique values are to be removed, as JSON: of one that did not succeed. */
    leftUniques: text("left_uniques").notNull().default("[]"),
    startedAt: integer("started_at").notNull(),
    endedAt: integer("ended_at"),
  },
  (t) => [
    index("model_changes_to_do")
      .on(t.startedAt)
      .where(sql`state = 'working' OR left_uniques <> '[]'`),
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
     * Of the texts in `data`, those whose case and accents fold into something that SQLite's own `lower` does not give:
     * folded, as JSON by field number. Under `words` those of searchable fields, as `record_search` takes them. Null
     * until the sweep has filled it.
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
  ],
);

/**
 * What happened to a record, one row per event (RULES 3.13). A record from before this table has its first row with its
 * next change.
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
    /** The key that asked for it: both columns, or neither. */
    keyId: text("key_id"),
    keyName: text("key_name"),
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

/** Always empty: a guard of a batch inserts a row without a value to make the batch fail (src/edge/storage/database/guard.ts). */
export const batchGuards = sqliteTable("batch_guards", { holds: integer().notNull() });

/**
 * Models whose searchable fields changed: the words of their records are worked out anew, in slices in order of id. The
 * number 0 stands for the media of all spaces.
 * Two FTS5 tables without content are searched (RULES 3.15). `record_search` has the words of each record that is not in
 * the trash, drafts and published contents apart, at the rowid `records.seq`, each behind the number of its model.
 * `media_search` has the words of file name and alt text of each media item that is not in the trash, at the rowid
 * `media.seq`, each behind the id of its space. Triggers on `records` and `media` keep them (see the migration), so that
 * what is found is true in every transaction, whatever wrote it.
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
    /** SHA-256 of the method, the address and the body. */
    request: text().notNull(),
    /** What the ids of created records are made of: a run that repeats one which crashed creates nothing twice. */
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
  (t) => [primaryKey({ columns: [t.caller, t.key] }), index("idempotency_keys_by_expiry").on(t.expiresAt)],
);

/** How many idempotency keys each caller has, counted by triggers, so that a claim need not count them. */
export const idempotencyCallers = sqliteTable("idempotency_callers", {
  caller: text().primaryKey(),
  keys: integer().notNull(),
  /** The bytes of the bodies and headers of its stored answers. */
  bytes: integer().notNull().default(0),
});
