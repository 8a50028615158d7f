/** Lists the variants of one master version. */
import { and, desc, eq, gt } from "drizzle-orm";
import { variants } from "../../../../schema/tables.ts";
import type { MasterAddress } from "../../../image/model/variant.ts";
import type { Database } from "../database/database.ts";

export interface ListedVariant {
  file: string;
  sizeBytes: number;
  /** In milliseconds. */
  createdAt: number;
  expiresAt: number;
}

/** Returns the variants that have not expired, newest first: at most 192 (RULES 9.2). */
export async function listVariants(
  db: Database,
  { spaceId, mediaId, version }: MasterAddress,
  now: number,
): Promise<ListedVariant[]> {
  const { file, sizeBytes, createdAt, expiresAt } = variants;
  return db
    .select({ file, sizeBytes, createdAt, expiresAt })
    .from(variants)
    .where(
      and(
        eq(variants.spaceId, spaceId),
        eq(variants.mediaId, mediaId),
        eq(variants.version, version),
        gt(expiresAt, now),
      ),
    )
    .orderBy(desc(createdAt), file);
}
