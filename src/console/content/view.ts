/**
 * The view of a table of records: its columns, filters, order and search. Converts it to and from the console's
 * address, and to the query for the service. Pure.
 */
import { factsOf, titlesFirst } from "../api/field-types.ts";
import type { Field, Model } from "../api/models.ts";
import { isRanked, SORT_DEFAULT, textFilter } from "../api/record-search.ts";
import type { RecordsQuery } from "../api/records.ts";

export interface ViewFilter {
  field: string;
  operator: string;
  value: string;
}

export interface View {
  search: string;
  /** The name of a field, with `-` before it for descending order. */
  sort: string;
  filters: ViewFilter[];
  /** The names of the columns beside the title. */
  columns: string[];
  /** The code of the language in which values are shown; empty for the default. */
  locale: string;
}

const COLUMNS_DEFAULT = 3;

const TIMES: Field[] = [
  { name: "createdAt", label: "Created", type: "datetime" },
  { name: "updatedAt", label: "Changed", type: "datetime" },
];

/** Returns the fields that a column can show: those of the model, and the times. */
export const columnsOf = ({ fields }: Pick<Model, "fields">): Field[] => [...fields, ...TIMES];

/** Returns the field that stands first in every row. */
export const titleFieldOf = ({ titleField, fields }: Pick<Model, "titleField" | "fields">): Field | null =>
  fields.find(({ name }) => name === titleField) ?? fields.find(titlesFirst) ?? null;

/** Returns whether records can be sorted by a field. Lists have no order. */
export const canSort = (field: Field): boolean => factsOf(field).isSorted && !field.multiple;

export function readView(model: Model, search: string): View {
  const query = new URLSearchParams(search);
  const known = new Set(columnsOf(model).map(({ name }) => name));
  const title = titleFieldOf(model)?.name;
  const others = model.fields.filter((field) => field.name !== title && factsOf(field).isColumn);
  const standard = [...others.slice(0, COLUMNS_DEFAULT).map(({ name }) => name), "updatedAt"];
  const columns = query.get("columns")?.split(",") ?? standard;
  const sort = query.get("sort") ?? SORT_DEFAULT;
  return {
    search: query.get("q") ?? "",
    locale: query.get("locale") ?? "",
    sort: known.has(sort.replace(/^-/, "")) ? sort : SORT_DEFAULT,
    columns: columns.filter((name) => known.has(name)),
    filters: query.getAll("filter").flatMap((text) => {
      const [field = "", operator = "", ...value] = text.split(":");
      return known.has(field) ? [{ field, operator, value: value.join(":") }] : [];
    }),
  };
}

/** Returns the query of the address, which has the parts of the view that differ from the standard. */
export function writeView(model: Model, { search, sort, filters, columns, locale }: View): string {
  const query = new URLSearchParams();
  if (search) query.set("q", search);
  if (locale) query.set("locale", locale);
  if (sort !== SORT_DEFAULT) query.set("sort", sort);
  for (const { field, operator, value } of filters)
    query.append("filter", [field, operator, value].join(":"));
  if (columns.join() !== readView(model, "").columns.join()) query.set("columns", columns.join());
  return query.toString();
}

/** Returns whether a filter has its value. Without one it is not sent. */
const isWhole = ({ operator, value }: ViewFilter): boolean => operator === "null" || value !== "";

/** Converts a day to the moment when it begins in the reader's time zone. */
const moment = (day: string): string => new Date(`${day}T00:00`).toISOString();

function valueOf({ operator, value }: ViewFilter, field: Field | undefined): string {
  if (operator === "null") return value || "true";
  const isDate = field && factsOf(field).filterInput === "date";
  return isDate && /^\d{4}-\d{2}-\d{2}$/.test(value) ? moment(value) : value;
}

/**
 * Returns the query for the service. Words are searched by the service's search if the model has searchable fields,
 * else in the model's texts, whatever their case and accents.
 */
export function queryOf(model: Model, { search, sort, filters, columns, locale }: View): RecordsQuery {
  const fields = new Map(columnsOf(model).map((field) => [field.name, field]));
  const filter: Record<string, unknown> = {};
  const whole = filters.filter(isWhole);
  for (const one of whole) {
    const before = filter[one.field] as object | undefined;
    filter[one.field] = { ...before, [one.operator]: valueOf(one, fields.get(one.field)) };
  }
  const ranked = isRanked(model, search);
  const or = ranked ? undefined : textFilter(model, search, whole.length);
  if (or) filter["or"] = or;
  const shown = columns.flatMap((name) => fields.get(name) ?? []);
  const populate = shown.filter((field) => factsOf(field).isReference && !field.multiple);
  return {
    // A record that the language lacks is shown by its fallback, and not without a title.
    ...(locale !== "" && { locale, fallback: "true" }),
    ...(ranked ? { search: search.trim() } : { sort }),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(populate.length > 0 && { populate: populate.map(({ name }) => name).join() }),
  };
}
