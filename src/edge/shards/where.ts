/**
 * Finds the database of a space. An isolate asks the directory once per space, and remembers the answer. With one
 * database, the directory is never asked.
 */
import { CACHE, MOVE, SHARDS } from "../../limits.ts";
import type { QueryCount } from "../storage/database/database.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import { readDatabase, type ReadDatabase } from "../storage/database/read-database.ts";
import { readTombstone } from "../storage/shards/switch.ts";
import { readPlace, readPlaceOfPrimary, readPlaces, type SpaceReference } from "../storage/shards/places.ts";
import { databaseCount, directoryD1, shardD1, type DatabaseBindings } from "./bindings.ts";
import { settle } from "./settle.ts";

interface Place {
  spaceId: string;
  shard: number;
}

interface Known {
  spaceId: string;
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
  const known = { spaceId, shard, askedAt: now };
  if ("name" in space) byName.set(space.name, known, now);
  byId.set(spaceId, known, now);
}

/** Whether this isolate has asked for all places, which it does once. */
let hasAskedForAll = false;

/**
 * Has this isolate remember where all spaces stand, or those of 500 names of spaces. Without it, each of many short-lived isolates
 * would ask the directory for each space. What it says is confirmed by the look itself: one that fails asks the primary.
 */
async function rememberAll(directory: ReadDatabase): Promise<void> {
  hasAskedForAll = true;
  const now = Date.now();
  for (const { name, spaceId, shard } of await readPlaces(directory, SHARDS.placesAtOnceMax)) {
    const known = { spaceId, shard, askedAt: 0 };
    if (byName.get(name, now) === undefined) byName.set(name, known, now);
    if (byId.get(spaceId, now) === undefined) byId.set(spaceId, known, now);
  }
}

/** Asks for the database of a space. Null when no space has the name or id, which is not remembered. */
async function ask(
  env: DatabaseBindings,
  space: SpaceReference,
  count: QueryCount,
  isOfPrimary: boolean,
): Promise<Place | null> {
  const directory = readDatabase(directoryD1(env), count);
  if (!hasAskedForAll && !isOfPrimary) {
    await rememberAll(directory);
    const known = recall(space, Date.now());
    if (known) return known;
  }
  const place = await (isOfPrimary ? readPlaceOfPrimary : readPlace)(directory, space);
  if (place) remember(space, place);
  return place;
}

/** Returns where a space went that has left `place`; null if it has not. */
async function follow(
  env: DatabaseBindings,
  space: SpaceReference,
  { spaceId, shard }: Place,
  count: QueryCount,
): Promise<Place | null> {
  const tombstone = await readTombstone(readDatabase(shardD1(env, shard), count), spaceId);
  if (!tombstone) return null;
  // A crash has come between the switch and its end, or comes just now.
  if (tombstone.settledAt === null && tombstone.endedAt < Date.now() - MOVE.settleMs)
    await settle(env, shard, tombstone, count);
  const place = { spaceId, shard: tombstone.other };
  remember(space, place);
  return place;
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
 * may belong to another space now: the directory's primary is asked, and the look is repeated if the place is another. A
 * database that the space has left says where it went (RULES 12.7), and the look is repeated there.
 */
export async function lookInSpace<T>(
  env: DatabaseBindings,
  space: SpaceReference,
  count: QueryCount,
  look: (shard: number, isAgain: boolean) => Promise<T>,
  { isFound, againAfterMs = 0, ...options }: Looking<T>,
): Promise<T> {
  if (databaseCount(env) === 1) return look(0, false);
  const nowhere = (): Promise<T> => ("absent" in options ? Promise.resolve(options.absent) : look(0, false));
  const known = recall(space, Date.now());
  const first = known ?? (await ask(env, space, count, false));
  if (!first) return nowhere();
  let found = await look(first.shard, false);
  if (isFound(found) || (known && Date.now() < known.askedAt + againAfterMs)) return found;
  let place: Place = first;
  if (known) {
    forget(space);
    const now = await ask(env, space, count, true);
    if (!now) return "absent" in options ? options.absent : look(0, true);
    if (now.shard !== place.shard) found = await look(now.shard, true);
    place = now;
  }
  for (let hop = 0; hop < SHARDS.hopsMax && !isFound(found); hop++) {
    const next = await follow(env, space, place, count);
    if (!next) break;
    place = next;
    found = await look(place.shard, true);
  }
  return found;
}

/** Returns the number of the database of a space, for work that knows the space by its id. One that is gone has 0. */
export async function shardOfSpace(env: DatabaseBindings, spaceId: string): Promise<number> {
  if (databaseCount(env) === 1) return 0;
  const space = { id: spaceId };
  const count = { queries: 0 };
  let place: Place | null = byId.get(spaceId, Date.now()) ?? (await ask(env, space, count, false));
  for (let hop = 0; place && hop < SHARDS.hopsMax; hop++) {
    const next = await follow(env, space, place, count);
    if (!next) break;
    place = next;
  }
  return place?.shard ?? 0;
}

/**
 * Returns the database of a space. It is asked each time whether the space has left it: rows that the work does not
 * find there would be taken for removed.
 */
export function d1OfSpace(env: DatabaseBindings, spaceId: string): D1Database | Promise<D1Database> {
  if (databaseCount(env) === 1) return shardD1(env, 0);
  return shardOfSpace(env, spaceId).then((shard) => shardD1(env, shard));
}
