/** Removes keys, media and records of removed spaces in bounded steps, then their rows. */
import { SLICE, SWEEP } from "../../limits.ts";
import { hasBackups } from "../storage/backups/backups.ts";
import type { Database } from "../storage/database/database.ts";
import {
  deleteKeysOfSpace,
  deleteSpaceRow,
  listRemovedSpaces,
  removeMediaOfSpace,
} from "../storage/spaces/removed-spaces.ts";
import { removeEventsOfSpace } from "../storage/events/events.ts";
import { removeRemotesOfSpace } from "../storage/remote/removal.ts";
import { forgetRemovedOfSpace } from "../storage/media/removed-versions.ts";
import { removeWaitingOfSpace } from "../storage/exchange/waiting.ts";
import { removeWebhooksOfSpace } from "../storage/webhooks/remove-deliveries.ts";
import { freeNames, freePlace } from "../storage/shards/directory.ts";
import { expireUploadsOfSpace } from "../storage/media/uploads.ts";
import type { GoesOn } from "./budget.ts";
import { emptySpaceContent } from "./content.ts";

export interface RemovalTools {
  db: Database;
  /** Milliseconds. */
  now: number;
  clearQueue: (spaceId: string) => Promise<void>;
  /** The directory, where there are several databases. */
  directory?: Database;
  log: (event: Record<string, unknown>) => void;
  goesOn: GoesOn;
}

/**
 * Empties removed spaces. One that fails is logged, and does not hold up the others.
 * @returns how many spaces were removed for good
 */
export async function emptyRemovedSpaces(tools: RemovalTools): Promise<number> {
  let finished = 0;
  for (const id of await listRemovedSpaces(tools.db, SWEEP.spacesMax)) {
    if (!tools.goesOn()) break;
    try {
      if (await emptySpace(tools, id)) finished += 1;
    } catch (error) {
      tools.log({ event: "sweep-step-failed", step: "removedSpaces", spaceId: id, reason: String(error) });
    }
  }
  return finished;
}

/** Returns true once the space is removed, false when the next run must go on. */
async function emptySpace(
  { db, now, clearQueue, directory, goesOn }: RemovalTools,
  id: string,
): Promise<boolean> {
  // A crash may have come between the removal and this.
  if (directory) await freeNames(directory, id);
  await clearQueue(id);
  const areKeysGone = await deleteKeysOfSpace(db, id);
  const areUploadsDue =
    (await expireUploadsOfSpace(db, id, now, SLICE.rows)) &&
    (await removeWaitingOfSpace(db, id, SLICE.rows)) &&
    (await forgetRemovedOfSpace(db, id, SLICE.rows));
  const areMediaGone = await removeMediaOfSpace(db, id, now, SWEEP.mediaMax);
  const areRemotesGone = (await removeRemotesOfSpace(db, id, now, SWEEP.mediaMax, goesOn)) === 0;
  const areWebhooksGone = await removeWebhooksOfSpace(db, id);
  const isContentGone = await emptySpaceContent(db, id, goesOn);
  // The last, since what is removed may write events.
  const areEventsGone = isContentGone && (await removeEventsOfSpace(db, id));
  const areAllGone = [
    areKeysGone,
    areUploadsDue,
    areMediaGone,
    areRemotesGone,
    areWebhooksGone,
    areEventsGone,
  ];
  if (areAllGone.includes(false)) return false;
  // Backups outlive their space, and the directory must know where they stand.
  if (directory && !(await hasBackups(db, id))) await freePlace(directory, id);
  await deleteSpaceRow(db, id);
  return true;
}
