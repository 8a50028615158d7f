/**
 * Makes a switch known (RULES 12.7). The database that a space leaves has decided it with one statement; each further
 * step may be made by any request that finds it missing, again and at once: so a crash after the switch ends with the
 * next request.
 */
import { countedD1, database, type Database, type QueryCount } from "../storage/database/database.ts";
import { readPrimary } from "../storage/database/read-database.ts";
import { carryFolding } from "../storage/shards/folding.ts";
import type { Tombstone } from "../storage/shards/move-state.ts";
import { listArriving, listUnsettled, readTombstone, settling } from "../storage/shards/switch.ts";
import { directoryD1, shardD1, type DatabaseBindings } from "./bindings.ts";

const open = (env: DatabaseBindings, shard: number, count: QueryCount): Database =>
  database(countedD1(shardD1(env, shard), count));

/**
 * Settles a switched move, in an order that matters. The space is read on the new database before it is hidden on the
 * old one, so reads are never refused; it is written on the new one only when no read is answered by the old one any
 * more.
 */
export async function settle(
  env: DatabaseBindings,
  from: number,
  row: Tombstone,
  count: QueryCount = { queries: 0 },
): Promise<void> {
  const source = open(env, from, count);
  const target = open(env, row.other, count);
  await settling.show(target, row);
  await settling.hide(source, row, from === 0);
  await carryFolding(source, target, row);
  await settling.open(target, row, Date.now());
  await settling.place(database(countedD1(directoryD1(env), count)), row);
  await settling.done(source, row, Date.now());
}

/** Settles what a crash has left between a switch and its end, from either database of the move. @returns how many */
export async function settleAll(env: DatabaseBindings, shard: number, limit: number): Promise<number> {
  const count = { queries: 0 };
  const db = open(env, shard, count);
  const left = await listUnsettled(db, limit);
  for (const row of left) await settle(env, shard, row);
  let settled = left.length;
  // Requests that know the new place come to the new database alone, which cannot tell a copy from a space that has come.
  for (const { spaceId, move, other } of await listArriving(db, limit)) {
    const row = await readTombstone(readPrimary(open(env, other, count)), spaceId);
    if (row?.move !== move || row.settledAt !== null) continue;
    await settle(env, other, row);
    settled += 1;
  }
  return settled;
}
