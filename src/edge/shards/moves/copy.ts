/**
 * The copy of a move: slices of rows from the database that a space leaves to the one where it comes (RULES 12.6). How far
 * it is stands on the new one, and moves on in the batch of each slice. A slice may be made again: it puts the rows of its
 * units in the place of what is there.
 */
import { MOVE } from "../../../limits.ts";
import type { Database } from "../../storage/database/database.ts";
import { batchSql, isUniqueViolation } from "../../storage/database/database.ts";
import {
  addRows,
  comparable,
  dependantsOf,
  goneOf,
  NO_ROWS,
  readHeld,
  readRows,
  replaceRows,
  unchanged,
  type Part,
  type Row,
  type Sum,
} from "../../storage/shards/copy-rows.ts";
import { asMover, isAtStep, nextStep, readMove } from "../../storage/shards/move-state.ts";
import { lackedRecords } from "../../storage/shards/lacked-records.ts";
import { countAfter, countedTo, giveBlock } from "../../storage/shards/row-numbers.ts";
import { SPACE_TABLES, spaceTable, type SpaceTable } from "../../storage/shards/tables.ts";
import { inOrder, partsOf, thatFit, withRecords } from "./parts.ts";
import { forgetTouches, lastTouch, readTouches, type Touch } from "../../storage/shards/touches.ts";
import { countRows, walk, type Unit } from "../../storage/shards/walk-rows.ts";

/** The two databases of a move. */
export interface Sides {
  spaceId: string;
  move: number;
  source: Database;
  target: Database;
  directory: Database;
  /** The numbers of both. */
  from: number;
  to: number;
}

type Sums = Record<string, Sum>;

/** The rounds in which changed rows are removed: how many have begun, and the last change when the present one began. */
interface Clearing {
  rounds: number;
  until: number;
}

const NO_ROUND: Clearing = { rounds: 0, until: 0 };

/** How far a copy is, as it is stored. */
export interface Progress {
  /** The table, and the place in it, where the first copy goes on; null when it is through. */
  walk: { table: number; leg: number; after: Unit | null } | null;
  /** The last change that was copied. */
  drained: number;
  /** The last change whose row was removed from the new side before its copy, because its unique values were in the way. */
  cleared?: number;
  /** The rounds of such removals for the units that are copied next. */
  clearing?: Clearing;
  /**
   * The rows read on the one side, and those that are there on the other one, but for `pending`. Both grow with the
   * copy.
   */
  source: Sums;
  target: Sums;
  /** The last slice, which is read again on the new side before the next one. */
  pending: { table: string; units: readonly Unit[] }[];
  /** The new database counts from above this number: rows with lower ones change nothing for it. */
  countsAbove: number;
  /** The rows there were at the start. */
  total: number;
}

/** Returns the tables whose rows are copied to this database. The directory has all names anyway. */
export const copiedTables = ({ to }: Pick<Sides, "to">): readonly SpaceTable[] =>
  SPACE_TABLES.filter(({ isOfDirectory }) => !(isOfDirectory === true && to === 0));

/** Counts the rows table by table: a call for all of a large space would hold up the others of its database. */
export async function beginning(sides: Sides): Promise<Progress> {
  let total = 0;
  for (const table of copiedTables(sides)) total += await countRows(sides.source, table, sides.spaceId);
  const walk = { table: 0, leg: 0, after: null };
  return { walk, drained: 0, source: {}, target: {}, pending: [], countsAbove: 0, total };
}

type Place = Partial<Pick<Progress, "walk" | "drained" | "cleared" | "clearing">>;

/** Returns the sum of a table. */
export const sumOf = (sums: Sums, { name }: { name: string }): Sum => sums[name] ?? NO_ROWS;

/** Adds rows to the sums of their tables, or takes them away. */
function added(sums: Sums, parts: readonly Part[], rows: readonly Row[][], sign: 1 | -1): Sums {
  const changed = parts.map(({ table }, index): [string, Sum] => {
    const read = (rows[index] ?? []).map((row) => comparable(table, row));
    return [table.name, addRows(sumOf(sums, table), read, sign)];
  });
  return { ...sums, ...Object.fromEntries(changed) };
}

/** A copy under way, as one that works on it holds it. */
export class Copy {
  readonly sides: Sides;
  progress: Progress;
  /** How long it took to count the rows of both sides, in milliseconds; null before they were counted. */
  countMs: number | null = null;
  /** Whether this one has copied units, and not only removed some that were in the way. */
  hasCopied = false;
  #step: number;
  /** The rows of the last slice as the new database has them, if this one has made it. */
  #readBack: Row[][] | null = null;

  constructor(sides: Sides, progress: Progress, step: number) {
    this.sides = sides;
    this.progress = progress;
    this.#step = step;
  }

  /** Adds the last slice to what is known of the new side. */
  async #settled(): Promise<Progress> {
    const { pending, target } = this.progress;
    if (pending.length === 0) return this.progress;
    const parts = pending.map(({ table, units }) => ({ table: spaceTable(table), units }));
    const rows = this.#readBack ?? (await readHeld(this.sides.target, parts));
    return { ...this.progress, pending: [], target: added(target, parts, rows, 1) };
  }

  /** Gives the new database a block of numbers above those of the rows, if it has counted less far. */
  async #makeWay(parts: readonly Part[], rows: readonly Row[][], { countsAbove }: Progress) {
    const highest = parts.reduce((max, { table }, index) => {
      const at = table.columns.indexOf(table.counter ?? "");
      return at < 0 ? max : (rows[index] ?? []).reduce((high, row) => Math.max(high, Number(row[at])), max);
    }, 0);
    if (highest <= countsAbove) return { statements: [], countsAbove };
    const { source, target, directory, to } = this.sides;
    const own = await countedTo(target);
    if (own.lowest >= highest) return { statements: [], countsAbove: own.lowest };
    const counted = Math.max(own.highest, (await countedTo(source)).highest);
    const given = await giveBlock(directory, to, counted);
    return { statements: countAfter(given), countsAbove: given };
  }

  /** Puts `rows` in the place of what the new database has of `parts`. @throws when another works on the copy, too */
  async #put(given: readonly Part[], read: readonly Row[][], place: Place): Promise<void> {
    const { spaceId, target } = this.sides;
    const { parts, rows } = await this.#withDependants(given, read);
    const settled = await this.#settled();
    const held = await readHeld(target, parts);
    const way = await this.#makeWay(parts, rows, settled);
    const progress: Progress = {
      ...settled,
      ...place,
      countsAbove: way.countsAbove,
      source: added(added(settled.source, parts, held, -1), parts, rows, 1),
      target: added(settled.target, parts, held, -1),
      pending: parts.map(({ table, units }) => ({ table: table.name, units })),
    };
    const replaced = parts.flatMap((part, index) => replaceRows(part, rows[index] ?? []));
    await batchSql(target, [
      isAtStep(this.sides, this.#step),
      ...asMover(this.sides, [...way.statements, ...replaced, unchanged(spaceId)]),
      nextStep(this.sides, JSON.stringify(progress)),
    ]);
    this.progress = progress;
    this.#step += 1;
    this.#readBack = await readHeld(target, parts);
  }

  /** Adds the rows that triggers remove on the new side with those that are gone, in the order of the tables. */
  async #withDependants(
    parts: readonly Part[],
    rows: readonly Row[][],
  ): Promise<{ parts: readonly Part[]; rows: readonly Row[][] }> {
    const { source, target, spaceId } = this.sides;
    const more = await dependantsOf(target, parts, rows);
    if (more.length === 0) return inOrder(parts, rows);
    return inOrder([...parts, ...more], [...rows, ...(await readRows(source, more, spaceId))]);
  }

  /** Copies the next slice of the first copy. False when it is through. */
  async walkOn(): Promise<boolean> {
    const { walk: place } = this.progress;
    if (place === null) return false;
    const { source, spaceId } = this.sides;
    const table = copiedTables(this.sides)[place.table];
    if (!table) {
      this.progress = { ...this.progress, walk: null };
      return false;
    }
    const { units, next } = await walk(source, table, spaceId, place);
    if (next === null) {
      this.progress = { ...this.progress, walk: { table: place.table + 1, leg: 0, after: null } };
      return true;
    }
    const copied = table.needsRecord ? await this.#withRecord(units) : units;
    await this.#copy([{ table, units: copied }], { walk: { table: place.table, ...next } });
    return true;
  }

  /** Leaves out the rows of records that have come after their walk: both are noted as changes, and are copied as such. */
  async #withRecord(units: readonly Unit[]): Promise<readonly Unit[]> {
    const lacked = await lackedRecords(
      this.sides,
      units.map(([record = 0]) => record),
    );
    return units.filter(([record = 0]) => !lacked.has(record));
  }

  /** Returns the next changes after one that fit into a slice, and the number of the last one; null if there is none. */
  async #nextTouches(
    after: number,
    prepare: (known: readonly Touch[]) => Promise<readonly Touch[]> | readonly Touch[] = (known) => known,
  ): Promise<{ touches: readonly Touch[]; last: number; isAll: boolean } | null> {
    const { source, spaceId } = this.sides;
    const found = await readTouches(source, spaceId, after);
    const last = found.at(-1);
    if (!last) return null;
    const names = new Set(copiedTables(this.sides).map(({ name }) => name));
    const known = await prepare(found.filter(({ name }) => names.has(name)));
    const touches = await thatFit(this.sides, known);
    if (touches.length < known.length) return { touches, last: touches.at(-1)?.no ?? after, isAll: false };
    return { touches, last: last.no, isAll: found.length < MOVE.touchesPerSlice };
  }

  /** Copies the next rows that were changed after their copy. False when there are no more for now. */
  async catchUp(): Promise<boolean> {
    const { source, spaceId } = this.sides;
    const next = await this.#nextTouches(this.progress.drained, (known) => withRecords(this.sides, known));
    if (next === null) return false;
    const { touches, last, isAll } = next;
    if (touches.length === 0) this.progress = { ...this.progress, drained: last };
    else if (!(await this.#copy(partsOf(touches), { drained: last }))) return true;
    await forgetTouches(source, spaceId, last);
    return !isAll;
  }

  /** Returns units that may be removed until they are copied: of a table changed in place, those that are gone anyway. */
  async #removable(parts: readonly Part[]): Promise<Part[]> {
    const { source, spaceId } = this.sides;
    const rows = await readRows(source, parts, spaceId);
    return parts
      .map((part, index) =>
        part.table.isInPlace ? { ...part, units: goneOf(part, rows[index] ?? []) } : part,
      )
      .filter(({ units }) => units.length > 0);
  }

  /**
   * Copies units. A row may have a name or a unique value that another one had before, whose change is still to be copied.
   * Then the next changed rows are cleared instead, and the units are tried again by the next step.
   * @returns whether the units were copied
   */
  async #copy(parts: readonly Part[], place: Place): Promise<boolean> {
    const { source, spaceId } = this.sides;
    const rows = await readRows(source, parts, spaceId);
    try {
      await this.#put(parts, rows, { ...place, clearing: NO_ROUND });
      this.hasCopied = true;
      return true;
    } catch (error) {
      if (!isUniqueViolation(error) || !(await this.#clear())) throw error;
      return false;
    }
  }

  /**
   * Removes what the new database has of the next changed rows: each is copied once more anyway. How far that is stands in
   * the progress, so one step clears one slice however many rows were changed. A row that is changed meanwhile is noted
   * behind those of the round, and may be the one in the way, so another round follows.
   * @returns false if no changed row is left to remove, or after the last round: writes that go on would have a conflict
   * tried again without end. The next call begins with the first round.
   */
  async #clear(): Promise<boolean> {
    const { source, spaceId } = this.sides;
    const { drained, cleared = 0, clearing = NO_ROUND } = this.progress;
    const round =
      cleared < clearing.until
        ? clearing
        : { rounds: clearing.rounds + 1, until: await lastTouch(source, spaceId) };
    const isOver = round.rounds > MOVE.clearRoundsMax;
    const next = isOver ? null : await this.#nextTouches(Math.max(drained, cleared));
    if (next === null) {
      await this.#put([], [], { clearing: NO_ROUND });
      return false;
    }
    const changed = await this.#removable(partsOf(next.touches));
    // A list for each part: rows of further parts are put behind these (`#withDependants`).
    const none = changed.map(() => []);
    await this.#put(changed, none, { cleared: next.last, clearing: round });
    return true;
  }

  /** Returns whether no other one has gone on with the copy. */
  async isCurrent(): Promise<boolean> {
    const { target, spaceId, move } = this.sides;
    const row = await readMove(target, spaceId);
    return row?.state === "arriving" && row.move === move && row.step === this.#step;
  }

  /** Reads the last slice again on the new side, so that the sums of both sides are those of the same rows. */
  async settle(): Promise<void> {
    this.progress = await this.#settled();
  }
}
