/** Finds what a space has of the records that lines of an import name. */
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { RecordRow } from "../spaces/entries.ts";
import { isOneOf } from "./write.ts";

/** The facts of a record by which an import decides what to do with a line. */
export interface KnownRecord {
  seq: number;
  id: string;
  sizeBytes: number;
  version: number;
  locales: string | null;
  /** 1 if the record has a history, else 0. */
  hasHistory: number;
}

/** Finds the records of a model that have some of these ids, in the trash too. */
export async function knownRecords(
  db: Database,
  modelId: number,
  ids: readonly string[],
): Promise<Map<string, KnownRecord>> {
  const rows = await db.all<KnownRecord>(sql`
    SELECT r.seq, r.id, r.size_bytes AS sizeBytes, r.version, r.locales,
      EXISTS (SELECT 1 FROM record_versions v WHERE v.record = r.seq) AS hasHistory
    FROM records r WHERE ${isOneOf(modelId, ids)}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The facts of a record that its published content and its events share or need. */
export type Owner = Pick<
  RecordRow,
  "id" | "seq" | "version" | "createdAt" | "deletedAt" | "purgeAt" | "locales" | "publishedVersion"
>;

/** Finds the records of a model with these ids, in the trash too, without their contents. */
export async function ownersOf(
  db: Database,
  modelId: number,
  ids: readonly string[],
): Promise<Map<string, Owner>> {
  const rows = await db.all<Owner>(sql`
    SELECT r.id, r.seq, r.version, r.created_at AS createdAt, r.deleted_at AS deletedAt, r.purge_at AS purgeAt, r.locales,
      r.published_version AS publishedVersion
    FROM records r WHERE ${isOneOf(modelId, ids)}`);
  return new Map(rows.map((row) => [row.id, row]));
}
