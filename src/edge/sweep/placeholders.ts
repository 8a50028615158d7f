/** The sweep's part of idle work: masters that no queue knows of are announced to it. */
import { SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { spacesWithBareMasters } from "../storage/pictures/placeholders.ts";
import { spacesToPrebuild } from "../storage/pictures/prebuilds.ts";

/**
 * Announces masters whose upload could not tell its queue, and those that were stored before there were placeholders:
 * without a placeholder, or with presets to be built. A queue that knows already takes no notice; one that does not
 * answer keeps the others from nothing, and is told in the next minute. Returns how many queues were told.
 */
export async function announceBareMasters(
  db: Database,
  announce: (spaceId: string) => Promise<void>,
): Promise<number> {
  const bare = await spacesWithBareMasters(db, SWEEP.placeholderSpacesMax);
  const toPrebuild = await spacesToPrebuild(db, SWEEP.placeholderSpacesMax);
  const told = await Promise.allSettled([...new Set([...bare, ...toPrebuild])].map(announce));
  return told.filter(({ status }) => status === "fulfilled").length;
}
