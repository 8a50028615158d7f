/** Stored variants: bytes in R2 under a key that identifies the variant, and a row in D1 (RULES 9.1). */
import { sql, type SQL } from "drizzle-orm";
import { parseVariantFile, variantKey, type MasterAddress } from "../../../image/model/variant.ts";
import { FORMATS, type VariantFormat } from "../../../image/formats/registry.ts";
import { CACHE, VARIANT } from "../../../limits.ts";
import { database, prepareSql } from "../database/database.ts";
import { mediaTag } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";

export interface VariantAddress extends MasterAddress {
  /** The last segment of the R2 key: `w1000-q80-e1.webp`. */
  file: string;
}

export interface VariantRow {
  sizeBytes: number;
  createdAt: number;
  expiresAt: number;
}

/** Returns the row of a variant; null when there is none or it has expired. */
export async function findVariant(
  db: D1Database,
  at: VariantAddress,
  now: number,
): Promise<VariantRow | null> {
  return db
    .prepare(
      `SELECT size_bytes AS sizeBytes, created_at AS createdAt, expires_at AS expiresAt FROM variants
       WHERE space_id = ?5 AND media_id = ?1 AND version = ?2 AND file = ?3 AND expires_at > ?4`,
    )
    .bind(at.mediaId, at.version, at.file, now, at.spaceId)
    .first<VariantRow>();
}

/** Returns the headers with which an R2 custom domain serves a variant (RULES 7.6). */
export const variantMetadata = (format: VariantFormat): R2HTTPMetadata => ({
  contentType: FORMATS[format].mime,
  cacheControl: `public, max-age=${CACHE.variantSeconds}, immutable`,
});

/**
 * Has `store` read `body`, which must have exactly `byteLength` bytes. A body that fails makes the store fail, so only
 * the store's error is reported. A body of bytes is already here, so `signal` does not stop it.
 * @throws what `store` throws, also when the body has another length or fails, or `signal` aborts
 */
export async function exactly<T>(
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
  byteLength: number,
  signal: AbortSignal,
  store: (exact: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  if (body instanceof Uint8Array) {
    if (body.length !== byteLength) throw new Error(`${body.length} bytes came of ${byteLength}`);
    return store(body);
  }
  const unread = new AbortController();
  const exact = new FixedLengthStream(byteLength);
  const piped = body.pipeTo(exact.writable, { signal: AbortSignal.any([signal, unread.signal]) });
  piped.catch(() => undefined);
  return store(exact.readable).finally(() => unread.abort());
}

export interface WholeVariant {
  /** The R2 key. */
  key: string;
  format: VariantFormat;
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
  byteLength: number;
  /** Whether an object under the key is replaced. Its bytes are equivalent, but it expires earlier. */
  replaces: boolean;
}

/**
 * Streams a variant to R2. An object that exists already stays, unless it is to be replaced.
 *
 * @returns the size of the object
 * @throws when the body has another length or fails, or `signal` aborts; nothing is stored then
 */
export async function putVariant(
  bucket: R2Bucket,
  { key, format, body, byteLength, replaces }: WholeVariant,
  signal: AbortSignal,
): Promise<number> {
  const httpMetadata = variantMetadata(format);
  const onlyIf = new Headers({ "If-None-Match": "*" });
  const stored = await exactly(body, byteLength, signal, (exact): Promise<R2Object | null> =>
    replaces ? bucket.put(key, exact, { httpMetadata }) : bucket.put(key, exact, { onlyIf, httpMetadata }),
  );
  if (stored) return stored.size;
  const earlier = await bucket.head(key);
  if (!earlier) throw new Error("the variant's earlier bytes were removed meanwhile");
  return earlier.size;
}

export type Commit =
  /** The variant has a row. `evicted` are the R2 keys of the variants that were evicted for it. */
  | { ok: true; evicted: string[] }
  /** The master was deleted, replaced or trashed while the variant was built. */
  | { ok: false };

/** A variant whose bytes are stored. */
export interface BuiltVariant extends VariantAddress {
  hasRequestedFocalPoint?: boolean;
}

/**
 * Commits a variant whose bytes are in R2, in one batch. It inserts the row if the master is still the present one,
 * cancels the pending delete, and evicts variants over the limit of the master version: those of requested focal points
 * first, then those of the oldest encoder version, then the oldest ones (RULES 9.2). The bytes of evicted variants
 * outlive their rows, for redirects that were sent before. Committing twice changes nothing.
 */
export async function commitVariant(
  db: D1Database,
  at: BuiltVariant,
  sizeBytes: number,
  now: number,
): Promise<Commit> {
  const encoderVersion = parseVariantFile(at.file)?.encoderVersion;
  if (encoderVersion === undefined) throw new Error(`not a variant's file name: ${at.file}`);
  const prefix = variantKey(at, "");
  const results = await db.batch<{ file: string }>([
    db
      .prepare(INSERT)
      .bind(
        at.mediaId,
        at.version,
        at.spaceId,
        at.file,
        encoderVersion,
        sizeBytes,
        now,
        now + VARIANT.lifetimeMs,
        at.hasRequestedFocalPoint ? 1 : 0,
      ),
    db.prepare(CANCEL_PENDING_DELETE).bind(at.mediaId, at.version, at.file, prefix + at.file, at.spaceId),
    prepareSql(database(db), invalidationOfOverflow(at, now)),
    db
      .prepare(DELETE_BYTES_OF_OVERFLOW)
      .bind(at.mediaId, at.version, at.file, at.spaceId, prefix, now + CACHE.bytesOutliveRowMs),
    db.prepare(DELETE_OVERFLOW).bind(at.mediaId, at.version, at.file, at.spaceId),
  ]);
  if (results[0]?.results.length !== 1) return { ok: false };
  return { ok: true, evicted: (results[4]?.results ?? []).map((row) => prefix + row.file) };
}

/**
 * The condition that a master is the present one of an item that is shown. `?1` is the item, `?2` the version, `?3` the
 * space.
 */
const IS_PRESENT = `EXISTS (
    SELECT 1 FROM masters JOIN media ON media.space_id = masters.space_id AND media.id = masters.media_id
    WHERE masters.space_id = ?3 AND masters.media_id = ?1 AND masters.version = ?2
      AND media.master_version = ?2 AND media.deleted_at IS NULL
    UNION ALL
    SELECT 1 FROM remotes WHERE remotes.id = ?1 AND remotes.version = ?2 AND remotes.space_id = ?3
  )`;

/** Returns whether a variant of a master would have a row: not once the master was removed, replaced or trashed. */
export async function isPresent(
  db: D1Database,
  { spaceId, mediaId, version }: MasterAddress,
): Promise<boolean> {
  const row = await db.prepare(`SELECT 1 WHERE ${IS_PRESENT}`).bind(mediaId, version, spaceId).first();
  return row !== null;
}

/**
 * Inserts the row. If it exists, from an earlier try or before a rebuild, it gets new times. The conflict names no key,
 * because a database may still have the key of the previous version of the code beside the present one.
 */
const INSERT = `
  INSERT INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at,
    has_requested_focal_point)
  SELECT ?1, ?2, ?4, ?3, ?5, ?6, ?7, ?8, ?9
  WHERE ${IS_PRESENT}
  ON CONFLICT DO UPDATE
    SET size_bytes = excluded.size_bytes, created_at = excluded.created_at, expires_at = excluded.expires_at,
      has_requested_focal_point = min(has_requested_focal_point, excluded.has_requested_focal_point)
  RETURNING file`;

/**
 * The statement that drops the key which the previous version of the code needs, by which two spaces could not have
 * variants of the same media id. The sweep runs it, and an import before it makes such items.
 */
export const DROP_EARLIER_KEY = sql.raw("DROP INDEX IF EXISTS variants_by_file");

/** Cancels the pending delete if there is a row. The bytes of a variant without a master are still deleted. */
const CANCEL_PENDING_DELETE = `
  DELETE FROM doomed_objects
  WHERE key = ?4
    AND EXISTS (SELECT 1 FROM variants WHERE space_id = ?5 AND media_id = ?1 AND version = ?2 AND file = ?3)`;

/** The variants over the limit. The new variant is never among them, even if its focal point was requested. */
const OVERFLOW = `
  SELECT file FROM variants WHERE space_id = ?4 AND media_id = ?1 AND version = ?2
  ORDER BY file = ?3 DESC, has_requested_focal_point, encoder_version DESC, created_at DESC, rowid DESC
  LIMIT -1 OFFSET ${VARIANT.perMasterVersionMax}`;

/** Invalidates the redirects to evicted variants, which the edge may keep. */
const invalidationOfOverflow = ({ spaceId, mediaId, version }: VariantAddress, now: number): SQL =>
  invalidationStatement(
    sql`SELECT ${mediaTag(mediaId)} WHERE ${VARIANT.perMasterVersionMax} <
      (SELECT count(*) FROM variants WHERE space_id = ${spaceId} AND media_id = ${mediaId} AND version = ${version})`,
    "media",
    now,
  );

const DELETE_BYTES_OF_OVERFLOW = `
  INSERT INTO doomed_objects (key, due_at) SELECT ?5 || file, ?6 FROM (${OVERFLOW}) WHERE true
  ON CONFLICT (key) DO UPDATE SET due_at = max(due_at, excluded.due_at)`;

const DELETE_OVERFLOW = `
  DELETE FROM variants WHERE space_id = ?4 AND media_id = ?1 AND version = ?2 AND file IN (${OVERFLOW}) RETURNING file`;
