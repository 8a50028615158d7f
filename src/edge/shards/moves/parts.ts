/** The parts of a slice: units of tables, with their rows. */
import { MOVE } from "../../../limits.ts";
import type { Database } from "../../storage/database/database.ts";
import { dependantSizesOf, sizesOf, type Part, type Row } from "../../storage/shards/copy-rows.ts";
import { lackedRecords } from "../../storage/shards/lacked-records.ts";
import { SPACE_TABLES, spaceTable, type SpaceTable } from "../../storage/shards/tables.ts";
import type { Touch } from "../../storage/shards/touches.ts";
import type { Unit } from "../../storage/shards/walk-rows.ts";

/** Changes by table. */
export function partsOf(touches: readonly Touch[]): Part[] {
  const names = [...new Set(touches.map(({ name }) => name))];
  return names.map((name) => ({
    table: spaceTable(name),
    units: touches.filter((touch) => touch.name === name).map(({ unit }) => unit),
  }));
}

/**
 * Puts the record of a row before it where the new database lacks it: triggers look at it (`needsRecord`). The record may have
 * been changed once more, so that it is noted behind the row; that change is copied with it.
 */
export async function withRecords(
  sides: { source: Database; target: Database },
  touches: readonly Touch[],
): Promise<readonly Touch[]> {
  const needs = ({ name }: Touch): boolean => spaceTable(name).needsRecord === true;
  const lacked = await lackedRecords(
    sides,
    touches.filter(needs).map(({ unit: [record = 0] }) => record),
  );
  const taken = new Set<Unit[number]>();
  return touches.flatMap((touch) => {
    const [record = 0] = touch.unit;
    const isLacked = touch.name === "records" || (needs(touch) && lacked.has(record));
    if (!isLacked) return [touch];
    const isTaken = taken.has(record);
    taken.add(record);
    if (touch.name === "records") return isTaken ? [] : [touch];
    return isTaken ? [touch] : [{ no: touch.no - 1, name: "records", unit: [record] }, touch];
  });
}

/** Returns parts, one for each table, and their rows in the order of the tables. */
export function inOrder(parts: readonly Part[], rows: readonly Row[][]): { parts: Part[]; rows: Row[][] } {
  const names = new Set(parts.map(({ table }) => table.name));
  const tables = SPACE_TABLES.filter(({ name }) => names.has(name));
  const of = <T>(table: SpaceTable, each: (index: number) => readonly T[]): T[] =>
    parts.flatMap((part, index) => (part.table.name === table.name ? each(index) : []));
  return {
    parts: tables.map((table) => ({ table, units: of(table, (index) => parts[index]?.units ?? []) })),
    rows: tables.map((table) => of(table, (index) => rows[index] ?? [])),
  };
}

/**
 * Returns the first changes whose rows fit into a slice: at least one. The rows of both sides count, because a slice reads
 * both, and so do those that go with a row that is gone.
 */
export async function thatFit(
  { source, target }: { source: Database; target: Database },
  touches: readonly Touch[],
): Promise<readonly Touch[]> {
  if (touches.length === 0) return touches;
  const parts = partsOf(touches);
  const [here, there] = await Promise.all([sizesOf(source, parts), sizesOf(target, parts)]);
  const gone = parts.map((part, index) => part.units.filter((_, at) => here[index]?.[at] === 0));
  const more = await dependantSizesOf(
    target,
    parts.map(({ table }, index) => ({ table, units: gone[index] ?? [] })),
  );
  const sizes = parts.map(({ units }, index) => {
    const ofGone = (more[index] ?? []).values();
    return units.map((_, at) => {
      const size = here[index]?.[at] ?? 0;
      return Math.max(size, there[index]?.[at] ?? 0) + (size === 0 ? (ofGone.next().value ?? 0) : 0);
    });
  });
  const next = parts.map(() => 0);
  let left: number = MOVE.sliceMaxCharacters;
  const end = touches.findIndex(({ name }, index) => {
    const part = parts.findIndex(({ table }) => table.name === name);
    const at = next[part] ?? 0;
    next[part] = at + 1;
    left -= sizes[part]?.[at] ?? 0;
    return left < 0 && index > 0;
  });
  return end < 0 ? touches : touches.slice(0, end);
}
