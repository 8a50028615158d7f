/** The sweep's steps for content: records past their retention, index rows of removed fields, removed spaces. */
import type { GoesOn } from "./budget.ts";
import { CONTENT, EVENTS, MINUTE_MS, SLICE, SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { describeMedia, fillSides, foldRecords, wordMedia } from "../storage/records/fill-columns.ts";
import { removeDueEvents } from "../storage/events/list-events.ts";
import { removeDueVersions } from "../storage/history/history.ts";
import { deleteExpiredRecords } from "../storage/trash/record-trash.ts";
import { rebuildSlice, renewFolding } from "../storage/search/search-rebuilds.ts";
import { removeDueFieldRows } from "../storage/models/removed-fields.ts";
import { removeDroppedLocale } from "../storage/spaces/space-locales.ts";
import { removeModelsOfSpace, removeRecordsOfSpace } from "../storage/spaces/removed-spaces.ts";

/**
 * Removes trashed records past their retention. They have no index rows: only their own row and their history.
 * @returns how many records were removed
 */
export async function removeDueRecords(db: Database, now: number, goesOn: GoesOn): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < SWEEP.batchesMax && goesOn(); batch++) {
    const gone = await deleteExpiredRecords(db, now, SWEEP.recordsPerBatch);
    removed += gone.records;
    if (gone.rows < SWEEP.recordsPerBatch) break;
  }
  return removed;
}

/** Removes events past their time from the histories of records. @returns how many */
export async function removeDueHistory(db: Database, now: number, goesOn: GoesOn): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < SWEEP.batchesMax && goesOn(); batch++) {
    const gone = await removeDueVersions(db, now, SWEEP.versionsPerBatch);
    removed += gone;
    if (gone < SWEEP.versionsPerBatch) break;
  }
  return removed;
}

/** Removes events past their time, in some of the minutes. @returns how many */
export async function removeExpiredEvents(db: Database, now: number, goesOn: GoesOn): Promise<number> {
  if (Math.floor(now / MINUTE_MS) % EVENTS.sweepEveryMinutes !== 0) return 0;
  let removed = 0;
  for (let batch = 0; batch < SWEEP.batchesMax && goesOn(); batch++) {
    const gone = await removeDueEvents(db, now);
    removed += gone;
    if (gone < SWEEP.eventsPerBatch) break;
  }
  return removed;
}

/** Removes what is left of locales that were dropped, once it is kept no longer. @returns how many slices */
export async function removeDueLocales(db: Database, now: number, goesOn: GoesOn): Promise<number> {
  let slices = 0;
  while (slices < SWEEP.batchesMax && goesOn()) {
    if ((await removeDroppedLocale(db, now, SLICE.records)) === "none") break;
    slices += 1;
  }
  return slices;
}

/** Removes index rows of removed fields. @returns how many fields have none left */
export async function removeDueFields(db: Database, now: number, goesOn: GoesOn): Promise<number> {
  let finished = 0;
  for (let batch = 0; batch < SWEEP.indexBatchesMax && goesOn(); batch++) {
    const state = await removeDueFieldRows(db, now, SLICE.rows);
    if (state === "none") break;
    if (state === "done") finished += 1;
  }
  return finished;
}

/** Fills columns of rows that are older than the column. @returns how many rows */
export async function fillColumns(db: Database, goesOn: GoesOn): Promise<number> {
  let filled = 0;
  for (const fill of [describeMedia, foldRecords, wordMedia, fillSides]) {
    for (let batch = 0; batch < SWEEP.batchesMax && goesOn(); batch++) {
      const rows = await fill(db, SWEEP.filledRowsPerBatch);
      filled += rows;
      if (rows === 0) break;
    }
  }
  return filled;
}

/**
 * Indexes the words of models whose searchable fields have changed, or all if the folding has, slice by slice.
 * @returns how many slices
 */
export async function rebuildSearch(db: Database, goesOn: GoesOn): Promise<number> {
  await renewFolding(db);
  for (let slice = 0; slice < SWEEP.searchSlicesMax; slice++) {
    if (!goesOn() || (await rebuildSlice(db, CONTENT.searchSliceRecords)) === "none") return slice;
  }
  return SWEEP.searchSlicesMax;
}

/** Removes the records, then the models of a removed space. False when the next run must go on. */
export async function emptySpaceContent(db: Database, spaceId: string, goesOn: GoesOn): Promise<boolean> {
  for (let batch = 0; batch < SWEEP.indexBatchesMax && goesOn(); batch++) {
    const gone = await removeRecordsOfSpace(db, spaceId);
    if (gone === 0) return removeModelsOfSpace(db, spaceId);
  }
  return false;
}
