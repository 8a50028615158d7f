/** The sweep's part of placeholders: masters that no queue knows of are announced to it. */
import { SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database.ts";
import { spacesWithBareMasters } from "../storage/placeholders.ts";

/**
 * Masters whose upload could not tell its queue, and those that were stored before there were placeholders. A queue
 * that knows already takes no notice; one that does not answer keeps the others from nothing, and is told in the next
 * minute. How many queues were told.
 */
export async function announceBareMasters(
  db: Database,
  announce: (spaceId: string) => Promise<void>,
): Promise<number> {
  const spaceIds = await spacesWithBareMasters(db, SWEEP.placeholderSpacesMax);
  const told = await Promise.allSettled(spaceIds.map(announce));
  return told.filter(({ status }) => status === "fulfilled").length;
}
