/** The sweep's part of placeholders: masters that no queue knows of are announced to it. */
import type { Database } from "../storage/database.ts";
import { spacesWithBareMasters } from "../storage/placeholders.ts";

const ROWS_A_RUN = 500;

/**
 * Masters whose upload could not tell its queue, and those that were stored before there were placeholders. A queue
 * that knows already takes no notice. How many queues were told; the next minute tells others.
 */
export async function announceBareMasters(
  db: Database,
  announce: (spaceId: string) => Promise<void>,
): Promise<number> {
  const spaceIds = await spacesWithBareMasters(db, ROWS_A_RUN);
  for (const spaceId of spaceIds) await announce(spaceId);
  return spaceIds.length;
}
