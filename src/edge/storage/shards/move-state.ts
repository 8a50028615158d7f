/**
 * Each database's side of a move (RULES 12.6): one row of `space_moves` for a space that comes, goes, came or went. The
 * row of the database that the space leaves decides: once it says `left`, the space stands on the other one.
 */
import { sql, type SQL } from "drizzle-orm";
import type { spaceMoves } from "../../../../schema/tables.ts";
import { batchSql, prepareSql, type Database } from "../database/database.ts";
import { guard } from "../database/guard.ts";
import type { By, Origin } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";

export type MoveRow = typeof spaceMoves.$inferSelect;

/**
 * The time of the database, in milliseconds: the statements that refuse writes and that end the refusal use one clock.
 */
export const NOW = sql.raw("CAST(unixepoch('subsec') * 1000 AS INTEGER)");

const COLUMNS =
  sql.raw(`space_id AS spaceId, move, state, other, closed_until AS closedUntil, bypass, progress, step,
  edition, driven_until AS drivenUntil, started_at AS startedAt, ended_at AS endedAt, settled_at AS settledAt,
  swept_at AS sweptAt, reason`);

/** Returns the condition of the row of a move. */
export const isOf = ({ spaceId, move }: Pick<MoveRow, "spaceId" | "move">): SQL =>
  sql`space_id = ${spaceId} AND move = ${move}`;

export async function readMove(db: Database, spaceId: string): Promise<MoveRow | null> {
  return (
    (await db.get<MoveRow | undefined>(
      sql`SELECT ${COLUMNS} FROM space_moves WHERE space_id = ${spaceId}`,
    )) ?? null
  );
}

/** Says that a space has left this database, and where it went. */
export interface Tombstone {
  spaceId: string;
  move: number;
  /** The number of the database to which it went. */
  other: number;
  /** When the last write was refused here. */
  endedAt: number;
  /** Null while a side of the move may not know of it. */
  settledAt: number | null;
}

/** Runs statements of a move on a database whose triggers refuse the space's writes. */
export const asMover = ({ spaceId }: Pick<MoveRow, "spaceId">, statements: SQL[]): SQL[] => [
  sql`UPDATE space_moves SET bypass = 1 WHERE space_id = ${spaceId}`,
  ...statements,
  sql`UPDATE space_moves SET bypass = 0 WHERE space_id = ${spaceId}`,
];

/** Returns the event of a step of a move. */
export const moveEvent = (
  spaceId: string,
  verb: "moving" | "moved" | "stayed",
  { origin, now }: By,
  { facts, condition }: { facts: Record<string, unknown>; condition: SQL },
): SQL => {
  const name = sql`coalesce((SELECT name FROM spaces WHERE id = ${spaceId}), ${spaceId})`;
  return eventStatement(
    spaceId,
    origin,
    now,
    { action: `space.${verb}`, target: { kind: "space", id: name }, facts },
    condition,
  );
};

/** Begins to leave. False when the space is not here, or a move of it goes on. */
export async function startLeaving(
  db: Database,
  { spaceId, move, other, startedAt }: Pick<MoveRow, "spaceId" | "move" | "other" | "startedAt">,
  origin: Origin,
): Promise<boolean> {
  const isThere = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)`;
  const condition = sql`${isThere} AND NOT EXISTS (SELECT 1 FROM space_moves
    WHERE space_id = ${spaceId} AND NOT (state IN ('here', 'stayed') AND move < ${move}))`;
  const by = { origin, now: startedAt };
  const [, started = []] = await batchSql(db, [
    moveEvent(spaceId, "moving", by, { facts: { shard: other }, condition }),
    sql`INSERT INTO space_moves (space_id, move, state, other, started_at)
      SELECT ${spaceId}, ${move}, 'leaving', ${other}, ${startedAt}
      WHERE ${isThere}
      ON CONFLICT (space_id) DO UPDATE SET move = excluded.move, state = 'leaving', other = excluded.other,
        started_at = excluded.started_at, ended_at = NULL, settled_at = NULL, swept_at = NULL, reason = NULL,
        closed_until = 0, progress = '{}', step = 0, edition = '', driven_until = 0
      WHERE state IN ('here', 'stayed') AND move < excluded.move RETURNING 1`,
  ]);
  return started.length > 0;
}

/** Begins to arrive. False when rows of an earlier stay are not swept yet, or the space is here. */
export async function startArriving(
  db: Database,
  { spaceId, move, other, startedAt }: Pick<MoveRow, "spaceId" | "move" | "other" | "startedAt">,
  edition: string,
  begun: string,
): Promise<boolean> {
  const [started = []] = await batchSql(db, [
    sql`INSERT INTO space_moves (space_id, move, state, other, started_at, edition, progress)
      VALUES (${spaceId}, ${move}, 'arriving', ${other}, ${startedAt}, ${edition}, ${begun})
      ON CONFLICT (space_id) DO UPDATE SET move = excluded.move, state = 'arriving', other = excluded.other,
        started_at = excluded.started_at, edition = excluded.edition, progress = excluded.progress, step = step + 1,
        ended_at = NULL, settled_at = NULL, swept_at = NULL, reason = NULL, closed_until = 0, driven_until = 0
      WHERE swept_at IS NOT NULL AND state = 'left' AND move <= excluded.move RETURNING 1`,
  ]);
  return started.length > 0;
}

/** Refuses writes of the space for `ms`. Only the switch, or their end, changes that. */
export async function closeWrites(
  db: Database,
  row: Pick<MoveRow, "spaceId" | "move">,
  ms: number,
): Promise<void> {
  await db.run(
    sql`UPDATE space_moves SET closed_until = ${NOW} + ${ms} WHERE ${isOf(row)} AND state = 'leaving'`,
  );
}

/** Takes writes again. */
export async function openWrites(db: Database, row: Pick<MoveRow, "spaceId" | "move">): Promise<void> {
  await db.run(sql`UPDATE space_moves SET closed_until = 0 WHERE ${isOf(row)} AND state = 'leaving'`);
}

/** Says why a move does not go on; null when it does. A move that has ended keeps the reason of its end. */
export async function noteReason(
  db: Database,
  row: Pick<MoveRow, "spaceId" | "move">,
  reason: string | null,
): Promise<void> {
  await db.run(sql`UPDATE space_moves SET reason = ${reason}
    WHERE ${isOf(row)} AND state = 'leaving' AND reason IS NOT ${reason}`);
}

/** Ends a move without effect: the space stays. False if it has left. */
export async function stay(
  db: Database,
  row: Pick<MoveRow, "spaceId" | "move">,
  reason: string,
  by: By,
): Promise<boolean> {
  const isLeaving = sql`${isOf(row)} AND state = 'leaving'`;
  const condition = sql`EXISTS (SELECT 1 FROM space_moves WHERE ${isLeaving})`;
  const statements = asMover(row, [
    moveEvent(row.spaceId, "stayed", by, { facts: { reason }, condition }),
    sql`UPDATE space_moves SET state = 'stayed', ended_at = ${by.now}, closed_until = 0, driven_until = 0,
      reason = ${reason} WHERE ${isLeaving} RETURNING 1`,
  ]);
  const stayed = (await batchSql(db, statements))[2] ?? [];
  return stayed.length > 0;
}

/** Has the sweep remove a copy that does not go on. The space stands on the other database. */
export async function dropCopy(db: Database, row: Pick<MoveRow, "spaceId" | "move">): Promise<void> {
  await db.run(sql`UPDATE space_moves SET state = 'left', step = step + 1, ended_at = NULL, settled_at = NULL,
    swept_at = NULL WHERE ${isOf(row)} AND state = 'arriving'`);
}

/** Takes the work on a move for `ms`, unless another does it. Returns the row; null for none that is due. */
export async function takeWork(
  db: Database,
  spaceId: string,
  now: number,
  ms: number,
): Promise<MoveRow | null> {
  const [row] = await db.all<MoveRow>(sql`UPDATE space_moves SET driven_until = ${now + ms}
    WHERE space_id = ${spaceId} AND state = 'leaving' AND driven_until <= ${now} RETURNING ${COLUMNS}`);
  return row ?? null;
}

/** Keeps the work for `ms` more; false when the move has ended. 0 releases it. */
export async function keepWork(
  db: Database,
  row: Pick<MoveRow, "spaceId" | "move">,
  until: number,
): Promise<boolean> {
  const kept = await db.all(sql`UPDATE space_moves SET driven_until = ${until}
    WHERE ${isOf(row)} AND state = 'leaving' RETURNING 1`);
  return kept.length > 0;
}

export interface MoveWork {
  /** Tombstones of which a side of their move may not know. */
  unsettled: Tombstone[];
  /** Spaces that are leaving, and those whose rows are left and may be removed. */
  spaceIds: string[];
}

/** Returns what is to be done on this database, with one query. Rows of copies may go at once, the others after a while. */
export async function listWork(db: Database, endedBefore: number, limit: number): Promise<MoveWork> {
  const rows = await db.all<Tombstone & { state: MoveRow["state"] }>(sql`
    SELECT space_id AS spaceId, move, other, ended_at AS endedAt, settled_at AS settledAt, state FROM space_moves
    WHERE state = 'leaving' OR (state = 'left' AND swept_at IS NULL
      AND (ended_at IS NULL OR settled_at IS NULL OR ended_at <= ${endedBefore}))
    ORDER BY state = 'leaving' DESC, started_at LIMIT ${limit}`);
  const isUnsettled = (row: (typeof rows)[number]): boolean =>
    row.state === "left" && (row.endedAt as number | null) !== null && row.settledAt === null;
  return {
    unsettled: rows.filter(isUnsettled),
    spaceIds: rows.filter((row) => !isUnsettled(row)).map(({ spaceId }) => spaceId),
  };
}

/** Returns a guard for the batches of a copy: it is the copy of this move, and no other has gone on with it. */
export const isAtStep = (row: Pick<MoveRow, "spaceId" | "move">, step: number): SQL =>
  guard(sql`EXISTS (SELECT 1 FROM space_moves WHERE ${isOf(row)} AND state = 'arriving' AND step = ${step})`);

/** Moves a copy on. */
export const nextStep = (row: Pick<MoveRow, "spaceId" | "move">, progress: string): SQL =>
  sql`UPDATE space_moves SET step = step + 1, progress = ${progress} WHERE ${isOf(row)}`;

/** Writes which triggers note the changes of what is copied. */
export async function noteEdition(
  db: Database,
  row: Pick<MoveRow, "spaceId" | "move">,
  edition: string,
): Promise<void> {
  await prepareSql(db, sql`UPDATE space_moves SET edition = ${edition} WHERE ${isOf(row)}`).run();
}
