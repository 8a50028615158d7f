/** A condition that a whole batch depends on: where it does not hold, nothing of the batch is done. */
import { sql, type SQL } from "drizzle-orm";

const GUARD = "doomed_fields.due_at";

/** Fails the batch unless `condition` holds: a missing due time is the one thing the table refuses. */
export const guard = (condition: SQL): SQL =>
  sql`INSERT INTO doomed_fields (model_id, field, due_at) SELECT 0, 0, NULL WHERE NOT (${condition})`;

export const isGuardFailure = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause) if (e.message.includes(GUARD)) return true;
  return false;
};
