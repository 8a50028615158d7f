/** A variant whose bytes are gone before their row: a lifecycle rule, or a hand in the bucket. */
import type { MasterAddress } from "../../image/model/variant.ts";
import type { Database } from "../storage/database.ts";
import { dropVariantRow } from "../storage/files.ts";
import { forgetPicture, forgetVariant } from "../storage/pictures.ts";

/**
 * The row must not say otherwise. When D1 does not answer, this isolate at least leads nobody there: it goes on with what
 * else it holds of the picture. Throws nothing.
 */
export async function forgetMissingVariant(
  db: Database,
  address: MasterAddress,
  file: string,
  now: number,
): Promise<void> {
  if (await dropVariantRow(db, address, file, now)) forgetPicture(address.mediaId);
  else forgetVariant(address.mediaId, file);
}
