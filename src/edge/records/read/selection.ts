/** Parses `selectFields`, `populate` and `sort` (RULES 3.7). */
import { CONTENT } from "../../../limits.ts";
import { ACTOR_FIELDS } from "../../../content/field-types/base.ts";
import { isLocaleField } from "../../../content/locales/reserved.ts";
import type { Sort } from "../../../content/query/list-query.ts";
import type { Model } from "../../../content/model/model.ts";
import { invalidParameter, targetOf, valueKindOf } from "../../../content/query/list-targets.ts";

/** The names of the fields in an answer, besides `id`; null for all. */
export type Selection = ReadonlySet<string> | null;

/** @throws ApiError INVALID_PARAMETER for a name that is no field */
export function parseSelection(model: Model, text: string | undefined): Selection {
  if (text === undefined) return null;
  const names = text.split(",");
  for (const name of names) {
    const isActor = model.showsActors === true && (ACTOR_FIELDS as readonly string[]).includes(name);
    if (!isActor && !(model.scope && isLocaleField(name))) targetOf(model, name, "selectFields");
  }
  return new Set(names);
}

/** The fields to expand by name, each with the fields to expand in its targets. */
export type PopulateTree = ReadonlyMap<string, PopulateTree>;

export const tooDeep = (): Error =>
  invalidParameter("populate", `may go ${CONTENT.populateMaxLevels} levels deep`);

/** Parses the paths into a tree. Its names are checked level by level, when the models have been read. */
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
    if (names.length > CONTENT.populateMaxNames) throw tooDeep();
    let at = root;
    for (const name of names) {
      const below: Growing = at.get(name) ?? new Map<string, Growing>();
      at.set(name, below);
      at = below;
    }
  }
  return root;
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
    if (kind === "presence" || kind === "list") throw invalidParameter("sort", `cannot order by "${name}"`);
    if (seen.has(name)) throw invalidParameter("sort", `names "${name}" twice`);
    seen.add(name);
    return { target, descending };
  });
}
