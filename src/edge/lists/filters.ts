/** Parses filters (RULES 3.4): looks their names up in the model, and checks operators and values. */
import { CONTENT } from "../../limits.ts";
import { fold } from "../../content/search/fold.ts";
import type { AnyOf, Condition, Filter, RelationFilter, Scalar } from "../../content/query/list-query.ts";
import type { Model } from "../../content/model/model.ts";
import { rowsOf, STATUSES, type Content } from "../../content/model/publication.ts";
import {
  isOperator,
  OPERATORS,
  OPERATORS_OF,
  type Operator,
  type ValueKind,
} from "../../content/query/operators.ts";
import { invalidParameter, targetOf, valueKindOf } from "../../content/query/list-targets.ts";
import { isIndexedAs } from "../../content/field-types/registry.ts";
import { seenCondition } from "./seen.ts";
import type { AskedFilter } from "./asked-filters.ts";
import { filterValues } from "./filter-values.ts";

/** Returns the operator that a parameter names. @throws ApiError INVALID_PARAMETER when it does not suit the values */
export function operatorOf(parameter: string, name: string, kind: ValueKind): Operator {
  if (!isOperator(name)) throw invalidParameter(parameter, `must use one of ${OPERATORS.join(", ")}`);
  const allowed = OPERATORS_OF[kind];
  if (allowed.includes(name)) return name;
  throw invalidParameter(parameter, `must use one of ${allowed.join(", ")} for this field`);
}

/** The collections that relations lead to, by name. */
export type RelatedModels = ReadonlyMap<string, Model>;

const RELATED = /^([^.]+)\.(.*)$/s;

/** Refuses statuses that no record has. @throws ApiError INVALID_PARAMETER */
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
  if (operator === "icontains" && target.kind === "field" && isIndexedAs(target.field, "choice")) {
    const holding = target.field.values.filter((value) => fold(value).includes(String(values[0])));
    return { kind: "filter", parameter, target, operator: "in", values: holding };
  }
  return { kind: "filter", parameter, target, operator, values };
}

/**
 * Converts the question whether a relation has a target into a filter on the targets, if the caller may read their
 * collection: a removed target counts as none, as in the answer of `populate`. Returns any other filter unchanged.
 */
function presenceOf(filter: Filter, related: RelatedModels, content: Content): Filter | RelationFilter {
  const { target, operator } = filter;
  if (operator !== "null" || target.kind !== "field" || !isIndexedAs(target.field, "record")) return filter;
  const to = related.get(target.field.to);
  if (!to) return filter;
  const ofTarget: Filter = { ...filter, target: { kind: "system", name: "id", column: "id" } };
  return { kind: "relation", relation: target.field, ...targetsOf(to, content), filter: ofTarget };
}

/** Returns the rows of a relation's targets, and the condition that a reader of the locale sees them. */
function targetsOf(to: Model, content: Content): Pick<RelationFilter, "modelId" | "also"> {
  const also = seenCondition(to, content);
  return { modelId: rowsOf(to, content), ...(also && { also }) };
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
  if (!relation || !isIndexedAs(relation, "record")) {
    throw invalidParameter(parameter, `goes through "${name}", which is no relation of this model`);
  }
  if (below.includes(".")) throw invalidParameter(parameter, "may go through one relation only");
  const to = related.get(relation.to);
  if (!to) throw invalidParameter(parameter, "goes through a relation to records that you cannot read");
  return { kind: "relation", relation, ...targetsOf(to, content), filter: parseFilter(to, asked, below) };
}

/**
 * Parses the conditions that must all hold. The groups of `filter[or]` are one condition.
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
