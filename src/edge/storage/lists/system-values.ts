/** The values that the service sets on records, as SQL: what lists are filtered and sorted by beside fields. */
import { sql, type SQL } from "drizzle-orm";
import type { ListTarget, SystemColumn } from "../../../content/query/list-targets.ts";
import { NULL_VALUE } from "../records/record-index.ts";

export type SystemTarget = Extract<ListTarget, { kind: "system" }>;

/** The names of an edition's members by the columns that they stand for (src/content/model/editions.ts). */
const MEMBERS: Partial<Record<SystemColumn, string>> = {
  published_at: "at",
  publish_at: "pub",
  unpublish_at: "unpub",
};

/** Returns the same for a locale other than the default, whose publication the record's editions have. */
function valueInLocale(alias: SQL, column: SystemColumn, locale: number): SQL {
  const member = (name: string): SQL => sql`(${alias}.locales ->> ${sql.raw(`'$."${locale}".${name}'`)})`;
  if (column === "status") {
    return sql`CASE WHEN ${member("p")} IS NULL THEN 'draft'
      WHEN ${member("p")} >= ${member("v")} THEN 'published' ELSE 'changed' END`;
  }
  if (column === "first_published_at") return sql`coalesce(${member("first")}, ${member("at")})`;
  const name = MEMBERS[column];
  return name === undefined ? sql`${alias}.${sql.raw(column)}` : member(name);
}

/** Returns the value of the record `alias`; NULL stands for none. */
export function systemValue(alias: SQL, { column, locale }: Pick<SystemTarget, "column" | "locale">): SQL {
  if (locale !== undefined && locale > 0) return valueInLocale(alias, column, locale);
  if (locale !== undefined && column === "status") {
    return sql`CASE WHEN ${alias}.published_version IS NULL THEN 'draft' WHEN ${alias}.published_version
      >= coalesce(${alias}.locales ->> '$."0".v', ${alias}.version) THEN 'published' ELSE 'changed' END`;
  }
  switch (column) {
    case "status":
      return sql`CASE WHEN ${alias}.published_version IS NULL THEN 'draft'
        WHEN ${alias}.published_version = ${alias}.version THEN 'published' ELSE 'changed' END`;
    case "first_published_at":
      // Rows that are older than the column have the time of the last publication alone. As in the index.
      return sql`coalesce(${alias}.first_published_at, ${alias}.published_at)`;
    default:
      return sql`${alias}.${sql.raw(column)}`;
  }
}

const NULLABLE: ReadonlySet<SystemColumn> = new Set([
  "published_at",
  "first_published_at",
  "publish_at",
  "unpublish_at",
]);

const isPublication = (column: SystemColumn): boolean =>
  column === "published_at" || column === "first_published_at";

/** Returns whether an index has the published contents in order of this column. */
export const hasPublicationIndex = (
  modelId: number,
  { column, locale = 0 }: Pick<SystemTarget, "column" | "locale">,
): boolean => modelId < 0 && locale === 0 && isPublication(column);

/** Returns the value by which records of the model number `modelId` are sorted. None becomes the value that comes last. */
export function sortedSystemValue(
  alias: SQL,
  target: Pick<SystemTarget, "column" | "locale">,
  modelId: number,
): SQL {
  const value = systemValue(alias, target);
  // Published contents have both times of publication, in the locale of the list.
  const hasNone = NULLABLE.has(target.column) && !hasPublicationIndex(modelId, target);
  return hasNone ? sql`coalesce(${value}, ${NULL_VALUE})` : value;
}
