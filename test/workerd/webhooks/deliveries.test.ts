/** Deliveries: from the change to the receiver, in order (RULES 15.3, 15.4). */
import { describe, expect, it } from "vitest";
import { WEBHOOKS } from "../../../src/limits.ts";
import { client, posts, receiver, stateOf, typesOf, useWebhook, webhook } from "./one-webhook.ts";
import { answering, listDeliveries, makeWebhook, Receiver, RETRY_TIMES } from "./support.ts";

useWebhook();

describe("an event", () => {
  it("of every change of a record comes once, in order, with its facts and no content", async () => {
    const id = await client.create("posts", { title: "secret title" });
    await client.call("PUT", `${posts}/${id}`, { title: "other" });
    // Changes nothing.
    await client.call("PUT", `${posts}/${id}`, { title: "other" });
    await client.call("DELETE", `${posts}/${id}`);
    expect(await receiver.round(webhook.id)).toMatchObject({ delivered: 3, failed: 0, nextAt: null });
    expect(typesOf()).toEqual(["record.created", "record.updated", "record.trashed"]);
    const [, updated] = receiver.got;
    expect(updated?.data).toEqual({
      ...{ space: client.space.name, typeModel: "collections", model: "posts", id, version: 2 },
      ...{
        locales: [],
        changed: ["title"],
        url: `/api/v1/${client.space.name}/data/collections/posts/${id}`,
      },
    });
    expect(JSON.stringify(receiver.got)).not.toContain("secret title");
    expect(await receiver.round(webhook.id)).toMatchObject({ delivered: 0 });
    const listed = await listDeliveries(client, webhook.id);
    expect(listed.map(({ event, state }) => [event, state])).toEqual(
      expect.arrayContaining(typesOf().map((type) => [type, "delivered"])),
    );
    expect(listed[0]?.attempts).toMatchObject([{ status: 204, error: null }]);
  });

  it("without a change does not exist: a refused write and a guarded one send nothing", async () => {
    const id = await client.create("posts", { title: "a" });
    await receiver.round(webhook.id);
    const refused = await client.call("PUT", `${posts}/${id}`, { title: 5 });
    const stale = await client.call(
      "PUT",
      `${posts}/${id}`,
      { title: "b" },
      { headers: { "If-Match": '"9"' } },
    );
    const bulk = await client.call("POST", `${posts}/bulk`, {
      operations: [
        { op: "create", data: { title: "c" } },
        { op: "create", data: { title: 5 } },
      ],
    });
    expect([refused.status, stale.status, bulk.status]).toEqual([400, 412, 400]);
    expect(await receiver.round(webhook.id)).toMatchObject({ delivered: 0 });
    expect(receiver.got).toHaveLength(1);
  });

  it("from before a webhook, or from while it was disabled, does not come", async () => {
    await client.create("posts", { title: "before" });
    const second = await makeWebhook(client);
    const own = new Receiver(second.secret);
    await client.call("PATCH", `/webhooks/${second.id}`, { enabled: false });
    await client.create("posts", { title: "meanwhile" });
    expect(await own.round(second.id)).toEqual({ delivered: 0, failed: 0, nextAt: null });
    await client.call("PATCH", `/webhooks/${second.id}`, { enabled: true });
    await client.create("posts", { title: "after" });
    expect(await own.round(second.id)).toMatchObject({ delivered: 1 });
  });

  it("comes only to webhooks that ask for its type and its model", async () => {
    await client.model("authors", [{ name: "name", type: "string" }]);
    const narrowed = await makeWebhook(client, { events: ["record.created"], models: ["authors"] });
    const own = new Receiver(narrowed.secret);
    await client.create("posts", { title: "a" });
    const author = await client.create("authors", { name: "b" });
    await client.call("PUT", `/data/collections/authors/${author}`, { name: "c" });
    await own.round(narrowed.id);
    expect(own.got.map(({ data }) => data["id"])).toEqual([author]);
  });

  it("of a hundred records in bulk comes a hundred times, four at once", async () => {
    const operations = Array.from({ length: 100 }, (_, n) => ({ op: "create", data: { title: String(n) } }));
    expect((await client.call("POST", `${posts}/bulk`, { operations })).status).toBe(200);
    // A machine may take longer for the next attempt than for this answer, so the first ones wait for one another.
    receiver.answer = async () => {
      do await new Promise((resolve) => setTimeout(resolve, 2));
      while (receiver.mostOpen < WEBHOOKS.atOnceMax);
      return new Response();
    };
    expect(await receiver.round(webhook.id)).toMatchObject({ delivered: 100, nextAt: null });
    expect(new Set(receiver.got.map(({ data }) => data["id"])).size).toBe(100);
    expect(receiver.mostOpen).toBe(WEBHOOKS.atOnceMax);
  });
});

describe("the order", () => {
  it("of one record holds while an earlier event fails, and other records go on", async () => {
    const id = await client.create("posts", { title: "a" });
    await client.call("PUT", `${posts}/${id}`, { title: "b" });
    const other = await client.create("posts", { title: "c" });
    receiver.answer = ({ type, data }) =>
      new Response(null, { status: data["id"] === id && type === "record.created" ? 500 : 200 });
    await receiver.round(webhook.id);
    expect(receiver.got.map(({ type, data }) => [type, data["id"]])).toEqual(
      expect.arrayContaining([
        ["record.created", id],
        ["record.created", other],
      ]),
    );
    expect(receiver.got).toHaveLength(2);
    receiver.answer = answering(200);
    // Not before its time.
    await receiver.round(webhook.id);
    expect(receiver.got).toHaveLength(2);
    await receiver.later(webhook.id);
    expect(receiver.got.slice(2).map(({ type, data }) => [type, data["id"]])).toEqual([
      ["record.created", id],
      ["record.updated", id],
    ]);
  });

  it("goes on when an event is given up", async () => {
    const id = await client.create("posts", { title: "a" });
    await client.call("PUT", `${posts}/${id}`, { title: "b" });
    receiver.answer = ({ type }) => new Response(null, { status: type === "record.created" ? 500 : 200 });
    const start = receiver.now;
    const times: number[] = [];
    await receiver.round(webhook.id);
    for (let n = 0; n < WEBHOOKS.retryMs.length; n++) {
      await receiver.later(webhook.id);
      times.push(receiver.now - start);
    }
    expect(times).toEqual(RETRY_TIMES);
    expect(typesOf()).toEqual([
      ...Array<string>(WEBHOOKS.retryMs.length + 1).fill("record.created"),
      "record.updated",
    ]);
    // Each attempt has the same id, by which the receiver knows it.
    expect(new Set(receiver.got.slice(0, -1).map((got) => got.id)).size).toBe(1);
    const [created] = (await listDeliveries(client, webhook.id)).filter(
      ({ event }) => event === "record.created",
    );
    expect(created).toMatchObject({ state: "failed", nextAttemptAt: null });
    expect(created?.attempts).toHaveLength(WEBHOOKS.retryMs.length + 1);
    expect((await stateOf())["enabled"]).toBe(true);
  });

  it("of a record holds over rounds that run at the same time", async () => {
    const ids = await Promise.all([1, 2, 3].map((n) => client.create("posts", { title: String(n) })));
    for (let n = 0; n < 5; n++)
      for (const id of ids) await client.call("PUT", `${posts}/${id}`, { title: `change ${n}` });
    receiver.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
      return new Response();
    };
    for (let n = 0; n < 5; n++)
      await Promise.all(Array.from({ length: 4 }, () => receiver.round(webhook.id)));
    for (const id of ids) {
      const versions = receiver.got
        .filter(({ data }) => data["id"] === id)
        .map(({ data }) => data["version"]);
      expect(versions).toEqual([1, 2, 3, 4, 5, 6]);
    }
    expect(receiver.mostOpen).toBeLessThanOrEqual(WEBHOOKS.atOnceMax);
    expect(receiver.got).toHaveLength(18);
  });
});

describe("a crash", () => {
  it("between attempt and row has the event sent again, when the lease is over", async () => {
    await client.create("posts", { title: "a" });
    receiver.answer = () => new Promise(() => undefined);
    void receiver.round(webhook.id);
    while (receiver.got.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const after = new Receiver(webhook.secret);
    expect(await after.round(webhook.id)).toMatchObject({ delivered: 0 });
    after.now = receiver.now + WEBHOOKS.leaseMs;
    expect(await after.round(webhook.id)).toMatchObject({ delivered: 1, nextAt: null });
    expect(after.got[0]?.id).toBe(receiver.got[0]?.id);
  });

  it("before deliveries are made loses nothing: the events are the outbox", async () => {
    for (let n = 0; n < 3; n++) await client.create("posts", { title: String(n) });
    await expect(
      receiver.round(webhook.id, {
        db: new Proxy(receiver.tools().db, {
          get(target, property) {
            if (property === "$client") throw new Error("killed");
            return Reflect.get(target, property, target) as unknown;
          },
        }),
      }),
    ).rejects.toThrow("killed");
    expect(await receiver.round(webhook.id)).toMatchObject({ delivered: 3 });
  });
});
