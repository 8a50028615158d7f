/**
 * Lists by time of creation, read from index rows in order of `seq`. In a model that is not marked as disordered, no active
 * record has a later `created_at` than another one with a higher `seq`, so that both orders are one. An import gives an
 * older record a higher `seq` than newer ones have. A trigger marks the model in the statement that does, and the list asks
 * for the mark in its own statement, so that neither can come between.
 */
import { sql, type SQL } from "drizzle-orm";
import type { ListTarget } from "../../../content/query/list-targets.ts";
import { int } from "../records/record-index.ts";
import { and, isNewestFirst, limitOf, rest, type ListRequest } from "./record-branches.ts";
import type { Lead } from "./record-leads.ts";

const isCreation = (target: ListTarget): boolean =>
  target.kind === "system" && target.column === "created_at";

/**
 * Returns whether a list has the order of creation alone, or its reverse, and all of it. A list between two times of
 * creation is walked between them, and not along the rows of another condition.
 */
export function isByCreation(request: ListRequest): boolean {
  const [sort, ...others] = request.sorts;
  if (!sort || !isCreation(sort.target) || others.length > 0) return false;
  const isBounded = request.conditions.some((one) => one.kind === "filter" && isCreation(one.target));
  return !isBounded && sort.descending === isNewestFirst(request);
}

/** Returns the condition that `seq` has the order of creation in the model of a list. */
export const isOrdered = ({ modelId }: ListRequest): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM disordered_models WHERE model_id = ${int(modelId)})`;

/**
 * Returns the bound at which a page begins. The cursor's record may be gone, and others may have come that its `seq` says
 * nothing about: so the bound is the first active record behind its time and `seq`, as in the other ways to read the list.
 */
function begin(request: ListRequest): SQL[] {
  const { modelId, after } = request;
  if (!after) return [];
  const [createdAt = null, seq = null] = after;
  const [beyond, order, bound] = (isNewestFirst(request) ? ["<", "DESC", "<="] : [">", "ASC", ">="]).map(
    sql.raw,
  );
  const active = sql`SELECT b.seq FROM records b WHERE b.model_id = ${int(modelId)} AND b.deleted_at IS NULL`;
  // Records of the same time come first. An import may give one time to all, and a comparison of both columns would walk
  // them all.
  const first = sql`coalesce(
    (${active} AND b.created_at = ${createdAt} AND b.seq ${beyond} ${seq} ORDER BY b.seq ${order} LIMIT 1),
    (${active} AND b.created_at ${beyond} ${createdAt} ORDER BY b.created_at ${order}, b.seq ${order} LIMIT 1))`;
  return [sql`d.record ${bound} ${first}`];
}

/** Selects the rows of a lead that are in order of `seq`. @param only the condition under which they are read */
export function selectInOrder(
  request: ListRequest,
  { decides }: Lead,
  rows: NonNullable<Lead["inOrder"]>,
  only: SQL,
): SQL {
  const where = [...rows.where, ...begin(request), ...rest(request, decides)];
  const order = sql.raw(isNewestFirst(request) ? "DESC" : "ASC");
  return sql`SELECT r.seq AS seq, r.created_at AS k0 FROM ${rows.from} CROSS JOIN records r ON r.seq = d.record
    WHERE ${and(where)} ORDER BY d.record ${order} LIMIT ${limitOf(request, only)}`;
}
