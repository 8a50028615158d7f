/** Notes exports in the audit (RULES 14.1), although they change nothing: they read everything. */
import { batchSql, type Database } from "../database/database.ts";
import type { By } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";

/** Writes the line of an export that begins. */
export async function noteExport(
  db: Database,
  { id, name }: { id: string; name: string },
  { origin, now }: By,
): Promise<void> {
  const event = { action: "export.created", target: { kind: "export", id: name } } as const;
  await batchSql(db, [eventStatement(id, origin, now, event)]);
}
