/** Every change of a record has one event, in the batch of the change (RULES 14.1, 14.2). */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { runSweep } from "../support/sweep.ts";
import { actionsOf, eventsOf } from "./support.ts";

const LIST = "/data/collections/posts";
const DAY_MS = 86_400_000;

async function make(options: object = {}): Promise<Client> {
  const client = await Client.make();
  const fields = [
    { name: "title", type: "string", unique: true },
    { name: "n", type: "number" },
  ];
  await client.call("POST", "/models", { typeModel: "collections", name: "posts", fields, ...options });
  return client;
}

describe("a write of a record", () => {
  it("has one event that names actor, request, target and change", async () => {
    const client = await make();
    const key = await client.key("write");
    const id = await client.create("posts", { title: "a" });
    const changed = await client.call("PUT", `${LIST}/${id}`, { title: "b", n: 1 }, { key });
    expect(await eventsOf(client, "record")).toEqual([
      {
        action: "record.created",
        actor: "root",
        name: "root",
        target: id,
        model: "collections/posts",
        facts: { changed: ["title"], version: 1 },
        requestId: expect.any(String) as string,
        count: 1,
      },
      {
        action: "record.updated",
        actor: "key",
        name: "write",
        target: id,
        model: "collections/posts",
        facts: { changed: ["title", "n"], version: 2 },
        requestId: changed.headers.get("X-Request-Id"),
        count: 1,
      },
    ]);
  });

  it("that changes nothing, or is refused, has none", async () => {
    const client = await make();
    const id = await client.create("posts", { title: "a" });
    await client.create("posts", { title: "taken" });
    const before = await actionsOf(client);
    await client.call("PUT", `${LIST}/${id}`, { title: "a" });
    expect((await client.call("PUT", `${LIST}/${id}`, { title: "taken" })).status).toBe(409);
    expect((await client.call("PUT", `${LIST}/${id}`, { n: "x" })).status).toBe(400);
    const headers = { "If-Match": '"9"' };
    expect((await client.call("PUT", `${LIST}/${id}`, { n: 2 }, { headers })).status).toBe(412);
    expect(await actionsOf(client)).toEqual(before);
  });

  it("that is repeated with its Idempotency-Key has one", async () => {
    const client = await make();
    const headers = { "Idempotency-Key": "once" };
    const replies = [];
    for (let time = 0; time < 3; time++)
      replies.push(await client.call("POST", LIST, { title: "a" }, { headers }));
    expect(new Set(replies.map(({ data }) => data["id"])).size).toBe(1);
    expect(await actionsOf(client, "record")).toEqual(["record.created"]);
  });

  it("of ten at once has one each, although they try again", async () => {
    const client = await make();
    const id = await client.create("posts", { title: "a" });
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => client.call("PUT", `${LIST}/${id}`, { n: n + 1 })),
    );
    const updates = await eventsOf(client, "record.updated");
    expect(updates.map(({ facts }) => facts["version"])).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it("through its life has an event for each step", async () => {
    const client = await make({ drafts: true });
    const id = await client.create("posts", { title: "a" });
    const path = `${LIST}/${id}`;
    await client.call("POST", `${path}/publish`);
    await client.call("POST", `${path}/publish`);
    await client.call("PUT", path, { title: "b" });
    await client.call("POST", `${path}/publish`, { at: "2099-01-01T00:00:00Z" });
    await client.call("POST", `${path}/publish`, { at: "2099-01-01T00:00:00Z" });
    await client.call("POST", `${path}/publish`, { at: null });
    await client.call("POST", `${path}/unpublish`);
    await client.call("POST", `${path}/versions/1/restore`);
    await client.call("DELETE", path);
    await client.call("POST", `/trash/${id}/restore`);
    await client.call("DELETE", path);
    await client.call("DELETE", `/trash/${id}`);
    await client.call("DELETE", `/trash/${id}`);
    expect(await actionsOf(client, "record")).toEqual([
      "record.created",
      "record.published",
      "record.updated",
      "record.scheduled",
      "record.scheduled",
      "record.unpublished",
      "record.restored",
      "record.trashed",
      "record.restored",
      "record.trashed",
      "record.removed",
    ]);
  });

  it("in a bulk has an event for each operation, or none for all", async () => {
    const client = await make({ drafts: true });
    const [a, b] = [
      await client.create("posts", { title: "a" }),
      await client.create("posts", { title: "b" }),
    ];
    const before = await actionsOf(client);
    const operations = [
      { op: "create", data: { title: "c" } },
      { op: "publish", id: a },
      { op: "delete", id: b },
    ];
    const failing = [...operations, { op: "update", id: a, data: { title: "c" } }];
    expect((await client.call("POST", `${LIST}/bulk`, { operations: failing })).status).toBe(400);
    expect(await actionsOf(client)).toEqual(before);
    expect((await client.call("POST", `${LIST}/bulk`, { operations })).status).toBe(200);
    expect((await actionsOf(client)).slice(before.length)).toEqual([
      "record.created",
      "record.published",
      "record.trashed",
    ]);
  });

  it("of a page names the page", async () => {
    const client = await Client.make();
    await client.model("home", [{ name: "title", type: "string" }], "pages");
    await client.call("PUT", "/data/pages/home/home", { title: "a" });
    const reset = await client.call<{ id: string }>("DELETE", "/data/pages/home/home");
    await client.call("POST", `/trash/${reset.data.id}/restore`);
    const events = await eventsOf(client, "record");
    expect(events.map(({ action, target, model }) => [action, target, model])).toEqual([
      ["record.updated", "home", "pages/home"],
      ["record.trashed", "home", "pages/home"],
      ["record.restored", "home", "pages/home"],
    ]);
  });
});

describe("the sweep", () => {
  it("publishes and removes as the service itself", async () => {
    const client = await make({ drafts: true });
    const id = await client.create("posts", { title: "a" });
    const inAMinute = Date.now() + 60_000;
    await client.call("POST", `${LIST}/${id}/publish`, { at: new Date(inAMinute).toISOString() });
    await runSweep(inAMinute + 1);
    await client.call("DELETE", `${LIST}/${id}`);
    for (let run = 0; run < 3; run++) await runSweep(Date.now() + 40 * DAY_MS);
    const events = await eventsOf(client, "record");
    expect(
      events.slice(-3).map(({ action, actor, name, requestId }) => [action, actor, name, requestId]),
    ).toEqual([
      ["record.published", "system", "system", null],
      ["record.trashed", "root", "root", expect.any(String)],
      ["record.removed", "system", "system", null],
    ]);
  });
});
