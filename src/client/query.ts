/** Writes query strings for the service: `filter[field][operator]=value`, and lists whose values may contain commas. */

/** Writes a single value of a query. Returns null for a list and an object. @throws TypeError for what cannot be sent */
function textOf(name: string, value: unknown): string | null {
  if (value === undefined || value === null) {
    const hint = name.startsWith("filter[") ? " Ask for what has no value with the operator `null`." : "";
    throw new TypeError(`${name} is ${value}.${hint}`);
  }
  switch (typeof value) {
    case "string":
      return value;
    case "boolean":
    case "bigint":
      return String(value);
    case "number":
      if (Number.isFinite(value)) return String(value);
      throw new TypeError(`${name} is ${value}, which is no number that can be sent.`);
    case "object":
      return value instanceof Date ? timeOf(name, value) : null;
    default:
      throw new TypeError(`${name} is a ${typeof value}, which cannot be sent.`);
  }
}

/** Writes a time. @throws TypeError for a Date that holds none */
export function timeOf(name: string, value: Date): string {
  if (Number.isNaN(value.getTime())) throw new TypeError(`${name} is a Date that holds no time.`);
  return value.toISOString();
}

function append(query: URLSearchParams, name: string, value: unknown): void {
  const text = textOf(name, value);
  if (text !== null) query.append(name, text);
  else if (Array.isArray(value)) appendList(query, name, value as unknown[]);
  else appendConditions(query, name, value as object);
}

function appendConditions(query: URLSearchParams, name: string, conditions: object): void {
  const entries = Object.entries(conditions);
  // Without a condition, the query would ask for everything. No filter at all may be meant so.
  if (entries.length === 0 && name !== "filter") throw new TypeError(`${name} needs at least one condition.`);
  for (const [key, inner] of entries) append(query, `${name}[${key}]`, inner);
}

function appendList(query: URLSearchParams, name: string, values: unknown[]): void {
  // Without this filter, the query would ask for everything.
  if (values.length === 0) throw new TypeError(`${name} needs at least one value.`);
  for (const [index, item] of values.entries()) {
    const isGroup = textOf(`${name}[${index}]`, item) === null;
    append(query, isGroup ? `${name}[${index}]` : `${name}[]`, item);
  }
}

/** Joins names by commas. Returns null for an empty list: the service does the same without the parameter. */
function namesOf(parameter: string, names: readonly unknown[]): string | null {
  for (const name of names) {
    if (typeof name !== "string" || name === "") throw new TypeError(`${parameter} must list names.`);
  }
  return names.length === 0 ? null : names.join(",");
}

/**
 * Writes the parameters of a request. Undefined ones and empty lists of names are left out. Lists of names are joined
 * by commas. Lists of values in `filter` are sent one by one, so that values may contain commas. No part of a filter is
 * left out.
 * @throws TypeError for an empty list or condition in `filter`, and for a value that cannot be sent
 */
export function serializeQuery(parameters: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const sent: unknown = Array.isArray(value) ? namesOf(name, value) : value;
    if (Array.isArray(value) && sent === null) continue;
    append(query, name, sent);
  }
  return query;
}
