/** The SQL by which the rows of a space are found in a table. */
import { sql, type SQL } from "drizzle-orm";
import type { SpaceTable } from "./tables.ts";

/** The error of a write that a move refuses, as D1 says it (RULES 12.7). */
const CLOSED = "space_moves.closed";
export const CLOSED_MESSAGE = CLOSED;

/** Returns whether a write was refused because its space is being moved. D1 gives no code, so the message is examined. */
export const isSpaceClosed = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause) if (e.message.includes(CLOSED)) return true;
  return false;
};

/** Returns the space of a row, whose columns stand behind `row`. Null for a row whose record or model is gone. */
export function spaceOfRow({ by, space, columns }: SpaceTable, row: string): string {
  if (columns.includes(space)) return `${row}.${space}`;
  switch (by) {
    case "space":
      return `${row}.${space}`;
    case "model":
      return `(SELECT space_id FROM models WHERE id = abs(${row}.model_id))`;
    case "record":
      return `(SELECT space_id FROM records WHERE seq = ${row}.record)`;
    case "object":
      return `substr(${row}.key, 3, 26)`;
    default:
      return by satisfies never;
  }
}

/**
 * Returns the condition that a space stands on this database, for the sweep: the rows of one that has left, or that is
 * being copied to here, are not its own (RULES 12.7).
 */
export const standsHere = (spaceId: SQL): SQL =>
  sql`coalesce(${spaceId}, '') NOT IN (SELECT space_id FROM space_moves WHERE state IN ('left', 'arriving'))`;

/** Returns the same for a row with the number of its model, which is negative in published contents. */
export const modelStandsHere = (modelId: SQL): SQL =>
  standsHere(sql`(SELECT sm.space_id FROM models sm WHERE sm.id = abs(${modelId}))`);
