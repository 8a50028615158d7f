/** Checks whether D1 and R2 answer. Both functions throw what the platform throws if they do not. */
import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

export async function askDatabase(db: Database): Promise<void> {
  await db.run(sql`SELECT 1`);
}

/** Asks for an object that does not exist, which is the cheapest call that reaches the bucket. */
export async function askBucket(bucket: R2Bucket): Promise<void> {
  await bucket.head("healthz");
}
