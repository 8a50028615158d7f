/** What a build found out about a master that was stored before its frames were counted (RULES 6.3). */
import { sql } from "drizzle-orm";
import type { LearnedFacts } from "../../image/protocol/build.ts";
import type { MasterAddress } from "../../image/model/variant.ts";
import { database } from "./database.ts";

/** Writes it into the master's facts, from which the media object and all later requests follow. */
export async function learnFacts(
  db: D1Database,
  { mediaId, version }: Pick<MasterAddress, "mediaId" | "version">,
  { frames, animated }: LearnedFacts,
): Promise<void> {
  await database(db).run(sql`
    UPDATE masters
    SET facts = json_set(facts, '$.frames', ${frames}, '$.animated', json(${String(animated)}))
    WHERE media_id = ${mediaId} AND version = ${version} AND json_extract(facts, '$.frames') IS NULL`);
}
