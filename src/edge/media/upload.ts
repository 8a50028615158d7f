/** The story of an upload: bytes first, rows second (RULES 10.1). It makes a media item, or a new version of one. */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../errors.ts";
import { masterKey } from "../../image/model/variant.ts";
import type { FocalPoint } from "../../image/geometry/focal-point.ts";
import { DAY_MS } from "../../limits.ts";
import type { Space } from "../spaces/authorize.ts";
import type { Database } from "../storage/database/database.ts";
import { actorColumn, type Origin } from "../storage/events/actor.ts";
import { replaceMaster, reserveVersion, type MasterRow } from "../storage/media/master-versions.ts";
import { insertMedia, type MediaRow, type MediaWithMaster } from "../storage/media/media.ts";
import { foldedNames, listedFacts, wordsOfMedia, wordsOfRights } from "../storage/media/media-facts.ts";
import { forgetPendingDelete, recordPendingDelete } from "../storage/sweep/pending-deletes.ts";
import type { WriterStore } from "../storage/media/master-writer.ts";
import type { UploadClaim } from "../storage/media/uploads.ts";
import { forgetPicture } from "../storage/pictures/pictures.ts";
import type { Incoming } from "./incoming.ts";
import { receiveMaster, type ReceivedMaster } from "./receive.ts";

export interface Upload extends Incoming {
  /** Null: the stored file's name, or the name of the replaced item. */
  filename: string | null;
  /** Absent or null: empty, or the alt text of the replaced item. */
  alt?: string | null;
  /** Absent or null when the upload names none. */
  focalPoint?: FocalPoint | null;
  /** Set for an upload in parts, which makes one item or version however often it is completed. */
  claim?: UploadClaim;
}

export interface UploadTools {
  db: Database;
  bucket: R2Bucket;
  now: () => number;
  origin: Origin;
}

export function storeOf({ db, bucket, now }: UploadTools): WriterStore {
  return {
    bucket,
    recordKey: (key, uploadId) => recordPendingDelete(db.$client, key, now(), uploadId),
    forgetKey: (key) => forgetPendingDelete(db.$client, key),
  };
}

export function masterRow(
  { id: spaceId, prebuild }: Space,
  mediaId: string,
  version: number,
  got: ReceivedMaster,
  now: number,
): MasterRow {
  const { file, sizeBytes, sha256, sentSha256, facts } = got;
  return {
    mediaId,
    version,
    spaceId,
    file,
    sizeBytes,
    sha256,
    facts: JSON.stringify(facts),
    createdAt: now,
    purgeAt: null,
    thumbHash: null,
    dominantColor: null,
    placeholderTries: 0,
    suggestedFocalX: null,
    missingAt: null,
    suggestedFocalY: null,
    isToPrebuild: prebuild === "presets",
    inspectionTries: null,
    sentSha256,
  };
}

/**
 * Stores a new media item.
 * @throws ApiError as `receiveMaster`; NOT_FOUND when the space was removed meanwhile, or the claim lost
 */
export async function uploadMedia(
  space: Space,
  upload: Upload,
  tools: UploadTools,
): Promise<MediaWithMaster> {
  const id = ulid(tools.now());
  const address = { spaceId: space.id, mediaId: id, version: 1 };
  const received = await receiveMaster(upload, address, storeOf(tools));
  const now = tools.now();
  const filename = upload.filename ?? received.file;
  const alt = upload.alt ?? "";
  const media: MediaRow = {
    id,
    spaceId: space.id,
    filename,
    alt,
    focalX: upload.focalPoint?.x ?? null,
    focalY: upload.focalPoint?.y ?? null,
    ...listedFacts(received.facts),
    folded: foldedNames(filename, alt),
    words: wordsOfMedia(filename, { alt }, received.facts.copyright),
    seq: null,
    alts: null,
    masterVersion: 1,
    lastVersion: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    purgeAt: null,
    createdBy: actorColumn(tools.origin.actor),
    updatedBy: actorColumn(tools.origin.actor),
  };
  const master = masterRow(space, id, 1, received, now);
  const key = masterKey(address, received.file);
  if (
    !(await insertMedia(tools.db, media, master, { key, claim: upload.claim ?? null, origin: tools.origin }))
  )
    throw notFound("The space");
  return { media, master };
}

/**
 * Stores a new version of a media item's file. The earlier master stays for the plan's retention.
 * @throws ApiError as `receiveMaster`; NOT_FOUND when the item is not there, CONFLICT when it was trashed meanwhile, or
 * the claim lost
 */
export async function replaceFile(
  space: Space,
  id: string,
  upload: Upload,
  tools: UploadTools,
): Promise<void> {
  const version = await reserveVersion(tools.db, space.id, id);
  if (version === null) throw notFound("The media item");
  const address = { spaceId: space.id, mediaId: id, version };
  const received = await receiveMaster(upload, address, storeOf(tools));
  const now = tools.now();
  const replaced = await replaceMaster(tools.db, masterRow(space, id, version, received, now), {
    filename: upload.filename,
    alt: upload.alt ?? null,
    focalPoint: upload.focalPoint ?? null,
    listed: listedFacts(received.facts),
    wordsOfRights: wordsOfRights(received.facts.copyright),
    now,
    retireAt: now + space.trashRetentionDays * DAY_MS,
    key: masterKey(address, received.file),
    claim: upload.claim ?? null,
    origin: tools.origin,
  });
  forgetPicture(id);
  if (!replaced)
    throw new ApiError("CONFLICT", "The media item was deleted while its new file was on the way.");
}
