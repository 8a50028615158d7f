/** A condition for a whole batch: if it does not hold, the batch fails and changes nothing. */
import { sql, type SQL } from "drizzle-orm";

/** Fails the batch unless `condition` holds: it inserts a row without a value, which the table refuses. */
export const guard = (condition: SQL): SQL =>
  sql`INSERT INTO batch_guards (holds) SELECT NULL WHERE NOT (${condition})`;

/** Returns whether a batch failed because a guard did not hold. D1 gives no code, so the message is examined. */
export const isGuardFailure = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause)
    if (e.message.includes("batch_guards.holds")) return true;
  return false;
};
