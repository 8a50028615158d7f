/** Creates, lists, renames and removes spaces (RULES 2.1). */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../errors.ts";
import { HISTORY, REMOTE, TRASH } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { claimName, claimPlace, freeNames } from "../storage/shards/directory.ts";
import {
  insertOnShard,
  insertSpace,
  markSpaceRemoved,
  updateSettings,
  updateSpace,
} from "../storage/spaces/spaces.ts";
import { forgetRemoteSpace } from "../storage/remote/remote-pictures.ts";
import type { By } from "../storage/events/actor.ts";
import type { Space } from "./authorize.ts";
import {
  columnsAfter,
  differing,
  INITIAL_SETTINGS,
  SETTINGS,
  settingsOf,
  type SettingsChange,
} from "./settings.ts";

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
  /** The bytes of pictures of other servers that the space keeps (RULES 13.6). */
  remoteBytes: number | undefined;
}

export interface NewSpace {
  name: string;
  tenantId?: string | undefined;
  plan?: Partial<Plan> | undefined;
}

export const spaceView = (space: Space, shard: number): Record<string, unknown> => ({
  id: space.id,
  name: space.name,
  tenantId: space.tenantId,
  plan: {
    trashRetentionDays: space.trashRetentionDays,
    historyDays: space.historyDays,
    remoteBytes: space.remoteBytes,
  },
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
export async function createSpace(databases: Databases, input: NewSpace, by: By): Promise<Space> {
  const { now } = by;
  const space: Space = {
    id: ulid(now),
    name: input.name,
    tenantId: input.tenantId ?? null,
    trashRetentionDays: input.plan?.trashRetentionDays ?? TRASH.retentionDefaultDays,
    historyDays: input.plan?.historyDays ?? HISTORY.defaultDays,
    ...INITIAL_SETTINGS,
    remoteBytes: input.plan?.remoteBytes ?? REMOTE.bytesDefault,
    createdAt: now,
    removedAt: null,
  };
  const names = [...new Set([space.name, ...(space.tenantId ? [space.tenantId] : [])])];
  const { db, shard, directory } = databases;
  if (directory === null) {
    if (!(await insertSpace(db, space, names, by))) throw nameTaken(names);
    return space;
  }
  if (!(await claimPlace(directory, { spaceId: space.id, shard, names }, now))) throw nameTaken(names);
  await insertOnShard(db, shard, space, names, by);
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
  by: By,
): Promise<Space> {
  const name = change.name ?? space.name;
  if (directory !== null && name !== space.name && !(await claimName(directory, space.id, name, by.now)))
    throw nameTaken([name]);
  const trashRetentionDays = change.plan?.trashRetentionDays ?? space.trashRetentionDays;
  const historyDays = change.plan?.historyDays ?? space.historyDays;
  const remoteBytes = change.plan?.remoteBytes ?? space.remoteBytes;
  const changed = await updateSpace(db, space, { name, trashRetentionDays, historyDays, remoteBytes }, by);
  if (!changed) throw nameTaken([name]);
  return changed;
}

/** Hides the space and frees its names. The sweep removes its content. @throws ApiError NOT_FOUND */
export async function removeSpace({ db, directory }: Databases, space: Space, by: By): Promise<void> {
  if (!(await markSpaceRemoved(db, space, by))) throw notFound("The space");
  if (directory !== null) await freeNames(directory, space.id);
}

/** Changes the given settings and leaves the others. @throws ApiError NOT_FOUND */
export async function changeSettings(
  db: Database,
  space: Space,
  change: SettingsChange,
  by: By,
): Promise<Space> {
  const settings = columnsAfter(space, change);
  const changes = differing(space, settings);
  const effects = {
    invalidatedAt: changes.some((name) => SETTINGS[name].isAnswered) ? by.now : null,
    looksAgain: settings.suggestFocalPoint && !space.suggestFocalPoint,
  };
  const changed = await updateSettings(db, space, settings, effects, { by, changed: changes });
  if (!changed) throw notFound("The space");
  forgetRemoteSpace(space.id);
  return changed;
}
