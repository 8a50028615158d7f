/** Variants whose bytes were removed before their row, by a lifecycle rule or by hand. */
import type { MasterAddress } from "../../image/model/variant.ts";
import type { Database } from "../storage/database/database.ts";
import { dropVariantRow } from "../storage/pictures/files.ts";
import { forgetPicture, forgetVariant } from "../storage/pictures/pictures.ts";

/**
 * Removes the row of such a variant from the database of its space, which `open` opens. When D1 does not answer, this isolate at least forgets the variant, and keeps what
 * else it knows about the picture. Throws nothing.
 */
export async function forgetMissingVariant(
  open: () => Promise<Database>,
  address: MasterAddress,
  file: string,
  now: number,
): Promise<void> {
  const isDropped = await open()
    .then((db) => dropVariantRow(db, address, file, now))
    .catch(() => false);
  if (isDropped) forgetPicture(address.mediaId);
  else forgetVariant(address.mediaId, file);
}
