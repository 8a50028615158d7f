/**
 * Leads of a list: the index rows of a condition that may match few records. Rows that have the order of the list already
 * are read in it. Others are counted first, up to a bound. If there are fewer, they are read and sorted; else the index of
 * the sort is walked.
 */
import { sql, type SQL } from "drizzle-orm";
import { isList, isUnique } from "../../../content/field-types/fields.ts";
import type { AnyOf, Condition, RelationFilter, Scalar } from "../../../content/query/list-query.ts";
import {
  asMirrored,
  conditionOn,
  isSparse,
  mirroredRows,
  needsRow,
  prefixEnd,
  type MirroredFilter,
} from "./record-filters.ts";
import { fieldOfNumber } from "../../../content/locales/numbers.ts";
import { asDouble, int, NULL_VALUE } from "../records/record-index.ts";

export interface Lead {
  /** Conditions that its rows already fulfil, so that they are not checked on the records. */
  decides: readonly Condition[];
  /** Common table expressions that the other parts use. */
  tables: SQL[];
  /** The rows `d`, one per record, with the record's number in the column `record`. */
  from: SQL;
  where: SQL[];
  /** The same rows in order of `seq`, which the index gives where `while` holds. Null if it gives another order. */
  inOrder: { from: SQL; where: SQL[]; while: SQL } | null;
  /** The number of rows, up to `max + 1`. */
  count(max: number): SQL;
}

/**
 * Returns whether a filter is an equality in the index. There, `contains` is used for lists only, which have a row per
 * item.
 */
const isEquality = ({ operator }: MirroredFilter): boolean => operator === "eq" || operator === "contains";

/** The rank of the filter by the locale in which a reader sees records: most of a model's are published in it. */
const LOCALE_RANK = 7;

/** Returns whether a filter asks in which locale records are published. */
const isOfLocale = ({ target: { field } }: MirroredFilter): boolean =>
  isSparse(field) && fieldOfNumber(field.no) === 0;

const isSeen = (condition: Condition): boolean => {
  const mirrored = asMirrored(condition);
  return mirrored !== null && isOfLocale(mirrored);
};

const NEVER: readonly string[] = ["ne", "nin", "null", "all"];

/**
 * Returns the rank of a filter. A lower one means probably fewer matches. A list field has several rows per record, so
 * only equality may lead.
 */
function rankOfFilter(filter: MirroredFilter): number {
  const { field } = filter.target;
  if (isOfLocale(filter)) return LOCALE_RANK;
  if (isEquality(filter)) return isUnique(field) ? 0 : 1;
  if (NEVER.includes(filter.operator) || isList(field)) return Infinity;
  return filter.operator === "in" ? 3 : 5;
}

function rankOf(condition: Condition): number {
  const mirrored = asMirrored(condition);
  if (mirrored) return rankOfFilter(mirrored);
  if (condition.kind === "relation") {
    const inner = asMirrored(condition.filter);
    return inner ? rankOfFilter(inner) + 1.5 : Infinity;
  }
  if (condition.kind !== "anyOf" || !leadsOfGroups(condition)) return Infinity;
  return condition.groups.every((group) => group.every(isSeen)) ? LOCALE_RANK : 4;
}

/** Returns the condition that can lead and probably matches the fewest records; null if none can lead. */
export function bestLead(conditions: readonly Condition[]): Condition | null {
  const ranked = conditions.map((condition) => ({ condition, rank: rankOf(condition) }));
  const [first] = ranked.filter(({ rank }) => rank < Infinity).sort((a, b) => a.rank - b.rank);
  return first?.condition ?? null;
}

export type OneField = [MirroredFilter, ...MirroredFilter[]];

/**
 * Returns the filter and others on the same field, which narrow its index range. Filters on a list field are not
 * combined.
 */
export function withSameField(conditions: readonly Condition[], lead: MirroredFilter): OneField {
  const { field } = lead.target;
  if (isList(field)) return [lead];
  const others = conditions.map(asMirrored).filter((filter) => filter !== null && filter !== lead);
  const own = others.filter((filter) => filter?.target.field.no === field.no && needsRow(filter));
  return [lead, ...own] as OneField;
}

const countOf = (from: SQL, where: SQL[], max: number): SQL => sql`
  (SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${sql.join(where, sql` AND `)} LIMIT ${int(max + 1)}))`;

function leadOfField(modelId: number, filters: OneField): Lead {
  const from = sql`record_values d`;
  const where = [mirroredRows("d", modelId, filters)];
  return {
    decides: filters,
    tables: [],
    from,
    where,
    // The rows of one value stand in order of their record.
    inOrder: isEquality(filters[0]) ? { from, where, while: sql`1` } : null,
    count: (max) => countOf(from, where, max),
  };
}

/** Returns a table of the matching targets, at most `max + 1`, and two where there are two. */
const targetsTable = (
  name: string,
  { modelId, also }: RelationFilter,
  inner: MirroredFilter,
  max: number,
): SQL => sql`
  ${sql.raw(name)} AS MATERIALIZED (SELECT t.id FROM record_values tv CROSS JOIN records t ON t.seq = tv.record
    WHERE ${mirroredRows("tv", modelId, [inner])} ${also ? sql`AND ${conditionOn(also, sql.raw("t"))}` : sql``} LIMIT ${int(Math.max(max, 1) + 1)})`;

/**
 * Returns the lead of a filter through a relation. It looks up the matching targets first, and is too large above
 * `max`.
 */
function leadOfRelation(
  modelId: number,
  condition: RelationFilter,
  inner: MirroredFilter,
  max: number,
): Lead {
  const rows = sql`record_values d`;
  const ofField = sql`d.model_id = ${int(modelId)} AND d.field = ${int(condition.relation.no)}`;
  const found = sql`d.value IN (SELECT id FROM targets)`;
  return {
    decides: [condition],
    tables: [targetsTable("targets", condition, inner, max)],
    from: sql`(SELECT DISTINCT d.record FROM ${rows} WHERE ${ofField} AND ${found}) d`,
    where: [],
    inOrder: {
      from: rows,
      where: [ofField, sql`d.value = (SELECT id FROM targets)`],
      while: sql`(SELECT count(*) FROM targets) <= 1`,
    },
    count: (few) => sql`max((SELECT count(*) FROM targets), ${countOf(rows, [ofField, found], few)})`,
  };
}

interface IndexRange {
  field: number;
  low: Scalar | null;
  /** The upper bound; null for the end of the field's values. */
  high: Scalar | null;
}

/** Returns index ranges that contain all records that match a filter, and perhaps others. */
function rangesOfFilter({ target, operator, values }: MirroredFilter): IndexRange[] {
  const field = target.field.no;
  const [first = ""] = values;
  switch (operator) {
    case "gt":
    case "gte":
      return [{ field, low: first, high: typeof first === "number" ? "" : null }];
    case "lt":
    case "lte":
      return [{ field, low: null, high: first }];
    case "startsWith":
      return [{ field, low: first, high: prefixEnd(String(first)) }];
    default: // eq, in, and contains of a list
      return values.map((value) => ({ field, low: value, high: value }));
  }
}

interface GroupLeads {
  ranges: IndexRange[];
  relations: { condition: RelationFilter; inner: MirroredFilter }[];
}

/** Returns the best lead of each group; null if a group has no condition that can lead. */
function leadsOfGroups({ groups }: AnyOf): GroupLeads | null {
  const leads: GroupLeads = { ranges: [], relations: [] };
  for (const group of groups) {
    const condition = bestLead(group);
    if (!condition) return null;
    const mirrored = asMirrored(condition);
    if (mirrored) leads.ranges.push(...rangesOfFilter(mirrored));
    const inner = condition.kind === "relation" ? asMirrored(condition.filter) : null;
    if (condition.kind === "relation" && inner) leads.relations.push({ condition, inner });
  }
  // D1 allows five terms in a compound SELECT. The ranges together are one of them.
  return leads.relations.length < COMPOUND_TERMS_MAX ? leads : null;
}

const COMPOUND_TERMS_MAX = 5;

function leadOfGroups(modelId: number, { ranges, relations }: GroupLeads, max: number): Lead {
  const named = relations.map((one, index) => ({ ...one, name: `targets${index}` }));
  const ofRelations = named.map(
    ({ condition, name }) => sql`SELECT v.record FROM record_values v WHERE v.model_id = ${int(modelId)}
      AND v.field = ${int(condition.relation.no)} AND v.value IN (SELECT id FROM ${sql.raw(name)})`,
  );
  const ofRanges = sql`SELECT v.record FROM json_each(${JSON.stringify(ranges)}) g
    CROSS JOIN record_values v ON v.model_id = ${int(modelId)} AND v.field = g.value ->> 'field'
      AND v.value >= coalesce(${asDouble(sql`g.value ->> 'low'`)}, -9e999)
      AND v.value <= coalesce(${asDouble(sql`g.value ->> 'high'`)}, ${NULL_VALUE})`;
  const rows = sql.join([ofRanges, ...ofRelations], sql` UNION ALL `);
  return {
    decides: [],
    tables: named.map(({ name, condition, inner }) => targetsTable(name, condition, inner, max)),
    from: sql`(SELECT DISTINCT record FROM (${rows})) d`,
    where: [],
    inOrder: null,
    count: (few) => {
      const counts = named.map(({ name }) => sql`(SELECT count(*) FROM ${sql.raw(name)})`);
      return sql`max(0, ${sql.join([...counts, countOf(sql`(${rows})`, [sql`1`], few)], sql`, `)})`;
    },
  };
}

/** Returns the lead for a list, if there is one. @param max the largest number of matches for which it is used */
export function leadOf(modelId: number, conditions: readonly Condition[], max: number): Lead | null {
  const best = bestLead(conditions);
  if (!best) return null;
  const mirrored = asMirrored(best);
  if (mirrored) return leadOfField(modelId, withSameField(conditions, mirrored));
  if (best.kind === "relation") {
    const inner = asMirrored(best.filter);
    return inner && leadOfRelation(modelId, best, inner, max);
  }
  const leads = best.kind === "anyOf" ? leadsOfGroups(best) : null;
  return leads && leadOfGroups(modelId, leads, max);
}
