/** Requests with an Idempotency-Key that have claimed it when a move refuses writes (RULES 1.9, 12.7). */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { armTriggers } from "../../../src/edge/storage/shards/move-triggers.ts";
import handlers from "../../../src/edge/worker.ts";
import type { Client } from "../support/api.ts";
import { meanwhile } from "../support/bindings/meanwhile.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { ROOT } from "../support/http.ts";
import { makeRich, move, shardDb } from "../support/moves.ts";
import { databases, deployed } from "../support/rows.ts";

cleanBetweenTests();
beforeEach(() => void vi.spyOn(console, "error").mockReturnValue(undefined));

const POSTS = "/data/collections/posts";
const KEYED = { ...ROOT, "Content-Type": "application/json", "Idempotency-Key": "of-the-last-slice" };
const isRecord = (query: string): boolean => /insert into records\b/i.test(query);
const nothing = (): Promise<void> => Promise.resolve();

/** Sends a record with a key, and has `happen` end just before it is written. */
async function send(
  { space }: Client,
  happen: () => Promise<unknown>,
  d1 = databases[1] as D1Database,
): Promise<Response> {
  const env = { ...deployed, DB_1: meanwhile(d1, isRecord, happen) };
  const context = createExecutionContext();
  const body = JSON.stringify({ title: "keyed", slug: "keyed" });
  const request = new Request(`https://api.test/api/v1/${space.name}${POSTS}`, {
    ...{ method: "POST", headers: KEYED, body },
  });
  const answer = await handlers.fetch(request, env, context);
  await answer.clone().text();
  await waitOnExecutionContext(context);
  return answer;
}

const refusalOf = ({ status, headers }: Response): unknown[] => [status, headers.get("Retry-After")];

describe("a request with an Idempotency-Key that is refused by a move", () => {
  it("is done when it is sent again, as soon as writes are taken", async () => {
    const { client } = await makeRich(2);
    const { id } = client.space;
    await shardDb(1).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at, driven_until)
      VALUES (${id}, 1, 'leaving', 2, 1, 99999999999999)`);
    await armTriggers(shardDb(1));
    const close = (): Promise<unknown> =>
      shardDb(1)
        .run(sql`UPDATE space_moves SET closed_until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + 5000
        WHERE space_id = ${id}`);
    // As when its time is over: how long that takes would depend on the machine.
    const open = (): Promise<unknown> =>
      shardDb(1).run(sql`UPDATE space_moves SET closed_until = 0 WHERE space_id = ${id}`);
    let ends = 0;
    const isSecondEnd = (query: string): boolean =>
      query.includes("UPDATE idempotency_keys SET runs_until") && ++ends === 2;
    const opened = meanwhile(databases[1] as D1Database, isSecondEnd, open);
    expect(refusalOf(await send(client, close, opened))).toEqual([503, "1"]);
    expect(ends).toBe(2);
    expect((await send(client, nothing)).status).toBe(201);
    expect((await send(client, nothing)).headers.get("Idempotent-Replayed")).toBe("true");
  });

  it("is done on the database where the space has come, which the old one does not hide by a 404", async () => {
    const { client } = await makeRich(2);
    expect(refusalOf(await send(client, () => move(client, 2)))).toEqual([503, "1"]);
    expect((await send(client, nothing)).status).toBe(201);
    const path = `${POSTS}?status=draft&filter[slug][eq]=keyed`;
    expect((await client.call<unknown[]>("GET", path)).data).toHaveLength(1);
  });
});
