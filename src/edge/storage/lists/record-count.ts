/** Counts the records of a list, exactly up to a bound. */
import { sql, type SQL } from "drizzle-orm";
import { CONTENT } from "../../../limits.ts";
import type { Condition } from "../../../content/query/list-query.ts";
import { recordCondition } from "./record-filters.ts";
import { int } from "../records/record-index.ts";
import { leadOf } from "./record-leads.ts";

/**
 * Counts up to `max + 1`. If a condition can lead, its index rows are counted, and the records are not read if it is
 * the only condition. Otherwise all records are read.
 */
export function countStatement(modelId: number, conditions: readonly Condition[], max: number): SQL {
  const lead = leadOf(modelId, conditions, Number.MAX_SAFE_INTEGER - 1);
  const rest = conditions.filter((condition) => !lead?.decides.includes(condition)).map(recordCondition);
  const isAlone = lead !== null && rest.length === 0;
  const from = lead
    ? sql`${lead.from} ${isAlone ? sql`` : sql`CROSS JOIN records r ON r.seq = d.record`}`
    : sql`records r`;
  const where = lead ? lead.where : [sql`r.model_id = ${int(modelId)}`, sql`r.deleted_at IS NULL`];
  const all = [sql`1`, ...where, ...rest];
  const tables = lead && lead.tables.length > 0 ? sql`WITH ${sql.join(lead.tables, sql`, `)}` : sql``;
  return sql`${tables} SELECT count(*) AS n FROM
    (SELECT 1 FROM ${from} WHERE ${sql.join(all, sql` AND `)} LIMIT ${int(max + 1)})`;
}

export interface Total {
  total: number;
  /** Absent if the total is exact. */
  totalIsExact?: false;
}

/** Returns the total in an answer, made of a count up to one past the bound. */
export const totalOf = (counted: number): Total =>
  counted > CONTENT.countExactMax
    ? { total: CONTENT.countExactMax, totalIsExact: false }
    : { total: counted };
