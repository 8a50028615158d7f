/** Looks for the targets of references before a write, and once more in the batch of the write (RULES 3.10). */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { guard } from "../database/guard.ts";

/** A record by its collection, or a media item, whose collection is null. */
export type TargetKey = [collection: string | null, id: string];

/** A text that is different for each target. */
export const targetName = ([collection, id]: TargetKey): string => `${collection ?? ""}/${id}`;

/** D1 binds values of at most 2 MB; a reference has at most 100 bytes. */
const TARGETS_PER_STATEMENT = 10_000;

/** The targets, each once, in as few parts as statements can bind. */
function partsOf(targets: readonly TargetKey[]): TargetKey[][] {
  const different = [...new Map(targets.map((target) => [targetName(target), target])).values()];
  const starts = Array.from({ length: Math.ceil(different.length / TARGETS_PER_STATEMENT) }, (_, n) => n);
  return starts.map((n) => different.slice(n * TARGETS_PER_STATEMENT, (n + 1) * TARGETS_PER_STATEMENT));
}

/** Those rows `j` of the given targets that stand for none that is there. */
const missingOf = (spaceId: string, targets: readonly TargetKey[]): SQL => sql`
  FROM json_each(${JSON.stringify(targets)}) j
  WHERE CASE WHEN j.value ->> 0 IS NULL
    THEN NOT EXISTS (SELECT 1 FROM media WHERE id = j.value ->> 1 AND space_id = ${spaceId} AND deleted_at IS NULL)
    ELSE NOT EXISTS (SELECT 1 FROM models m JOIN records r ON r.model_id = m.id AND r.id = j.value ->> 1
      WHERE m.space_id = ${spaceId} AND m.type_model = 'collections' AND m.name = j.value ->> 0
        AND r.deleted_at IS NULL)
    END`;

/** The names of the targets that are not there. One query, as a rule; none for no targets. */
export async function missingTargets(
  db: Database,
  spaceId: string,
  targets: readonly TargetKey[],
): Promise<Set<string>> {
  const missing = new Set<string>();
  for (const part of partsOf(targets)) {
    const rows = await db.all<{ collection: string | null; id: string }>(
      sql`SELECT j.value ->> 0 AS collection, j.value ->> 1 AS id ${missingOf(spaceId, part)}`,
    );
    for (const { collection, id } of rows) missing.add(targetName([collection, id]));
  }
  return missing;
}

/** Guards for the batch of a write that refers to these targets: it fails if one was removed since it was looked for. */
export const targetGuards = (spaceId: string, targets: readonly TargetKey[]): SQL[] =>
  partsOf(targets).map((part) => guard(sql`NOT EXISTS (SELECT 1 ${missingOf(spaceId, part)})`));
