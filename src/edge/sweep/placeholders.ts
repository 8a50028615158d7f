/** The sweep's part of placeholders: masters that no queue knows of are announced to it. */
import type { Database } from "../storage/database.ts";
import { spacesWithBareMasters } from "../storage/placeholders.ts";

const SPACES_A_RUN = 100;

/**
 * Masters whose upload could not tell its queue, and those that were stored before there were placeholders. A queue
 * that knows already takes no notice; one that does not answer keeps the others from nothing, and is told in the next
 * minute. How many queues were told.
 */
export async function announceBareMasters(
  db: Database,
  announce: (spaceId: string) => Promise<void>,
): Promise<number> {
  const spaceIds = await spacesWithBareMasters(db, SPACES_A_RUN);
  const told = await Promise.allSettled(spaceIds.map(announce));
  return told.filter(({ status }) => status === "fulfilled").length;
}
