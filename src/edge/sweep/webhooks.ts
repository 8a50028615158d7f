/** The sweep's part of webhooks: old deliveries, and removed webhooks (RULES 15.5). */
import { WEBHOOKS } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { removeOldDeliveries, removeRemovedWebhooks } from "../storage/webhooks/remove-deliveries.ts";
import type { GoesOn } from "./budget.ts";

/** Removes rows in bounded steps. @returns how many */
export async function removeDueDeliveries(db: Database, now: number, goesOn: GoesOn): Promise<number> {
  let removed = 0;
  for (const step of [() => removeOldDeliveries(db, now), () => removeRemovedWebhooks(db)]) {
    for (let batch = 0; batch < WEBHOOKS.batchesMax && goesOn(); batch++) {
      const rows = await step();
      removed += rows;
      if (rows < WEBHOOKS.removedPerBatch) break;
    }
  }
  return removed;
}
