/** Finds masters of a space for exports: earlier versions that are kept, and those of the trash, too. */
import { and, eq } from "drizzle-orm";
import { masters } from "../../../../schema/tables.ts";
import type { Database } from "../database/database.ts";
import type { MasterRow } from "../media/master-versions.ts";

export async function readMaster(
  db: Database,
  spaceId: string,
  mediaId: string,
  version: number,
): Promise<MasterRow | null> {
  const isIt = and(eq(masters.spaceId, spaceId), eq(masters.mediaId, mediaId), eq(masters.version, version));
  return (await db.select().from(masters).where(isIt).get()) ?? null;
}
