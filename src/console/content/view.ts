/**
 * What a table of records shows: its columns, filters, order and search, as the address keeps them and as the service
 * is asked for them. Pure.
 */
import type { Field, Model } from "../api/models.ts";
import type { RecordsQuery } from "../api/records.ts";
import { CONTENT } from "../../limits.ts";

export interface Filter {
  field: string;
  operator: string;
  value: string;
}

export interface View {
  search: string;
  /** Field name, `-` before it to descend. */
  sort: string;
  filters: Filter[];
  /** Names of columns beside the title. */
  columns: string[];
}

export const SORT_DEFAULT = "-createdAt";
const COLUMNS_DEFAULT = 3;

const TIMES: Field[] = [
  { name: "createdAt", label: "Created", type: "datetime" },
  { name: "updatedAt", label: "Changed", type: "datetime" },
];

export const labelOf = ({ label, name }: Pick<Field, "label" | "name">): string => label ?? name;

/** Every field that a column can show: the model's and the times. */
export const columnsOf = ({ fields }: Pick<Model, "fields">): Field[] => [...fields, ...TIMES];

const TEXTS: readonly Field["type"][] = ["string", "text"];

/** The field that stands first in every row. */
export const titleFieldOf = ({ titleField, fields }: Pick<Model, "titleField" | "fields">): Field | null =>
  fields.find(({ name }) => name === titleField) ?? fields.find(({ type }) => TEXTS.includes(type)) ?? null;

/** A list has no order, and JSON none that means something. */
export const canSort = ({ type, multiple }: Field): boolean => type !== "json" && !multiple;

const OPERATORS: Record<Field["type"], readonly string[]> = {
  string: ["icontains", "eq", "ne", "startsWith", "null"],
  text: ["icontains", "startsWith", "null"],
  number: ["eq", "ne", "gt", "gte", "lt", "lte", "null"],
  boolean: ["eq", "null"],
  datetime: ["gte", "lt", "null"],
  enum: ["eq", "ne", "null"],
  json: ["null"],
  media: ["eq", "null"],
  relation: ["eq", "null"],
};

const OPERATOR_WORDS: Record<string, string> = {
  icontains: "contains",
  startsWith: "starts with",
  eq: "is",
  ne: "is not",
  gt: "is over",
  gte: "is at least",
  lt: "is below",
  lte: "is at most",
  contains: "has",
  null: "is empty",
};

export function operatorsOf({ type, multiple }: Field): [operator: string, words: string][] {
  const names = multiple ? ["contains", "null"] : OPERATORS[type];
  const words = (name: string): string =>
    type === "datetime" && name === "gte"
      ? "is from"
      : type === "datetime" && name === "lt"
        ? "is before"
        : (OPERATOR_WORDS[name] ?? name);
  return names.map((name) => [name, words(name)]);
}

export function readView(model: Model, search: string): View {
  const query = new URLSearchParams(search);
  const known = new Set(columnsOf(model).map(({ name }) => name));
  const title = titleFieldOf(model)?.name;
  const others = model.fields.filter(
    ({ name, type }) => name !== title && type !== "json" && type !== "text",
  );
  const standard = [...others.slice(0, COLUMNS_DEFAULT).map(({ name }) => name), "updatedAt"];
  const columns = query.get("columns")?.split(",") ?? standard;
  const sort = query.get("sort") ?? SORT_DEFAULT;
  return {
    search: query.get("q") ?? "",
    sort: known.has(sort.replace(/^-/, "")) ? sort : SORT_DEFAULT,
    columns: columns.filter((name) => known.has(name)),
    filters: query.getAll("filter").flatMap((text) => {
      const [field = "", operator = "", ...value] = text.split(":");
      return known.has(field) ? [{ field, operator, value: value.join(":") }] : [];
    }),
  };
}

/** What stands behind `?` in the address: what differs from the standard. */
export function writeView(model: Model, { search, sort, filters, columns }: View): string {
  const query = new URLSearchParams();
  if (search) query.set("q", search);
  if (sort !== SORT_DEFAULT) query.set("sort", sort);
  for (const { field, operator, value } of filters)
    query.append("filter", [field, operator, value].join(":"));
  if (columns.join() !== readView(model, "").columns.join()) query.set("columns", columns.join());
  return query.toString();
}

/** A filter whose value is still to be given filters nothing. */
const isWhole = ({ operator, value }: Filter): boolean => operator === "null" || value !== "";

/** A day as the moment it begins here. */
const moment = (day: string): string => new Date(`${day}T00:00`).toISOString();

function valueOf({ operator, value }: Filter, field: Field | undefined): string {
  if (operator === "null") return value || "true";
  return field?.type === "datetime" && /^\d{4}-\d{2}-\d{2}$/.test(value) ? moment(value) : value;
}

/** Whether the service ranks what it finds: then there is no other order. */
export const isRanked = ({ fields }: Pick<Model, "fields">, search: string): boolean =>
  search.trim() !== "" && fields.some(({ searchable }) => searchable === true);

/**
 * What the service is asked for. Words are looked for by its search where the model has fields for it, else in the
 * model's texts, whatever their case and accents.
 */
export function queryOf(model: Model, { search, sort, filters, columns }: View): RecordsQuery {
  const fields = new Map(columnsOf(model).map((field) => [field.name, field]));
  const filter: Record<string, unknown> = {};
  const whole = filters.filter(isWhole);
  for (const one of whole) {
    const before = filter[one.field] as object | undefined;
    filter[one.field] = { ...before, [one.operator]: valueOf(one, fields.get(one.field)) };
  }
  const room = Math.max(0, CONTENT.filtersMax - whole.length);
  const texts = model.fields.filter(({ type }) => TEXTS.includes(type)).slice(0, room);
  const ranked = isRanked(model, search);
  if (!ranked && search.trim() !== "" && texts.length > 0)
    filter["or"] = texts.map(({ name }) => ({ [name]: { icontains: search.trim() } }));
  const shown = columns.flatMap((name) => fields.get(name) ?? []);
  const populate = shown.filter(
    ({ type, multiple }) => (type === "media" || type === "relation") && !multiple,
  );
  return {
    ...(ranked ? { search: search.trim() } : { sort }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(populate.length > 0 && { populate: populate.map(({ name }) => name).join() }),
  };
}
