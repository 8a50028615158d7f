/** Reads what an export writes, in orders that an import of it repeats. */
import { and, asc, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { masters, media, models, records, recordVersions } from "../../../../schema/tables.ts";
import { EXCHANGE } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { current, type MediaWithMaster } from "../media/media.ts";
import type { Part } from "./earlier.ts";
import { int } from "../records/record-index.ts";
import { publishedSeq } from "../records/published.ts";
import type { ModelRow, RecordRow } from "../spaces/entries.ts";

export type HistoryRow = Omit<typeof recordVersions.$inferSelect, "data">;

/** Returns all models of a space, at most 200, by kind and name. */
export const allModels = (db: Database, spaceId: string): Promise<ModelRow[]> =>
  db
    .select()
    .from(models)
    .where(eq(models.spaceId, spaceId))
    .orderBy(asc(models.typeModel), asc(models.name));

/** Returns media after `afterId` in order of id, with the masters that they offer. */
export async function mediaAfter(db: Database, spaceId: string, afterId: string): Promise<MediaWithMaster[]> {
  return db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(and(eq(media.spaceId, spaceId), isNull(media.deletedAt), sql`${media.id} > ${afterId}`))
    .orderBy(asc(media.id))
    .limit(EXCHANGE.mediaPerRead);
}

/** The place of an entry of the trash. */
export interface TrashPlace {
  deletedAt: number;
  id: string;
}

export async function trashedMediaAfter(
  db: Database,
  spaceId: string,
  { deletedAt, id }: TrashPlace,
): Promise<MediaWithMaster[]> {
  return db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(
      and(
        eq(media.spaceId, spaceId),
        isNotNull(media.deletedAt),
        sql`(${media.deletedAt}, ${media.id}) > (${deletedAt}, ${id})`,
      ),
    )
    .orderBy(asc(media.deletedAt), asc(media.id))
    .limit(EXCHANGE.mediaPerRead);
}

/** Reads the records of a page's numbers, as many as have few enough bytes together, but at least one. */
async function measured(db: Database, page: SQL, order: SQL): Promise<RecordRow[]> {
  const found = await db.all<{ seq: number }>(sql`
    WITH page AS MATERIALIZED (${page}),
    measured AS (SELECT seq, row_number() OVER (ORDER BY ${order}) AS n,
      sum(size_bytes) OVER (ORDER BY ${order}) AS until FROM page)
    SELECT seq FROM measured WHERE n = 1 OR until <= ${int(EXCHANGE.readMaxBytes)} ORDER BY n`);
  const rows = await recordsOf(
    db,
    found.map(({ seq }) => seq),
  );
  return found.flatMap(({ seq }) => rows.get(seq) ?? []);
}

/** Reads records by their numbers. */
export async function recordsOf(db: Database, seqs: readonly number[]): Promise<Map<number, RecordRow>> {
  if (seqs.length === 0) return new Map();
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(seqs)}))`;
  const rows = await db
    .select()
    .from(records)
    .where(sql`${records.seq} IN ${list}`);
  return new Map(rows.map((row) => [row.seq, row]));
}

/** Returns records of a model in the order of their creation. */
export const recordsAfter = (
  db: Database,
  modelId: number,
  { createdAt, seq }: { createdAt: number; seq: number },
): Promise<RecordRow[]> =>
  measured(
    db,
    sql`SELECT seq, created_at, size_bytes FROM records WHERE model_id = ${int(modelId)} AND deleted_at IS NULL
      AND created_at >= ${int(createdAt)} AND (created_at > ${int(createdAt)} OR seq > ${int(seq)})
      ORDER BY created_at, seq LIMIT ${int(EXCHANGE.recordsPerRead)}`,
    sql`created_at, seq`,
  );

/** Returns trashed records in the order of their deletion. */
export const trashedRecordsAfter = (
  db: Database,
  spaceId: string,
  { deletedAt, id }: TrashPlace,
): Promise<RecordRow[]> =>
  measured(
    db,
    sql`SELECT seq, deleted_at, id, size_bytes FROM records WHERE space_id = ${spaceId} AND deleted_at IS NOT NULL
      AND model_id > 0 AND (deleted_at, id) > (${int(deletedAt)}, ${id})
      ORDER BY deleted_at, id LIMIT ${int(EXCHANGE.recordsPerRead)}`,
    sql`deleted_at, id`,
  );

/** Returns the published contents of records by the numbers of these, those that have few enough bytes together. */
export async function publishedOf(db: Database, owners: readonly number[]): Promise<Map<number, RecordRow>> {
  if (owners.length === 0) return new Map();
  const seqs = owners.map(publishedSeq);
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(seqs)}))`;
  const sizes = await db.all<{ seq: number; bytes: number }>(
    sql`SELECT seq, size_bytes AS bytes FROM records WHERE seq IN ${list} ORDER BY seq`,
  );
  let bytes = 0;
  const taken = sizes.filter((one) => (bytes += one.bytes) <= EXCHANGE.readMaxBytes);
  const rows = await recordsOf(
    db,
    taken.map(({ seq }) => seq),
  );
  const owned = new Map(owners.map((owner) => [publishedSeq(owner), owner]));
  return new Map([...rows].map(([seq, row]) => [owned.get(seq) ?? seq, row]));
}

/** Returns the published content of one record; null if it has none. */
export async function publishedOne(db: Database, owner: number): Promise<RecordRow | null> {
  const seq = publishedSeq(owner);
  return (await recordsOf(db, [seq])).get(seq) ?? null;
}

/** Returns the bytes that records have in locales but the default. */
export async function sideSizes(db: Database, seqs: readonly number[]): Promise<Map<number, number>> {
  if (seqs.length === 0) return new Map();
  const rows = await db.all<{ record: number; bytes: number }>(sql`
    SELECT record, sum(size_bytes) AS bytes FROM record_locales
    WHERE record IN (SELECT value FROM json_each(${JSON.stringify(seqs)})) GROUP BY record`);
  return new Map(rows.map(({ record, bytes }) => [record, bytes]));
}

interface SideRow {
  record: number;
  locale: number;
  data: string;
}

/** Reads the contents of records in all locales but the default. The caller knows that they are few enough. */
export async function sidesOf(
  db: Database,
  seqs: readonly number[],
): Promise<Map<number, Map<number, string>>> {
  const found = new Map<number, Map<number, string>>();
  if (seqs.length === 0) return found;
  const rows = await db.all<SideRow>(sql`
    SELECT record, locale, data FROM record_locales
    WHERE record IN (SELECT value FROM json_each(${JSON.stringify(seqs)})) ORDER BY record, locale`);
  for (const { record, locale, data } of rows) {
    const sides = found.get(record) ?? new Map<number, string>();
    found.set(record, sides.set(locale, data));
  }
  return found;
}

/** Returns the locales in which a record has values, after `locale`. */
export async function sideLocales(db: Database, seq: number, after: number): Promise<number[]> {
  const rows = await db.all<{ locale: number }>(
    sql`SELECT locale FROM record_locales WHERE record = ${int(seq)} AND locale > ${int(after)} ORDER BY locale`,
  );
  return rows.map(({ locale }) => locale);
}

/** Reads the content of a record in one locale. */
export async function sideOf(db: Database, seq: number, locale: number): Promise<string> {
  const row = await db.get<{ data: string } | undefined>(
    sql`SELECT data FROM record_locales WHERE record = ${int(seq)} AND locale = ${int(locale)}`,
  );
  return row?.data ?? "{}";
}

const HISTORY_COLUMNS = {
  record: recordVersions.record,
  no: recordVersions.no,
  version: recordVersions.version,
  event: recordVersions.event,
  isContent: recordVersions.isContent,
  createdAt: recordVersions.createdAt,
  keyId: recordVersions.keyId,
  keyName: recordVersions.keyName,
  actorKind: recordVersions.actorKind,
  changed: recordVersions.changed,
  purgeAt: recordVersions.purgeAt,
};

/** Reads the events of records without their contents. */
export async function historiesOf(db: Database, seqs: readonly number[]): Promise<Map<number, HistoryRow[]>> {
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(seqs)}))`;
  const rows = await db
    .select(HISTORY_COLUMNS)
    .from(recordVersions)
    .where(sql`${recordVersions.record} IN ${list}`)
    .orderBy(asc(recordVersions.record), asc(recordVersions.no));
  const found = new Map<number, HistoryRow[]>();
  for (const row of rows) found.set(row.record, [...(found.get(row.record) ?? []), row]);
  return found;
}

/** Reads kept contents of versions of a record, by their versions: as many as have few enough bytes, but at least one. */
export async function versionData(
  db: Database,
  record: number,
  versions: readonly number[],
): Promise<Map<number, string | null>> {
  const rows = await db.all<{ version: number; data: string | null }>(sql`
    WITH measured AS (SELECT no, version, row_number() OVER (ORDER BY no) AS n,
      sum(coalesce(octet_length(data), 0)) OVER (ORDER BY no) AS until
      FROM record_versions WHERE record = ${int(record)} AND is_content = 1
        AND version IN (SELECT value FROM json_each(${JSON.stringify(versions)})))
    SELECT m.version, v.data FROM measured m
    CROSS JOIN record_versions v ON v.record = ${int(record)} AND v.no = m.no
    WHERE m.n = 1 OR m.until <= ${int(EXCHANGE.readMaxBytes)}`);
  return new Map(rows.map(({ version, data }) => [version, data]));
}

/** Reads earlier contents of a record in its locales; those of one version alone if all are too many. */
export async function partsOf(db: Database, record: number, version: number): Promise<Part[]> {
  const valid = sql`(version <= ${int(version)} AND until > ${int(version)})`;
  return db.all<Part>(sql`
    SELECT locale, version, until, data FROM record_locale_versions WHERE record = ${int(record)}
      AND (${valid} OR (SELECT sum(octet_length(data)) FROM record_locale_versions WHERE record = ${int(record)})
        <= ${int(EXCHANGE.partsMaxBytes)})
    ORDER BY locale, version`);
}
