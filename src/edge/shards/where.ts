/**
 * Finds the database of a space. An isolate asks the directory once per space, and remembers the answer. With one
 * database, the directory is never asked.
 */
import { CACHE } from "../../limits.ts";
import type { QueryCount } from "../storage/database/database.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import { readDatabase } from "../storage/database/read-database.ts";
import { readPlace, readPlaceOfPrimary, type SpaceReference } from "../storage/shards/places.ts";
import { databaseCount, directoryD1, shardD1, type DatabaseBindings } from "./bindings.ts";

interface Known {
  shard: number;
  askedAt: number;
}

const newMap = () => new ExpiringMap<Known>(CACHE.placesMs, CACHE.placesMaxEntries);
const byName = newMap();
const byId = newMap();

const recall = (space: SpaceReference, now: number): Known | undefined =>
  "name" in space ? byName.get(space.name, now) : byId.get(space.id, now);

function forget(space: SpaceReference): void {
  if ("name" in space) byName.delete(space.name);
  else byId.delete(space.id);
}

/** Remembers what this isolate has just written or read. */
function remember(space: SpaceReference, { spaceId, shard }: { spaceId: string; shard: number }): void {
  const now = Date.now();
  const known = { shard, askedAt: now };
  if ("name" in space) byName.set(space.name, known, now);
  byId.set(spaceId, known, now);
}

/** Null when no space has the name or id. That is not remembered. */
async function ask(
  env: DatabaseBindings,
  space: SpaceReference,
  count: QueryCount,
  isOfPrimary: boolean,
): Promise<number | null> {
  const directory = readDatabase(directoryD1(env), count);
  const place = await (isOfPrimary ? readPlaceOfPrimary : readPlace)(directory, space);
  if (place) remember(space, place);
  return place?.shard ?? null;
}

export interface Looking<T> {
  /** Whether the work found what it looked for. */
  isFound: (outcome: T) => boolean;
  /** The outcome if no space has the name or id. Without it, shard 0 is asked all the same. */
  absent?: T;
  /** After a failed look in a remembered place, the directory is asked again unless it was asked so lately. */
  againAfterMs?: number;
}

/**
 * Looks for something in the database of a space. If it is not found where this isolate remembers the space, the name
 * may belong to another space now: the directory's primary is asked, and the look is repeated if the place is another.
 */
export async function lookInSpace<T>(
  env: DatabaseBindings,
  space: SpaceReference,
  count: QueryCount,
  look: (shard: number, isAgain: boolean) => Promise<T>,
  { isFound, againAfterMs = 0, ...options }: Looking<T>,
): Promise<T> {
  if (databaseCount(env) === 1) return look(0, false);
  const lookAt = (shard: number | null, isAgain: boolean): Promise<T> =>
    shard === null && "absent" in options ? Promise.resolve(options.absent) : look(shard ?? 0, isAgain);
  const known = recall(space, Date.now());
  if (!known) return lookAt(await ask(env, space, count, false), false);
  const found = await look(known.shard, false);
  if (isFound(found) || Date.now() < known.askedAt + againAfterMs) return found;
  forget(space);
  const shard = await ask(env, space, count, true);
  return shard === known.shard ? found : lookAt(shard, true);
}

/** Returns the database of a space, for work that knows the space by its id. A space that is gone has shard 0. */
export function d1OfSpace(env: DatabaseBindings, spaceId: string): D1Database | Promise<D1Database> {
  if (databaseCount(env) === 1) return shardD1(env, 0);
  const known = byId.get(spaceId, Date.now());
  if (known) return shardD1(env, known.shard);
  return ask(env, { id: spaceId }, { queries: 0 }, false).then((shard) => shardD1(env, shard ?? 0));
}
