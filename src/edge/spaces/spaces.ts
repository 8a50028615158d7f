/** Creates, lists, renames and removes spaces (RULES 2.1). */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../errors.ts";
import { HISTORY, TRASH } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { claimName, claimPlace, freeNames } from "../storage/shards/directory.ts";
import {
  aspectRatiosIn,
  insertOnShard,
  insertSpace,
  markSpaceRemoved,
  updateSettings,
  updateSpace,
} from "../storage/spaces/spaces.ts";
import type { Space } from "./authorize.ts";
import type { Quality } from "../../image/model/variant.ts";

export interface SpaceSettings {
  adaptiveLoading: boolean;
  compression: boolean;
  quality: Quality;
  /** The ratios that crops may have, each `W:H`. */
  aspectRatios: readonly string[];
  suggestFocalPoint: boolean;
  /** What is built ahead after an upload (RULES 9.7). */
  prebuild: "presets" | "none";
}

/** The databases of a space. */
export interface Databases {
  db: Database;
  /** The number of `db`. */
  shard: number;
  /** The directory, if it is another database than `db`. */
  directory: Database | null;
}

export interface Plan {
  trashRetentionDays: number | undefined;
  historyDays: number | undefined;
}

export interface NewSpace {
  name: string;
  tenantId?: string | undefined;
  plan?: Partial<Plan> | undefined;
}

export const settingsOf = (space: Space): SpaceSettings => ({
  adaptiveLoading: space.adaptiveLoading,
  compression: space.compression,
  quality: space.quality as Quality,
  aspectRatios: aspectRatiosIn(space.aspectRatios),
  suggestFocalPoint: space.suggestFocalPoint,
  prebuild: space.prebuild,
});

export const spaceView = (space: Space, shard: number): Record<string, unknown> => ({
  id: space.id,
  name: space.name,
  tenantId: space.tenantId,
  plan: { trashRetentionDays: space.trashRetentionDays, historyDays: space.historyDays },
  settings: settingsOf(space),
  shard,
  createdAt: new Date(space.createdAt).toISOString(),
});

const nameTaken = (names: string[]): ApiError =>
  new ApiError("CONFLICT", `A space already has, or had, this name or tenant id: ${names.join(", ")}.`);

/**
 * Creates a space. On a further shard, its names and its place are claimed in the directory first (RULES 12.3).
 * @throws ApiError CONFLICT when the name or tenant id is or was another space's
 */
export async function createSpace(databases: Databases, input: NewSpace, now: number): Promise<Space> {
  const space: Space = {
    id: ulid(now),
    name: input.name,
    tenantId: input.tenantId ?? null,
    trashRetentionDays: input.plan?.trashRetentionDays ?? TRASH.retentionDefaultDays,
    historyDays: input.plan?.historyDays ?? HISTORY.defaultDays,
    adaptiveLoading: true,
    compression: true,
    quality: 80,
    aspectRatios: null,
    suggestFocalPoint: false,
    prebuild: "presets",
    createdAt: now,
    removedAt: null,
  };
  const names = [...new Set([space.name, ...(space.tenantId ? [space.tenantId] : [])])];
  const { db, shard, directory } = databases;
  if (directory === null) {
    if (!(await insertSpace(db, space, names))) throw nameTaken(names);
    return space;
  }
  if (!(await claimPlace(directory, { spaceId: space.id, shard, names }, now))) throw nameTaken(names);
  await insertOnShard(db, shard, space, names);
  return space;
}

/**
 * Renames a space or changes its plan. All earlier names still lead to it on the image endpoint.
 * @throws ApiError CONFLICT when the name is or was another space's
 */
export async function changeSpace(
  { db, directory }: Databases,
  space: Space,
  change: { name?: string | undefined; plan?: Partial<Plan> | undefined },
  now: number,
): Promise<Space> {
  const name = change.name ?? space.name;
  if (directory !== null && name !== space.name && !(await claimName(directory, space.id, name, now)))
    throw nameTaken([name]);
  const trashRetentionDays = change.plan?.trashRetentionDays ?? space.trashRetentionDays;
  const historyDays = change.plan?.historyDays ?? space.historyDays;
  const changed = await updateSpace(db, space.id, { name, trashRetentionDays, historyDays });
  if (!changed) throw nameTaken([name]);
  return changed;
}

/** Hides the space and frees its names. The sweep removes its content. @throws ApiError NOT_FOUND */
export async function removeSpace({ db, directory }: Databases, space: Space, now: number): Promise<void> {
  if (!(await markSpaceRemoved(db, space.id, now))) throw notFound("The space");
  if (directory !== null) await freeNames(directory, space.id);
}

/** Changes the given settings and leaves the others. @throws ApiError NOT_FOUND */
export async function changeSettings(
  db: Database,
  space: Space,
  change: { [Name in keyof SpaceSettings]?: SpaceSettings[Name] | undefined },
  now: number,
): Promise<Space> {
  const settings = {
    adaptiveLoading: change.adaptiveLoading ?? space.adaptiveLoading,
    compression: change.compression ?? space.compression,
    quality: change.quality ?? space.quality,
    aspectRatios: change.aspectRatios ? JSON.stringify(change.aspectRatios) : space.aspectRatios,
    suggestFocalPoint: change.suggestFocalPoint ?? space.suggestFocalPoint,
    prebuild: change.prebuild ?? space.prebuild,
  };
  const cropsAlike =
    settings.aspectRatios === space.aspectRatios && settings.suggestFocalPoint === space.suggestFocalPoint;
  const changed = await updateSettings(db, space.id, settings, {
    purgedAt: cropsAlike ? null : now,
    looksAgain: settings.suggestFocalPoint && !space.suggestFocalPoint,
  });
  if (!changed) throw notFound("The space");
  return changed;
}
