/** Deliveries over crashes and bad receivers: each event at least once, those of a record in order (RULES 15.3, 15.4). */
import { describe, expect, it } from "vitest";
import { WEBHOOKS } from "../../../src/limits.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { ofRing, rounds as ofTheRing } from "../../support/ring.ts";
import { Client } from "../support/api.ts";
import { failingD1, newProcess, type Failure } from "../support/bindings/failing-d1.ts";
import { bindings } from "../support/rows.ts";
import { makeWebhook, Receiver, type Got, type Made } from "./support.ts";

/** The calls of a round, of which four kinds run side by side, so that their order differs. The last may not come. */
const MOMENTS: readonly Failure[] = Array.from({ length: 15 }, (_, call) =>
  (["before", "after", 0, 1] as const).map((at) => ({ call, at })),
).flat();

const posts = "/data/collections/posts";

async function start(): Promise<{ client: Client; webhook: Made }> {
  const client = await Client.make();
  await client.model("posts", [{ name: "title", type: "string" }]);
  return { client, webhook: await makeWebhook(client, { events: ["record.created", "record.updated"] }) };
}

interface EventOfRecord {
  record: string;
  version: number;
}

/** Returns the events of the space's records in the order of their changes. */
async function eventsOf(client: Client): Promise<EventOfRecord[]> {
  const { results } = await bindings.DB.prepare(
    `SELECT target_id AS record, facts ->> 'version' AS version FROM events
     WHERE space_id = ? AND action IN ('record.created', 'record.updated') ORDER BY no`,
  )
    .bind(client.space.id)
    .all<EventOfRecord>();
  return results;
}

/** Delivers until nothing waits, as minutes go by. */
async function deliverAll(receiver: Receiver, id: string): Promise<void> {
  for (let round = 0; round < 500; round++) {
    const { nextAt } = await receiver.round(id);
    if (nextAt === null) return;
    receiver.now = Math.max(receiver.now, nextAt);
  }
  throw new Error("It never ends.");
}

/** Checks what a receiver has taken: each event, none before one of the same record, and nothing else. */
async function expectWhole(client: Client, taken: readonly Got[]): Promise<void> {
  const events = await eventsOf(client);
  const first = new Map<string, number[]>();
  for (const { data } of taken) {
    const versions = first.get(String(data["id"])) ?? [];
    const version = Number(data["version"]);
    // A repetition comes before the next event of the record, never after it.
    const isRepeated = versions.includes(version);
    if (isRepeated) expect(versions.at(-1)).toBe(version);
    else versions.push(version);
    first.set(String(data["id"]), versions);
  }
  const wanted = new Map<string, number[]>();
  for (const { record, version } of events) wanted.set(record, [...(wanted.get(record) ?? []), version]);
  expect(Object.fromEntries(first)).toEqual(Object.fromEntries(wanted));
}

describe("deliveries", () => {
  it("are whole and in order after a crash at any call of D1, and within any batch", async () => {
    let failures = 0;
    for (const failure of ofRing(MOMENTS, 7)) {
      const { client, webhook } = await start();
      const id = await client.create("posts", { title: "a" });
      await client.call("PUT", `${posts}/${id}`, { title: "b" });
      await client.create("posts", { title: "c" });
      const receiver = new Receiver(null);
      const taken: Got[] = [];
      let answers = 0;
      receiver.answer = (got) => {
        answers += 1;
        if (answers === 2) return new Response(null, { status: 500 });
        taken.push(got);
        return new Response();
      };
      const lost = failingD1(bindings.DB, failure, newProcess(true));
      await receiver.round(webhook.id, { db: database(lost.db) }).catch(() => undefined);
      receiver.now += WEBHOOKS.leaseMs;
      await deliverAll(receiver, webhook.id);
      await expectWhole(client, taken);
      if (lost.failed()) failures += 1;
    }
    expect(failures).toBeGreaterThan(ofRing(MOMENTS, 7).length / 4);
  });

  it("are whole and in order with rounds that run together and die, and a receiver that fails at random", async () => {
    for (let n = 0; n < ofTheRing(2, 40); n++) {
      const { client, webhook } = await start();
      const receiver = new Receiver(null);
      const taken: Got[] = [];
      receiver.answer = async (got) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        const luck = Math.random();
        if (luck < 0.15) return new Response(null, { status: luck < 0.05 ? 302 : 503 });
        if (luck < 0.2) throw new Error("the connection broke off");
        taken.push(got);
        return new Response();
      };
      const ids: string[] = [];
      for (let step = 0; step < 25; step++) {
        const id = ids[Math.floor(Math.random() * 4)];
        if (id === undefined) ids.push(await client.create("posts", { title: `new ${step}` }));
        else await client.call("PUT", `${posts}/${id}`, { title: `change ${step}` });
        if (step % 4 !== 0) continue;
        const dying = {
          call: Math.floor(Math.random() * 15),
          at: Math.random() < 0.5 ? "before" : "after",
        } as const;
        const lost = failingD1(bindings.DB, dying, newProcess(true));
        await Promise.allSettled([
          receiver.round(webhook.id),
          receiver.round(webhook.id, { db: database(lost.db) }),
          receiver.round(webhook.id),
        ]);
        receiver.now += Math.floor(Math.random() * WEBHOOKS.leaseMs);
      }
      receiver.now += WEBHOOKS.leaseMs;
      await deliverAll(receiver, webhook.id);
      await expectWhole(client, taken);
    }
  });
});
