/** Removes keys, media and records of removed spaces in bounded steps, then their rows. */
import { SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import {
  deleteKeysOfSpace,
  deleteSpaceRow,
  listRemovedSpaces,
  removeMediaOfSpace,
} from "../storage/spaces/removed-spaces.ts";
import { freeNames, freePlace } from "../storage/shards/directory.ts";
import { expireUploadsOfSpace } from "../storage/media/uploads.ts";
import { emptySpaceContent } from "./content.ts";

export interface RemovalTools {
  db: Database;
  /** Milliseconds. */
  now: number;
  clearQueue: (spaceId: string) => Promise<void>;
  /** The directory, where there are several databases. */
  directory?: Database;
  log: (event: Record<string, unknown>) => void;
}

/**
 * Returns a space that fails is logged, and does not hold up the others. @returns how many spaces were removed for good
 */
export async function emptyRemovedSpaces(tools: RemovalTools): Promise<number> {
  let finished = 0;
  for (const id of await listRemovedSpaces(tools.db, SWEEP.spacesMax)) {
    try {
      if (await emptySpace(tools, id)) finished += 1;
    } catch (error) {
      tools.log({ event: "sweep-step-failed", step: "removedSpaces", spaceId: id, reason: String(error) });
    }
  }
  return finished;
}

/** Returns true once the space is removed, false when the next run must go on. */
async function emptySpace({ db, now, clearQueue, directory }: RemovalTools, id: string): Promise<boolean> {
  // A crash may have come between the removal and this.
  if (directory) await freeNames(directory, id);
  await clearQueue(id);
  await deleteKeysOfSpace(db, id);
  await expireUploadsOfSpace(db, id, now);
  const removedMedia = await removeMediaOfSpace(db, id, now, SWEEP.mediaMax);
  const isContentGone = await emptySpaceContent(db, id);
  if (!isContentGone || removedMedia === SWEEP.mediaMax) return false;
  if (directory) await freePlace(directory, id);
  await deleteSpaceRow(db, id);
  return true;
}
