/** The sweep's part of uploads in parts: those whose time is over, completed or not. */
import type { Database } from "../storage/database.ts";
import { deleteParts } from "../storage/upload-parts.ts";
import { deleteUpload, listExpiredUploads } from "../storage/uploads.ts";

/** Parts first, the row that names them second. How many uploads went. */
export async function removeExpiredUploads(
  db: Database,
  bucket: R2Bucket,
  now: number,
  limit: number,
): Promise<number> {
  const expired = await listExpiredUploads(db, now, limit);
  for (const upload of expired) {
    await deleteParts(bucket, upload);
    await deleteUpload(db, upload.spaceId, upload.id);
  }
  return expired.length;
}
