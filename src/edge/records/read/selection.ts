/** `selectFields`, `populate`, `sort` (RULES 3.7): looked up in the model. */
import { CONTENT } from "../../../limits.ts";
import { isReference } from "../../../content/field-types/fields.ts";
import type { Sort } from "../../../content/query/list-query.ts";
import type { Model } from "../../../content/model/model.ts";
import { invalidParameter, targetOf, valueKindOf } from "../../../content/query/list-targets.ts";

/** Names to answer with, besides `id`; null for all. */
export type Selection = ReadonlySet<string> | null;

/** @throws ApiError INVALID_PARAMETER for a name that is no field */
export function parseSelection(model: Model, text: string | undefined): Selection {
  if (text === undefined) return null;
  const names = text.split(",");
  for (const name of names) targetOf(model, name, "selectFields");
  return new Set(names);
}

/** What to expand: field names, and below each what to expand in its targets. */
export type PopulateTree = ReadonlyMap<string, PopulateTree>;

/** The paths as a tree; whether the names are fields is checked level by level, as the models come in. */
export function parsePopulate(text: string | undefined): PopulateTree {
  type Growing = Map<string, Growing>;
  const root: Growing = new Map();
  if (text === undefined) return root;
  const paths = text.split(",");
  if (paths.length > CONTENT.populateMaxPaths) {
    throw invalidParameter("populate", `may name at most ${CONTENT.populateMaxPaths} paths`);
  }
  for (const path of paths) {
    const names = path.split(".");
    if (names.length > CONTENT.populateMaxLevels) {
      throw invalidParameter("populate", `may go ${CONTENT.populateMaxLevels} levels deep`);
    }
    let at = root;
    for (const name of names) {
      const below: Growing = at.get(name) ?? new Map<string, Growing>();
      at.set(name, below);
      at = below;
    }
  }
  return root;
}

/** @throws ApiError INVALID_PARAMETER for what is no relation or media field, or goes on below media */
export function checkPopulate(model: Model, tree: PopulateTree): void {
  for (const [name, below] of tree) {
    const target = targetOf(model, name, "populate");
    if (target.kind === "system" || !isReference(target.field)) {
      throw invalidParameter("populate", `names "${name}", which is no relation or media field`);
    }
    if (target.field.type === "media" && below.size > 0) {
      throw invalidParameter("populate", `goes on below "${name}", which is a media field`);
    }
  }
}

export const DEFAULT_SORT = "-createdAt";

/** @throws ApiError INVALID_PARAMETER */
export function parseSort(model: Model, text: string = DEFAULT_SORT): Sort[] {
  const names = text.split(",");
  if (names.length > CONTENT.sortsMax)
    throw invalidParameter("sort", `may name at most ${CONTENT.sortsMax} fields`);
  const seen = new Set<string>();
  return names.map((term) => {
    const descending = term.startsWith("-");
    const name = descending ? term.slice(1) : term;
    const target = targetOf(model, name, "sort");
    const kind = valueKindOf(target);
    if (kind === "json" || kind === "list") throw invalidParameter("sort", `cannot order by "${name}"`);
    if (seen.has(name)) throw invalidParameter("sort", `names "${name}" twice`);
    seen.add(name);
    return { target, descending };
  });
}
