/** The sweep's step for uploads in parts: it removes those past their time, completed or not. */
import type { Database } from "../storage/database/database.ts";
import { deleteParts } from "../storage/media/upload-parts.ts";
import { deleteUpload, listExpiredUploads } from "../storage/media/uploads.ts";

/** Removes the parts first, then the row that names them. @returns how many uploads */
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
