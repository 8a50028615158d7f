/** A condition for a whole batch: if it does not hold, the batch fails and changes nothing. */
import { sql, type SQL } from "drizzle-orm";

const GUARD = "doomed_fields.due_at";

/** Fails the batch unless `condition` holds, by inserting a row without a due time, which the table refuses. */
export const guard = (condition: SQL): SQL =>
  sql`INSERT INTO doomed_fields (model_id, field, due_at) SELECT 0, 0, NULL WHERE NOT (${condition})`;

export const isGuardFailure = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause) if (e.message.includes(GUARD)) return true;
  return false;
};
