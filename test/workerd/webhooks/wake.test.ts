/** Deliveries start by a message after the change, and by the sweep where a message was lost (RULES 15.3). */
import { afterEach, describe, expect, it, vi } from "vitest";
import { WEBHOOKS } from "../../../src/limits.ts";
import { sweepAll } from "../../../src/edge/sweep-all.ts";
import type { WakeMessage } from "../../../src/edge/messages.ts";
import { takeWakes, wakeAfterChange } from "../../../src/edge/webhooks/wake.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { bindings, deployed } from "../support/rows.ts";
import { rounds } from "../support/objects/webhook-rounds.ts";
import { listDeliveries, makeWebhook, Receiver } from "./support.ts";

cleanBetweenTests();
afterEach(() => void vi.restoreAllMocks());

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** Returns a context whose rounds are only noted: those that messages of the queue start meanwhile are not among them. */
function noting(): { context: ExecutionContext; ids: string[] } {
  const ids: string[] = [];
  const start = ({ id }: { id: string }): Promise<void> => Promise.resolve(void ids.push(id));
  const context = { waitUntil: () => undefined, exports: { WebhookSender: { start } } };
  return { context: context as unknown as ExecutionContext, ids };
}

const idsOf = (): string[] => rounds.started.map(({ id }) => id);

async function withPosts(): Promise<Client> {
  const client = await Client.make();
  await client.model("posts", [{ name: "title", type: "string" }]);
  return client;
}

describe("a change", () => {
  it("wakes the webhooks of its space by the queue, and no others", async () => {
    const [client, other] = [await withPosts(), await withPosts()];
    const { id } = await makeWebhook(client);
    const { id: elsewhere } = await makeWebhook(other);
    // Their creation is an event too, which each passes over.
    for (const one of [id, elsewhere]) await new Receiver(null).round(one);
    rounds.reset();
    await client.create("posts", { title: "a" });
    await until(() => idsOf().includes(id));
    expect(idsOf()).not.toContain(elsewhere);
  });

  it("is delivered by the service itself", async () => {
    const client = await withPosts();
    const { id, secret } = await makeWebhook(client);
    const receiver = new Receiver(secret);
    let isThere = true;
    // The runtime would look the name up, and log that there is none.
    vi.spyOn(globalThis, "fetch").mockImplementation((url, init = {}) =>
      isThere ? receiver.fetch(url as string, init) : Promise.reject(new TypeError("no connection")),
    );
    rounds.areReal = true;
    const lastOf = async () => (await listDeliveries(client, id)).at(0);
    await client.create("posts", { title: "a" });
    await until(async () => (await lastOf())?.state === "delivered");
    expect(receiver.got.map(({ type }) => type)).toEqual(["record.created"]);
    // Nothing answers there: the attempt fails, and is listed.
    isThere = false;
    await client.create("posts", { title: "b" });
    await until(
      async () =>
        (await lastOf())?.attempts[0]?.error === "The connection to the receiver failed, or broke off.",
    );
  });

  it("in a space without webhooks sends no message, and asks D1 once in ten seconds", async () => {
    const client = await withPosts();
    const sent: unknown[] = [];
    const queue = { send: (body: unknown) => Promise.resolve(void sent.push(body)) };
    const env = { ...deployed, WEBHOOKS: queue as unknown as Queue<WakeMessage> };
    let asked = 0;
    const d1 = new Proxy(bindings.DB, {
      get(target, property) {
        if (property === "prepare") asked += 1;
        const value = Reflect.get(target, property, target) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const now = Date.now();
    const { name } = client.space;
    for (const ms of [0, 1, WEBHOOKS.knownNoneMs - 1])
      await wakeAfterChange(env, database(d1), name, now + ms);
    expect([asked, sent]).toEqual([1, []]);
    await bindings.DB.prepare(
      `INSERT INTO webhooks (id, space_id, name, url, events, state, cursor, created_at, updated_at)
       VALUES ('W', ?, '', 'https://receiver.example/', '["*"]', 'enabled', 0, 0, 0)`,
    )
      .bind(client.space.id)
      .run();
    await wakeAfterChange(env, database(d1), name, now + WEBHOOKS.knownNoneMs);
    await wakeAfterChange(env, database(d1), name, now + WEBHOOKS.knownNoneMs + 1);
    expect([asked, sent]).toEqual([2, [{ spaceId: client.space.id }, { spaceId: client.space.id }]]);
  });
});

describe("the sweep", () => {
  const withoutQueue = { ...deployed, WEBHOOKS: undefined } as unknown as typeof deployed;

  it("starts what no message has: new events, and deliveries whose time has come", async () => {
    const client = await withPosts();
    const webhook = await makeWebhook(client);
    const idle = await makeWebhook(client, { events: ["media.created"] });
    await new Receiver(null).round(webhook.id);
    await new Receiver(null).round(idle.id);
    const sweep = async (): Promise<string[]> => {
      const { context, ids } = noting();
      await sweepAll(withoutQueue, context);
      return ids.sort();
    };
    expect(await sweep()).toEqual([]);
    await client.create("posts", { title: "a" });
    expect(await sweep()).toEqual([webhook.id, idle.id].sort());
    const receiver = new Receiver(null);
    receiver.now -= 5000;
    receiver.answer = () => new Response(null, { status: 500 });
    await receiver.round(webhook.id);
    await receiver.round(idle.id);
    expect(await sweep()).toEqual([webhook.id]);
  });

  it("goes on when the queue takes no message", async () => {
    const client = await withPosts();
    const { id } = await makeWebhook(client);
    const queue = { send: () => Promise.reject(new Error("the queue is down")) };
    const broken = { ...deployed, WEBHOOKS: queue as unknown as Queue<WakeMessage> };
    await client.create("posts", { title: "a" });
    const { context, ids } = noting();
    await sweepAll(broken, context);
    expect(ids).toContain(id);
  });
});

describe("messages", () => {
  /** Returns a batch, and what became of each of its messages. */
  function batchOf(spaceIds: string[]): { batch: MessageBatch<WakeMessage>; outcomes: string[] } {
    const outcomes = spaceIds.map(() => "none");
    const messages = spaceIds.map((spaceId, n) => ({
      ...{ id: String(n), timestamp: new Date(), attempts: 1, body: { spaceId } },
      ack: () => void (outcomes[n] = "ack"),
      retry: () => void (outcomes[n] = "retry"),
    }));
    return { batch: { messages } as unknown as MessageBatch<WakeMessage>, outcomes };
  }

  it("of one space start each of its webhooks once, and what does not fit comes with a later batch", async () => {
    const clients = [await withPosts(), await withPosts()];
    for (const client of clients) {
      for (let n = 0; n < 15; n++) await makeWebhook(client);
      await client.create("posts", { title: "a" });
    }
    const [first = "", second = ""] = clients.map(({ space }) => space.id);
    const { context, ids: started } = noting();
    const { batch, outcomes } = batchOf([first, second, first, "gone"]);
    await takeWakes(batch, deployed, context);
    expect(outcomes).toEqual(["ack", "retry", "ack", "retry"]);
    expect(started).toHaveLength(WEBHOOKS.startedMax);
    expect(new Set(started).size).toBe(WEBHOOKS.startedMax);
  });

  it("of a space that is gone are acknowledged", async () => {
    const { batch, outcomes } = batchOf(["01ARZ3NDEKTSV4RRFFQ69G5FAV"]);
    const { context, ids } = noting();
    await takeWakes(batch, deployed, context);
    expect([outcomes, ids]).toEqual([["ack"], []]);
  });

  it("come again when the database does not answer", async () => {
    const { batch, outcomes } = batchOf(["01ARZ3NDEKTSV4RRFFQ69G5FAV"]);
    const broken = { ...bindings, DB: null } as unknown as typeof deployed;
    await takeWakes(batch, broken, noting().context);
    expect(outcomes).toEqual(["retry"]);
  });
});
