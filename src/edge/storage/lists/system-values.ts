/** The values that the service sets on records, as SQL: what lists are filtered and sorted by beside fields. */
import { sql, type SQL } from "drizzle-orm";
import type { SystemColumn } from "../../../content/query/list-targets.ts";
import { NULL_VALUE } from "../records/record-index.ts";

/** Returns the value of the record `alias`; NULL stands for none. */
export function systemValue(alias: SQL, column: SystemColumn): SQL {
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
export const hasPublicationIndex = (modelId: number, column: SystemColumn): boolean =>
  modelId < 0 && isPublication(column);

/** Returns the value by which records of the model number `modelId` are sorted. None becomes the value that comes last. */
export function sortedSystemValue(alias: SQL, column: SystemColumn, modelId: number): SQL {
  const value = systemValue(alias, column);
  // Published contents have both times of publication.
  const hasNone = NULLABLE.has(column) && !hasPublicationIndex(modelId, column);
  return hasNone ? sql`coalesce(${value}, ${NULL_VALUE})` : value;
}
