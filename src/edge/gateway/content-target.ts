/** The target of a read of content without a key, and the form in which its answer is kept at the edge (RULES 3.17). */
import { ALL, localeCode } from "../../content/locales/codes.ts";
import { isName } from "../../content/text/names.ts";
import { hasRecords } from "../../content/model/type-models.ts";
import { LIST } from "../../limits.ts";

const CONTENT = /^\/api\/v1\/([^/]+)\/data\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/;
const LIST_ROUTE = "/api/v1/:spaceName/data/:typeModel/:model";

export interface ContentTarget {
  spaceName: string;
  /** Path and query under which the answer is kept. */
  path: string;
  /** As the API document and the log name it. */
  route: string;
  /** The answer may hold absolute addresses: those of media. */
  isExpanded: boolean;
}

export const isContentPath = (pathname: string): boolean => CONTENT.test(pathname);

/** Returns the segments of a path. Empty for another path, and for a segment that is no valid percent-encoding. */
function segmentsOf(pathname: string): string[] {
  const [, ...segments] = (CONTENT.exec(pathname) ?? []) as (string | undefined)[];
  try {
    return segments.flatMap((segment) => (segment === undefined ? [] : [decodeURIComponent(segment)]));
  } catch {
    return [];
  }
}

/** Parameters with the value that they have without a word. */
const DEFAULTS = [
  ["limit", String(LIST.limitDefault)],
  ["status", "published"],
] as const;
/** Parameters that list names, whose order makes no difference. */
const NAME_LISTS = ["populate", "selectFields"];

/** Returns the query with its parameters in one order, without those that have their default. Faulty ones are kept. */
function normalQuery(asked: URLSearchParams): string {
  const query = new URLSearchParams(asked);
  for (const [name, value] of DEFAULTS) {
    const given = query.getAll(name);
    if (given.length === 1 && given[0] === value) query.delete(name);
  }
  for (const name of NAME_LISTS) {
    const [names, ...more] = query.getAll(name);
    if (names !== undefined && more.length === 0) query.set(name, names.split(",").sort().join(","));
  }
  const [locale, ...locales] = query.getAll("locale");
  if (locale !== undefined && locales.length === 0) {
    query.set("locale", locale.toLowerCase() === ALL ? ALL : (localeCode(locale) ?? locale));
  }
  query.sort();
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/**
 * Returns the target of a read that the edge may keep. Null for others: changes, drafts, requests with a key, paths
 * that nothing can be at.
 */
export function contentTargetOf({ method, headers }: Request, url: URL): ContentTarget | null {
  if (method !== "GET" && method !== "HEAD") return null;
  if (headers.has("Authorization") || url.searchParams.getAll("status").includes("draft")) return null;
  const [spaceName = "", typeModel = "", model = "", id] = segmentsOf(url.pathname);
  if (!isName(spaceName) || !hasRecords(typeModel) || !isName(model)) return null;
  const list = `/api/v1/${spaceName}/data/${typeModel}/${model}`;
  return {
    spaceName,
    path: (id === undefined ? list : `${list}/${encodeURIComponent(id)}`) + normalQuery(url.searchParams),
    route: id === undefined ? LIST_ROUTE : `${LIST_ROUTE}/:id`,
    isExpanded: url.searchParams.has("populate"),
  };
}
