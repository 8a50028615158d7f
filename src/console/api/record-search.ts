/**
 * The search for records by words: the service's own search, or a filter on texts where a model has no searched field.
 */
import { CONTENT } from "../../limits.ts";
import { hasContains } from "./field-types.ts";
import type { Model } from "./models.ts";

export const SORT_DEFAULT = "-createdAt";

type Searched = Pick<Model, "fields">;

/** Returns whether the service ranks the results, which have no other order then. */
export const isRanked = ({ fields }: Searched, search: string): boolean =>
  search.trim() !== "" && fields.some(({ searchable }) => searchable === true);

/**
 * Returns the filter `or` that looks for words in the model's texts, whatever their case and accents. Undefined if
 * there is nothing to look for.
 * @param filters the number of other filters, which count against the service's limit
 */
export function textFilter({ fields }: Searched, search: string, filters: number): object[] | undefined {
  const room = Math.max(0, CONTENT.filtersMax - filters);
  const texts = fields.filter(hasContains).slice(0, room);
  if (search.trim() === "" || texts.length === 0) return undefined;
  return texts.map(({ name }) => ({ [name]: { icontains: search.trim() } }));
}

/** Returns the query for the records of a model in which words occur; for all of them if there are no words. */
export function queryOfSearch(
  model: Searched,
  search: string,
): { search?: string; sort?: string; filter?: Record<string, unknown> } {
  if (isRanked(model, search)) return { search: search.trim() };
  const or = textFilter(model, search, 0);
  return { sort: SORT_DEFAULT, ...(or && { filter: { or } }) };
}
