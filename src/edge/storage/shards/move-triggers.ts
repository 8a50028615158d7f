/**
 * Triggers on all tables of spaces, made from the list of tables when the first space of a database is moved, and
 * dropped when none is: an ordinary write pays nothing for them. For a space that is leaving, they note the written
 * rows, so that they are copied once more. For one whose writes are refused, or that is not here, they fail the
 * statement, and with it its batch: a write that goes to the wrong database is never lost, whoever makes it and
 * whatever it remembers.
 *
 * Each is one line in capitals, as D1 was seen to split others (scripts/deploy/README.md).
 */
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { guard } from "../database/guard.ts";
import { batchSql } from "../database/database.ts";
import { CLOSED_MESSAGE, spaceOfRow } from "./space-rows.ts";
import { SPACE_TABLES, type SpaceTable } from "./tables.ts";

const PREFIX = "move_";
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

const unitOf = ({ unit }: SpaceTable, row: string): string =>
  `json_array(${unit.map((column) => `${row}.${column}`).join(", ")})`;

/** Writes the part of a trigger that fails the statement if writes of the space of `row` are refused here. */
const refuse = (table: SpaceTable, row: string): string =>
  `SELECT RAISE(ABORT, '${CLOSED_MESSAGE}') FROM space_moves m WHERE m.space_id = ${spaceOfRow(table, row)} AND m.bypass = 0 ` +
  `AND (m.state IN ('left', 'arriving') OR (m.state = 'leaving' AND m.closed_until > ${NOW}));`;

/**
 * Notes the unit of `row` for the move of its space; for all that go on if its record or model is gone already. A unit that
 * was noted before is noted anew, behind what may have been copied: two statements, because the `OR` of the statement that
 * fires a trigger would override that of the trigger.
 */
function note(table: SpaceTable, row: string, only = ""): string {
  const owner = spaceOfRow(table, row);
  const unit = unitOf(table, row);
  const noted = (where: string): string =>
    `DELETE FROM move_touches WHERE table_name = '${table.name}' AND unit = ${unit} ` +
    `AND space_id IN (SELECT m.space_id FROM space_moves m WHERE ${where}); ` +
    `INSERT INTO move_touches (space_id, table_name, unit) SELECT m.space_id, '${table.name}', ${unit} ` +
    `FROM space_moves m WHERE ${where};`;
  const ofOwner = noted(`m.space_id = ${owner} AND m.state = 'leaving'${only}`);
  if (!owner.startsWith("(")) return ofOwner;
  return `${ofOwner} ${noted(`m.state = 'leaving' AND ${owner} IS NULL${only}`)}`;
}

function triggersOf(table: SpaceTable): string[] {
  const trigger = (on: "INSERT" | "UPDATE" | "DELETE", body: string): string =>
    `CREATE TRIGGER ${PREFIX}${table.name}_${on.toLowerCase()} AFTER ${on} ON ${table.name} BEGIN ${body} END`;
  const isOther = ` AND ${unitOf(table, "OLD")} <> ${unitOf(table, "NEW")}`;
  return [
    trigger("INSERT", `${refuse(table, "NEW")} ${note(table, "NEW")}`),
    trigger("UPDATE", `${refuse(table, "NEW")} ${note(table, "NEW")} ${note(table, "OLD", isOther)}`),
    trigger("DELETE", `${refuse(table, "OLD")} ${note(table, "OLD")}`),
  ];
}

const TEXTS = SPACE_TABLES.flatMap(triggersOf);

function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Names the texts of the triggers: a copy that was begun under others does not know all changes. */
export const EDITION = hashOf(TEXTS.join("\n") + JSON.stringify(SPACE_TABLES));

const present = async (db: Database): Promise<{ name: string; sql: string }[]> =>
  db.all(sql`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB ${`${PREFIX}*`}`);

const drops = (found: { name: string }[]) =>
  found.map(({ name }) => sql.raw(`DROP TRIGGER IF EXISTS ${name}`));

/** The index by which a trigger finds the unit that it has noted before. It is made and dropped with the triggers. */
const INDEX = `${PREFIX}touches_by_unit`;

/** Makes the triggers, or replaces those of another edition, in one transaction. */
export async function armTriggers(db: Database): Promise<void> {
  const found = await present(db);
  const texts = new Set(found.map((one) => one.sql));
  if (found.length === TEXTS.length && TEXTS.every((text) => texts.has(text))) return;
  await batchSql(db, [
    sql.raw(`CREATE INDEX IF NOT EXISTS ${INDEX} ON move_touches (unit, table_name)`),
    ...drops(found),
    ...TEXTS.map((text) => sql.raw(text)),
  ]);
}

/**
 * Drops the triggers, if no space is moved, nor has left so lately that something may still write to it here. The
 * condition holds in the same transaction, so a move that starts at the same time makes them again.
 * @throws the guard's error when one is moved
 */
export async function disarmTriggers(db: Database, leftBefore: number): Promise<boolean> {
  const found = await present(db);
  if (found.length === 0) return false;
  await batchSql(db, [
    guard(sql`NOT EXISTS (SELECT 1 FROM space_moves WHERE state IN ('leaving', 'arriving')
      OR (state = 'left' AND (swept_at IS NULL OR ended_at > ${leftBefore})))`),
    ...drops(found),
    sql.raw(`DROP INDEX IF EXISTS ${INDEX}`),
  ]);
  return true;
}
