/** Reads events as the database has them. */
import { sql } from "drizzle-orm";
import { database } from "../../../src/edge/storage/database/database.ts";
import type { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

export interface StoredEvent {
  action: string;
  actor: string;
  name: string;
  target: string;
  model: string | null;
  facts: Record<string, unknown>;
  requestId: string | null;
  count: number;
}

/** Returns the events of a space, in the order in which they were written. `of` narrows them by their actions. */
export async function eventsOf(client: Client, of = ""): Promise<StoredEvent[]> {
  const rows = await database(bindings.DB).all<Omit<StoredEvent, "facts"> & { facts: string }>(sql`
    SELECT action, actor_kind AS actor, actor_name AS name, target_id AS target, target_model AS model, facts,
      request_id AS requestId, count
    FROM events WHERE space_id = ${client.space.id} AND action GLOB ${`${of}*`} ORDER BY no`);
  return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) as Record<string, unknown> }));
}

/** Returns the actions alone. */
export const actionsOf = async (client: Client, of?: string): Promise<string[]> =>
  (await eventsOf(client, of)).map(({ action }) => action);
