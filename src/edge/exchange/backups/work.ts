/**
 * The story of a backup (RULES 18.7): a page of the export is stored in R2, then noted in its row, and so on from where
 * the row says. A page that is stored is never written again: a run that finds it, because another one was faster or was
 * cut off, notes that page as it is. So the row and the objects never tell of different places. A page that cannot be
 * noted is made anew under another key: the row counts the attempts, so that a run which comes late removes only the
 * object of its own attempt.
 */
import { ulid } from "ulid";
import type { Database } from "../../storage/database/database.ts";
import type { By } from "../../storage/events/actor.ts";
import { insertBackup, noteFailure, readBackup, type BackupRow } from "../../storage/backups/backups.ts";
import {
  attemptAt,
  giveUpAttempt,
  masterClaimedOtherwise,
  notePage,
  type NamedMaster,
} from "../../storage/backups/pages.ts";
import { changedSince, lastEvent } from "../../storage/exchange/changed.ts";
import { readSpaceById } from "../../storage/spaces/spaces.ts";
import { START, type Place } from "../lines/place.ts";
import { joined, pageLines } from "../page.ts";

/** The place of a backup that is kept in its row. */
interface Cursor {
  /** The last event before the backup. */
  no: number;
  place: Place;
}

export interface BackupTools {
  db: Database;
  bucket: R2Bucket;
  /** Milliseconds. */
  now: number;
  /** How many whole backups of a space are kept. */
  keep: number;
  /** Whether there are queries left. A page ends where there are none, and the next run goes on. */
  goesOn: () => boolean;
}

const folderOf = ({ spaceId, id }: Pick<BackupRow, "spaceId" | "id">): string => `backups/${spaceId}/${id}/`;

/** Returns the key of a page, in the attempt that counts. Parts are counted from 1. */
export function partKey(backup: Pick<BackupRow, "spaceId" | "id" | "remade">, part: number): string {
  const attempt = attemptAt(backup, part);
  return `${folderOf(backup)}${part}${attempt === 0 ? "" : `-${attempt}`}.ndjson`;
}

/** Returns the least id of a backup that was started at a time or later. */
export const leastIdAt = (at: number): string => ulid(at).slice(0, 10).padEnd(26, "0");

/** Starts a backup of a space, unless one is being made. @returns its id; null if it was not started */
export async function startBackup(db: Database, spaceId: string, by: By): Promise<string | null> {
  const id = ulid(by.now);
  return (await insertBackup(db, { id, spaceId }, by)) ? id : null;
}

/** Removes from R2 all that is stored of a backup. @returns whether nothing is left */
export async function removeObjects(
  bucket: R2Bucket,
  backup: Pick<BackupRow, "spaceId" | "id">,
): Promise<boolean> {
  const { objects, truncated } = await bucket.list({ prefix: folderOf(backup) });
  // R2 refuses an empty list.
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
  return !truncated;
}

/** A page as it is stored: the text, and in the metadata of its object the cursor behind it. */
interface Page {
  bytes: Uint8Array;
  cursor: string | null;
}

async function makePage({ db, goesOn }: BackupTools, backup: BackupRow): Promise<Page | null> {
  const space = await readSpaceById(db, backup.spaceId);
  if (!space) return null;
  const { startedAt } = backup;
  const begun = backup.cursor === null ? null : (JSON.parse(backup.cursor) as Cursor);
  const no = begun?.no ?? (await lastEvent(db));
  const next: { cursor: Cursor | null } = { cursor: null };
  const lines = pageLines({
    ...{ db, space, startedAt, from: begun?.place ?? START, goesOn },
    cursorOf: (place) => {
      next.cursor = { no, place };
      return Promise.resolve(String(backup.parts + 2));
    },
    changed: () => changedSince(db, space.id, { no, startedAt }),
  });
  const chunks: Uint8Array[] = [];
  for await (const line of lines) chunks.push(line);
  const size = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  return { bytes: joined(chunks, size), cursor: next.cursor && JSON.stringify(next.cursor) };
}

/**
 * Stores a page.
 * @returns the page that is stored: an earlier one, if there is one
 * @throws Error if another run has removed that one meanwhile
 */
async function storePage(bucket: R2Bucket, key: string, page: Page): Promise<Page> {
  const stored: R2Object | null = await bucket.put(key, page.bytes, {
    onlyIf: new Headers({ "If-None-Match": "*" }),
    httpMetadata: { contentType: "application/x-ndjson" },
    customMetadata: { cursor: page.cursor ?? "" },
  });
  if (stored) return page;
  const earlier = await readPage(bucket, key);
  if (!earlier) throw new Error("Another run removed the page of the backup. The next run makes it anew.");
  return earlier;
}

async function readPage(bucket: R2Bucket, key: string): Promise<Page | null> {
  const found = await bucket.get(key);
  if (!found) return null;
  const cursor = found.customMetadata?.["cursor"] ?? "";
  return { bytes: new Uint8Array(await found.arrayBuffer()), cursor: cursor === "" ? null : cursor };
}

const IS_MEDIA = /^\{"kind":"(?:media"|trash","of":"media")/;

/** Returns the lines of a page but its last, and the masters that they name. */
function contentOf({ bytes }: Page): { lines: number; masters: NamedMaster[] } {
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n").slice(0, -1);
  const masters = lines.filter((line) => IS_MEDIA.test(line)).map((line) => JSON.parse(line) as NamedMaster);
  return {
    lines: lines.length,
    masters: masters.map(({ id, masterVersion }) => ({ id, masterVersion })),
  };
}

/** The state of a backup after a slice. */
export type Slice = "more" | "done" | "gone";

/** Stores the next page of a backup and notes it. */
export async function workOn(tools: BackupTools, backup: BackupRow): Promise<Slice> {
  const { db, bucket, now, keep } = tools;
  const key = partKey(backup, backup.parts + 1);
  const made = (await readPage(bucket, key)) ?? (await makePage(tools, backup));
  if (!made) {
    await noteFailure(db, backup, "The space was removed.", { now, keep });
    return "gone";
  }
  const page = await storePage(bucket, key, made);
  const stored = { ...contentOf(page), bytes: page.bytes.byteLength, cursor: page.cursor };
  if (await notePage(db, backup, stored, { now, keep })) return page.cursor === null ? "done" : "more";
  const other = await masterClaimedOtherwise(db, backup.spaceId, stored.masters);
  if (other) throw new Error(claimedMessage(other));
  return giveUpPage(tools, backup);
}

const claimedMessage = ({ id, masterVersion }: NamedMaster): string =>
  `An older backup has another file of media item ${id}, version ${masterVersion}. Remove the older backups, so that this one can have the present file.`;

/**
 * Gives up a page that was not noted, and removes its object. A master was removed since the lines were read, and the page
 * is made anew; or a caller gave the backup up; or another run has noted the page, whose object stays if it is the same.
 */
async function giveUpPage({ db, bucket }: BackupTools, backup: BackupRow): Promise<Slice> {
  const part = backup.parts + 1;
  await giveUpAttempt(db, backup);
  const row = await readBackup(db, backup.id, backup.spaceId);
  if (!row || attemptAt(row, part) !== attemptAt(backup, part)) await bucket.delete(partKey(backup, part));
  return row?.state === "working" && row.parts === backup.parts ? "more" : "gone";
}
