/** The sweep's step for uploads in parts, and for media of imports whose files never came: it removes those past their time. */
import type { Database } from "../storage/database/database.ts";
import type { GoesOn } from "./budget.ts";
import { removeExpiredWaiting } from "../storage/exchange/waiting.ts";
import { deleteParts } from "../storage/media/upload-parts.ts";
import { deleteExpiredUpload, listExpiredUploads } from "../storage/media/uploads.ts";

/** Removes the parts first, then the row that names them. @returns how many uploads */
export async function removeExpiredUploads(
  db: Database,
  bucket: R2Bucket,
  now: number,
  limit: number,
  goesOn: GoesOn,
): Promise<number> {
  let removed = 0;
  await removeExpiredWaiting(db, now, limit);
  for (const upload of await listExpiredUploads(db, now, limit)) {
    await deleteParts(bucket, upload);
    await deleteExpiredUpload(db, upload, now);
    removed += 1;
    if (!goesOn()) break;
  }
  return removed;
}
