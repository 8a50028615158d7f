/** The folding of a space's texts, of which a database keeps one edition for all its spaces (RULES 3.15). */
import { sql } from "drizzle-orm";
import { batchSql, type Database } from "../database/database.ts";
import { asMover, type MoveRow } from "./move-state.ts";

/**
 * Has the words of a space that comes made anew, if those that it brings are of an earlier edition than the database says
 * of its own, or if its media were just being folded anew.
 */
export async function carryFolding(
  source: Database,
  target: Database,
  row: Pick<MoveRow, "spaceId" | "move">,
): Promise<void> {
  const { spaceId } = row;
  const state = (db: Database) =>
    db.get<{ edition: number; isAtMedia: number }>(sql`SELECT coalesce(max(edition), 0) AS edition,
      EXISTS (SELECT 1 FROM search_rebuilds WHERE model_id = 0) AS isAtMedia FROM fold_edition`);
  const [from, to] = await Promise.all([state(source), state(target)]);
  if (from.edition >= to.edition && from.isAtMedia === 0) return;
  const isOlder = from.edition < to.edition ? 1 : 0;
  const rebuild = sql`INSERT INTO search_rebuilds (model_id, after_id)
    SELECT * FROM (SELECT 0, '' UNION ALL SELECT id, '' FROM models WHERE space_id = ${spaceId} AND ${isOlder}
      UNION ALL SELECT -id, '' FROM models WHERE space_id = ${spaceId} AND drafts AND ${isOlder})
    WHERE EXISTS (SELECT 1 FROM space_moves WHERE space_id = ${spaceId} AND move = ${row.move} AND state = 'arriving')
    ON CONFLICT (model_id) DO UPDATE SET after_id = ''`;
  await batchSql(target, asMover(row, [rebuild]));
}
