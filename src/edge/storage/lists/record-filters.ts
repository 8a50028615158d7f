/** Translates filters to SQL. Every value is bound; only field numbers, which come from our rows, are written out. */
import { sql, type SQL } from "drizzle-orm";
import { fold } from "../../../content/search/fold.ts";
import { isList, type StoredField } from "../../../content/field-types/fields.ts";
import { isIndexedAs } from "../../../content/field-types/registry.ts";
import type { Condition, Filter, RelationFilter, Scalar } from "../../../content/query/list-query.ts";
import type { Operator } from "../../../content/query/operators.ts";
import { valueKindOf, type ListTarget } from "../../../content/query/list-targets.ts";
import { CONTENT } from "../../../limits.ts";
import { columnOf } from "../locales/sides.ts";
import { localeOfNumber } from "../../../content/locales/numbers.ts";
import { asDouble, int, NULL_VALUE, pathOf } from "../records/record-index.ts";
import { systemValue } from "./system-values.ts";

const COMPARISON = { gt: sql.raw(">"), gte: sql.raw(">="), lt: sql.raw("<"), lte: sql.raw("<=") } as const;
const isRange = (operator: Operator): operator is keyof typeof COMPARISON => operator in COMPARISON;

/**
 * Returns a bound above every value of the same kind and below null, which is a blob: numbers end where text begins.
 */
const ceilingOf = (value: Scalar): SQL => (typeof value === "number" ? sql.raw("''") : NULL_VALUE);

const listOf = (values: Scalar[]): SQL =>
  sql`(SELECT ${asDouble(sql`value`)} FROM json_each(${JSON.stringify(values)}))`;

const LAST_POINT = 0x10ffff;
const SURROGATES = { first: 0xd800, last: 0xdfff } as const;

/**
 * Returns the smallest text above all texts that begin with `prefix`, in order of code points; null when there is none.
 */
export function prefixEnd(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === LAST_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1;
  return String.fromCodePoint(...points, next);
}

/** Returns a prefix as a range of the index. Null, the empty blob, is above all text. */
export function beginsWith(value: SQL, prefix: string): SQL {
  const end = prefixEnd(prefix);
  return sql`(${value} >= ${prefix} AND ${value} < ${end === null ? NULL_VALUE : sql`${end}`})`;
}

/** Returns a comparison of a value in the index table, where null is the empty blob. */
function mirroredCondition(value: SQL, { operator, values }: Filter, isBounded = false): SQL {
  const [first = ""] = values;
  if (isRange(operator)) {
    const compared = sql`${value} ${COMPARISON[operator]} ${first}`;
    const reachesNull = !isBounded && (operator === "gt" || operator === "gte");
    return reachesNull ? sql`(${compared} AND ${value} < ${ceilingOf(first)})` : compared;
  }
  switch (operator) {
    case "ne":
      return sql`${value} <> ${first}`;
    case "in":
      return sql`${value} IN ${listOf(values)}`;
    case "nin":
      return sql`${value} NOT IN ${listOf(values)}`;
    case "startsWith":
      return beginsWith(value, String(first));
    case "null":
      return first === 1 ? sql`${value} = ${NULL_VALUE}` : sql`${value} < ${NULL_VALUE}`;
    default: // eq, and contains of a list
      return sql`${value} = ${first}`;
  }
}

/** Returns a comparison of a value in the record's own row, where null is NULL. */
export function plainCondition(value: SQL, { operator, values }: Pick<Filter, "operator" | "values">): SQL {
  const [first = ""] = values;
  if (isRange(operator)) return sql`${value} ${COMPARISON[operator]} ${first}`;
  switch (operator) {
    case "ne":
      return sql`${value} IS NOT ${first}`;
    case "in":
      return sql`${value} IN ${listOf(values)}`;
    case "nin":
      return sql`(${value} IS NULL OR ${value} NOT IN ${listOf(values)})`;
    case "startsWith":
      return sql`substr(${value}, 1, ${int(Array.from(String(first)).length)}) = ${first}`;
    case "contains":
      return sql`instr(${value}, ${first}) > 0`;
    case "null":
      return first === 1 ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`;
    default:
      return sql`${value} = ${first}`;
  }
}

/** Returns the whole text of a field in the record `alias`; `absent` for records that are older than the field. */
const textOr = (field: StoredField, alias: SQL, text: SQL, absent: string | null): SQL => sql`
  CASE WHEN json_type(${columnOf(alias, field.no, "data")}, ${pathOf(field)}) IS NULL THEN ${absent} ELSE ${text} END`;

const wholeText = (field: StoredField, alias: SQL): SQL =>
  textOr(
    field,
    alias,
    sql`json_extract(${columnOf(alias, field.no, "data")}, ${pathOf(field)})`,
    field.absent as string | null,
  );

/** Returns the same text as `fold` writes it: with case and accents folded. */
function foldedText(field: StoredField, alias: SQL): SQL {
  const own = sql`coalesce(json_extract(${columnOf(alias, field.no, "folded")}, ${pathOf(field)}),
    lower(json_extract(${columnOf(alias, field.no, "data")}, ${pathOf(field)})))`;
  return textOr(field, alias, own, field.absent === null ? null : fold(field.absent as string));
}

const isCut = (value: Scalar): boolean =>
  typeof value === "string" && Array.from(value).length >= CONTENT.indexedCharacters;

const isText = (target: ListTarget): boolean => target.kind === "field" && isIndexedAs(target.field, "text");

/** Returns whether a filter asks for media that exist. The index rows of removed media stay. */
const isMediaPresence = (target: ListTarget, operator: Operator): boolean =>
  operator === "null" && target.kind === "field" && isIndexedAs(target.field, "media");

/** Returns whether the index rows suffice for a filter. They have only the first characters of a text. */
function isMirrored({ target, operator, values }: Filter): boolean {
  if (target.kind === "system" || operator === "icontains" || isMediaPresence(target, operator)) return false;
  if (operator === "contains") return valueKindOf(target) === "list";
  return !(isText(target) && values.some(isCut));
}

/** Returns whether a filter reads the whole text of a field, which no index has. */
export const readsText = (filter: Filter): boolean => isText(filter.target) && !isMirrored(filter);

/** Returns whether a field has no index row for a record in which it has no value, as in locales but the default. */
export const isSparse = ({ no }: Pick<StoredField, "no">): boolean => localeOfNumber(no) > 0;

/** Operators that records without a value meet, too. */
const MEETS_NULL: readonly Operator[] = ["ne", "nin", "null"];

/** Returns whether only records with an index row of the filter's field can meet it. */
export const needsRow = ({ target, operator, values }: MirroredFilter): boolean =>
  !isSparse(target.field) || !MEETS_NULL.includes(operator) || (operator === "null" && values[0] !== 1);

export type MirroredFilter = Filter & { target: { kind: "field"; name: string; field: StoredField } };

export const asMirrored = (condition: Condition): MirroredFilter | null =>
  condition.kind === "filter" && isMirrored(condition) ? (condition as MirroredFilter) : null;

/**
 * Returns the condition on rows `alias` of record_values for filters of one field, as bounds of an index range. SQLite
 * uses one upper bound, so the one that excludes null is omitted if a filter has a lower one.
 */
export function mirroredRows(
  alias: string,
  modelId: number,
  filters: readonly [MirroredFilter, ...MirroredFilter[]],
): SQL {
  const column = (name: string): SQL => sql.raw(`${alias}.${name}`);
  const hasUpperEnd = filters.some(({ operator }) =>
    ["eq", "in", "startsWith", "lt", "lte"].includes(operator),
  );
  const conditions = filters.map((filter) => mirroredCondition(column("value"), filter, hasUpperEnd));
  return sql`${column("model_id")} = ${int(modelId)} AND ${column("field")} = ${int(filters[0].target.field.no)}
    AND ${sql.join(conditions, sql` AND `)}`;
}

/** Returns a condition on all items of a list together: none is among the values, or every value is among the items. */
function listCondition({ target, operator, values }: MirroredFilter, alias: SQL): SQL {
  const rows = sql`FROM record_values f WHERE f.record = ${alias}.seq AND f.field = ${int(target.field.no)}
    AND f.value IN ${listOf(values)}`;
  if (operator === "nin") return sql`NOT EXISTS (SELECT 1 ${rows})`;
  return sql`(SELECT count(*) ${rows}) = ${int(new Set(values).size)}`;
}

/** Returns the condition that a field of the record `alias` has media that exist, or none. */
function mediaPresence(field: StoredField, isNull: boolean, alias: SQL): SQL {
  const there = sql`EXISTS (SELECT 1 FROM record_values f CROSS JOIN media i ON i.id = f.value
      AND i.space_id = ${alias}.space_id AND i.deleted_at IS NULL
    WHERE f.record = ${alias}.seq AND f.field = ${int(field.no)})`;
  return isNull ? sql`NOT ${there}` : there;
}

function filterCondition(filter: Filter, alias: SQL): SQL {
  const { target, operator, values } = filter;
  if (target.kind === "system") return plainCondition(sql`(${systemValue(alias, target)})`, filter);
  if (operator === "icontains") return sql`instr((${foldedText(target.field, alias)}), ${values[0]}) > 0`;
  if (isMediaPresence(target, operator)) return mediaPresence(target.field, values[0] === 1, alias);
  if (!isMirrored(filter)) return plainCondition(sql`(${wholeText(target.field, alias)})`, filter);
  if (isList(target.field) && (operator === "nin" || operator === "all")) {
    return listCondition(filter as MirroredFilter, alias);
  }
  const ofField = sql`SELECT 1 FROM record_values f
    WHERE f.record = ${alias}.seq AND f.field = ${int(target.field.no)}`;
  if (!needsRow(filter as MirroredFilter)) {
    return sql`NOT EXISTS (${ofField} ${operator === "null" ? sql`` : sql`AND f.value IN ${listOf(values)}`})`;
  }
  return sql`EXISTS (${ofField} AND ${mirroredCondition(sql.raw("f.value"), filter)})`;
}

/** Returns a condition on the existing targets `t` of a relation. Having no target also counts as having no value. */
function relationCondition({ relation, modelId, filter, also }: RelationFilter, alias: SQL): SQL {
  const target = sql`FROM record_values v
    CROSS JOIN records t ON t.model_id = ${int(modelId)} AND t.id = v.value AND t.deleted_at IS NULL
    WHERE v.record = ${alias}.seq AND v.field = ${int(relation.no)}
      ${also ? sql`AND ${conditionOn(also, sql.raw("t"))}` : sql``}`;
  const fits = sql`EXISTS (SELECT 1 ${target} AND ${filterCondition(filter, sql.raw("t"))})`;
  const isNull = filter.operator === "null" && filter.values[0] === 1;
  return isNull ? sql`(${fits} OR NOT EXISTS (SELECT 1 ${target}))` : fits;
}

/** Returns a condition on the record `r`. */
export const recordCondition = (condition: Condition): SQL => conditionOn(condition, sql.raw("r"));

/** Returns a condition on a record by its alias. */
export function conditionOn(condition: Condition, record: SQL): SQL {
  switch (condition.kind) {
    case "filter":
      return filterCondition(condition, record);
    case "relation":
      return relationCondition(condition, record);
    case "anyOf": {
      const groups = condition.groups.map(
        (group) =>
          sql`(${sql.join(
            group.map((one) => conditionOn(one, record)),
            sql` AND `,
          )})`,
      );
      return sql`(${sql.join(groups, sql` OR `)})`;
    }
    default:
      return condition satisfies never;
  }
}
