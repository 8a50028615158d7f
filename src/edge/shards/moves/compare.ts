/** Compares the two sides of a copy before its switch (RULES 12.7). */
import { MOVE } from "../../../limits.ts";
import type { Database } from "../../storage/database/database.ts";
import type { SpaceTable } from "../../storage/shards/tables.ts";
import { countTouchesByTable } from "../../storage/shards/touches.ts";
import { countAllRows, countRows, isWhole } from "../../storage/shards/walk-rows.ts";
import { copiedTables, sumOf, type Copy } from "./copy.ts";

type Counts = readonly [here: number, there: number];

function counted({ progress }: Copy, table: SpaceTable, [here, there]: Counts): string {
  const [copied] = sumOf(progress.source, table);
  return `${table.name}: ${here} rows, ${copied} copied, ${there} there`;
}

/** Counts the rows of both sides: of a large space table by table, because D1 ends a call after 30 seconds. */
async function countsOf(
  { sides: { source, target, spaceId }, progress }: Copy,
  tables: readonly SpaceTable[],
): Promise<Counts[]> {
  const ofSides = <T>(count: (db: Database) => Promise<T>): Promise<[T, T]> =>
    Promise.all([count(source), count(target)]);
  if (progress.total <= MOVE.countedAtOnceMax) {
    const [here, there] = await ofSides((db) => countAllRows(db, tables, spaceId));
    return tables.map((_, index) => [here[index] ?? NaN, there[index] ?? NaN]);
  }
  const counts: Counts[] = [];
  for (const table of tables) counts.push(await ofSides((db) => countRows(db, table, spaceId)));
  return counts;
}

/**
 * Counts the rows of both sides while writes are taken, because that may take longer than they may be refused, and notes how
 * long it took (`countMs`). What was written since the last slice is still to be copied, so the source may differ by at most
 * the number of those changes.
 * @returns what differs, or null
 */
export async function countSides(copy: Copy, clock: () => number): Promise<string | null> {
  await copy.settle();
  const { source, spaceId } = copy.sides;
  const { drained, source: sums } = copy.progress;
  const tables = copiedTables(copy.sides);
  const began = clock();
  const counts = await countsOf(copy, tables);
  copy.countMs = clock() - began;
  const touched = await countTouchesByTable(source, spaceId, drained);
  const changes = (name: string): number => touched.get(name) ?? 0;
  const areParentsCopied = changes("models") + changes("records") === 0;
  for (const [index, table] of tables.entries()) {
    const [here, there] = counts[index] as Counts;
    const [copied] = sumOf(sums, table);
    const changed = changes(table.name);
    // A unit of such a table has any number of rows.
    const mayDiffer = changed > 0 && isWhole(table) ? Infinity : changed;
    // Rows are found by their record or model, which may be new and still to be copied.
    const isFound = table.by === "space" || table.by === "object" || areParentsCopied;
    const isThere = isFound ? there === copied : there <= copied;
    if (!isThere || Math.abs(here - copied) > mayDiffer) return counted(copy, table, [here, there]);
  }
  return null;
}

/**
 * Returns what differs between the two sides while writes are refused: the table, and how. Null when they agree. The sums of
 * what was read and written are compared, and the rows counted once more if that was quick before.
 */
export async function difference(copy: Copy): Promise<string | null> {
  await copy.settle();
  const { progress, countMs } = copy;
  const tables = copiedTables(copy.sides);
  for (const table of tables) {
    const [read, written] = [sumOf(progress.source, table), sumOf(progress.target, table)];
    if (read.join() !== written.join())
      return `${table.name}: ${read.join()} were read, ${written.join()} were written`;
  }
  if (countMs !== null && countMs > MOVE.countInLastSliceMs) return null;
  const counts = await countsOf(copy, tables);
  for (const [index, table] of tables.entries()) {
    const [copied] = sumOf(progress.source, table);
    const both = counts[index] as Counts;
    if (both.some((count) => count !== copied)) return counted(copy, table, both);
  }
  return null;
}
