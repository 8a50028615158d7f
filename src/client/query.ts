/** Writes query strings for the service: `filter[field][operator]=value`, and lists whose values may contain commas. */

function append(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    query.append(name, String(value));
  } else if (value instanceof Date) {
    query.append(name, value.toISOString());
  } else if (Array.isArray(value)) {
    appendList(query, name, value as unknown[]);
  } else if (typeof value === "object") {
    for (const [key, inner] of Object.entries(value)) append(query, `${name}[${key}]`, inner);
  }
}

function appendList(query: URLSearchParams, name: string, values: unknown[]): void {
  // Without this filter, the query would ask for everything.
  if (values.length === 0) throw new TypeError(`${name} needs at least one value`);
  for (const [index, item] of values.entries()) {
    const isGroup = typeof item === "object" && !(item instanceof Date);
    append(query, isGroup ? `${name}[${index}]` : `${name}[]`, item);
  }
}

/**
 * The parameters of a request. Undefined ones are left out. Lists of names are joined by commas. Lists of values in
 * `filter` are sent one by one, so that values may contain commas.
 * @throws TypeError for an empty list in `filter`
 */
export function serializeQuery(parameters: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    append(query, name, Array.isArray(value) ? value.join(",") : value);
  }
  return query;
}
