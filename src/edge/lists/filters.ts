/** Filters as they are asked for (RULES 3.4): looked up, checked and parsed; nothing is made of names here. */
import { CONTENT } from "../../limits.ts";
import { fold } from "../../content/search/fold.ts";
import type { AnyOf, Condition, Filter, RelationFilter, Scalar } from "../../content/query/list-query.ts";
import type { Model } from "../../content/model/model.ts";
import { rowsOf, STATUSES, type Content } from "../../content/model/publication.ts";
import { isOperator, OPERATORS, type Operator } from "../../content/query/operators.ts";
import { invalidParameter, targetOf, valueKindOf, type ValueKind } from "../../content/query/list-targets.ts";
import type { AskedFilter } from "./asked-filters.ts";
import { filterValues } from "./filter-values.ts";

const COMPARING: readonly Operator[] = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "null"];
const TEXT: readonly Operator[] = [...COMPARING, "contains", "icontains", "startsWith"];
const MATCHING: readonly Operator[] = ["eq", "ne", "in", "nin", "null"];

const ALLOWED: Record<ValueKind, readonly Operator[]> = {
  text: TEXT,
  number: COMPARING,
  boolean: MATCHING,
  datetime: COMPARING,
  time: COMPARING,
  id: MATCHING,
  status: MATCHING,
  list: ["contains", "in", "nin", "all", "null"],
  json: ["null"],
};

/** The operator that a parameter names. @throws ApiError INVALID_PARAMETER when it does not suit the values */
export function operatorOf(parameter: string, name: string, kind: ValueKind): Operator {
  if (!isOperator(name)) throw invalidParameter(parameter, `must use one of ${OPERATORS.join(", ")}`);
  if (ALLOWED[kind].includes(name)) return name;
  throw invalidParameter(parameter, `must use one of ${ALLOWED[kind].join(", ")} for this field`);
}

/** Collections that relations lead to, by name. */
export type RelatedModels = ReadonlyMap<string, Model>;

const RELATED = /^([^.]+)\.(.*)$/s;

/** @throws ApiError INVALID_PARAMETER for a value that no record has */
function checkStatuses(parameter: string, values: readonly Scalar[]): void {
  if (values.every((value) => (STATUSES as readonly unknown[]).includes(value))) return;
  throw invalidParameter(parameter, `must be one of ${STATUSES.join(", ")}`);
}

function parseFilter(model: Model, asked: AskedFilter, field = asked.field): Filter {
  const target = targetOf(model, field, asked.parameter);
  const kind = valueKindOf(target);
  const { parameter } = asked;
  const operator = operatorOf(parameter, asked.operator, kind);
  const values = filterValues(asked, operator, kind);
  if (kind === "status" && operator !== "null") checkStatuses(asked.parameter, values);
  if (operator === "icontains" && target.kind === "field" && target.field.type === "enum") {
    const holding = target.field.values.filter((value) => fold(value).includes(String(values[0])));
    return { kind: "filter", parameter, target, operator: "in", values: holding };
  }
  return { kind: "filter", parameter, target, operator, values };
}

/**
 * The question whether a relation has a target, where its collection is read with the caller's rights: a target that is
 * gone is none, as `populate` answers it. Any other filter is left as it is.
 */
function presenceOf(filter: Filter, related: RelatedModels, content: Content): Filter | RelationFilter {
  const { target, operator } = filter;
  if (operator !== "null" || target.kind !== "field" || target.field.type !== "relation") return filter;
  const to = related.get(target.field.to);
  if (!to) return filter;
  const ofTarget: Filter = { ...filter, target: { kind: "system", name: "id", column: "id" } };
  return { kind: "relation", relation: target.field, modelId: rowsOf(to, content), filter: ofTarget };
}

function parseOne(
  model: Model,
  asked: AskedFilter,
  related: RelatedModels,
  content: Content,
): Filter | RelationFilter {
  const [, name = "", below = ""] = RELATED.exec(asked.field) ?? [];
  if (!name) return presenceOf(parseFilter(model, asked), related, content);
  const { parameter } = asked;
  const relation = model.byName.get(name);
  if (relation?.type !== "relation") {
    throw invalidParameter(parameter, `goes through "${name}", which is no relation of this model`);
  }
  if (below.includes(".")) throw invalidParameter(parameter, "may go through one relation only");
  const to = related.get(relation.to);
  if (!to) throw invalidParameter(parameter, "goes through a relation to what takes a key to read");
  return { kind: "relation", relation, modelId: rowsOf(to, content), filter: parseFilter(to, asked, below) };
}

/**
 * Conditions that are to hold together: the groups of `filter[or]` are one of them.
 * @throws ApiError INVALID_PARAMETER
 */
export function parseFilters(
  model: Model,
  asked: readonly AskedFilter[],
  related: RelatedModels = new Map(),
  content: Content = "published",
): Condition[] {
  if (asked.length > CONTENT.filtersMax) {
    throw invalidParameter("filter", `may be given at most ${CONTENT.filtersMax} times`);
  }
  const conditions: Condition[] = [];
  const groups = new Map<number, AnyOf["groups"][number]>();
  for (const one of asked) {
    const parsed = parseOne(model, one, related, content);
    if (one.group === null) conditions.push(parsed);
    else groups.set(one.group, [...(groups.get(one.group) ?? []), parsed]);
  }
  return groups.size === 0 ? conditions : [...conditions, { kind: "anyOf", groups: [...groups.values()] }];
}
