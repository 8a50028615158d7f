/**
 * Intents: R2 keys that the sweep removes once they are due, unless a row claims them by then. An intent is written
 * before its bytes and removed in the batch that writes their row, so a crash between R2 and D1 leaks nothing.
 */
import { DAY_MS } from "../../limits.ts";

/** How long bytes may be on their way before the sweep takes them for left behind: far over any upload or build. */
export const INTENT_MS = DAY_MS;

/**
 * Dooms a key. One already doomed gets the later time: what is rebuilt or uploaded again may just have been doomed
 * with its old row, and must not be swept under the new bytes.
 */
export const doomStatement = (
  db: D1Database,
  key: string,
  dueAt: number,
  uploadId: string | null = null,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO doomed_objects (key, due_at, upload_id) VALUES (?1, ?2, ?3)
       ON CONFLICT (key) DO UPDATE SET due_at = max(due_at, excluded.due_at),
         upload_id = coalesce(excluded.upload_id, upload_id)`,
    )
    .bind(key, dueAt, uploadId);

/** Takes a doom back. Goes into the batch that writes the row which claims the key. */
export const spareStatement = (db: D1Database, key: string): D1PreparedStatement =>
  db.prepare("DELETE FROM doomed_objects WHERE key = ?1").bind(key);

/** Writes the intent of bytes that are about to be put under `key`. */
export async function intend(db: D1Database, key: string, now: number): Promise<void> {
  await doomStatement(db, key, now + INTENT_MS).run();
}
