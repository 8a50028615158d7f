/** The audit of a space: its lines, filters, pages, refusals and retention (RULES 14.3, 14.4, 14.5). */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { database, prepareSql } from "../../../src/edge/storage/database/database.ts";
import { eventsStatement } from "../../../src/edge/storage/events/list-events.ts";
import { EVENTS, MINUTE_MS } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { moveClock } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { actionsOf } from "./support.ts";

const db = database(bindings.DB);

interface Line {
  at: string;
  actor: { kind: string; id: string; name: string };
  action: string;
  target: { kind: string; id: string; model?: string; typeModel?: string; title?: string | null };
  requestId: string | null;
  count?: number;
}

const read = async (client: Client, query = ""): Promise<Line[]> =>
  (await client.call<Line[]>("GET", `/audit${query}`)).data;

const actions = async (client: Client, query: string): Promise<string[]> =>
  (await read(client, query)).map(({ action }) => action);

let client: Client;
let post: string;
let writer: { id: string; key: string };

beforeAll(async () => {
  client = await Client.make();
  await client.model("posts", [{ name: "title", type: "string" }]);
  const made = await client.call<{ id: string; key: string }>("POST", "/keys", {
    name: "Ada",
    role: "write",
  });
  writer = made.data;
  post = await client.create("posts", { title: "a" });
  for (const title of ["b", "c"])
    await client.call("PUT", `/data/collections/posts/${post}`, { title }, { key: writer.key });
});

describe("the audit", () => {
  it("lists who changed what, newest first", async () => {
    const lines = await read(client);
    expect(lines.map(({ action, actor, target }) => [action, actor.name, target.kind, target.id])).toEqual([
      ["record.updated", "Ada", "record", post],
      ["record.updated", "Ada", "record", post],
      ["record.created", "root", "record", post],
      ["key.created", "root", "key", writer.id],
      ["model.created", "root", "model", "posts"],
    ]);
    expect(lines[0]).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      actor: { kind: "key", id: writer.id, name: "Ada" },
      action: "record.updated",
      target: { kind: "record", id: post, model: "posts", typeModel: "collections", title: "c" },
      requestId: expect.any(String) as string,
    });
  });

  it("is filtered by actor, action, target and time, alone and together", async () => {
    expect(await actions(client, `?filter[actor]=${writer.id}`)).toEqual([
      "record.updated",
      "record.updated",
    ]);
    expect(await actions(client, "?filter[actor]=root")).toHaveLength(3);
    expect(await actions(client, "?filter[action]=record.created")).toEqual(["record.created"]);
    expect(await actions(client, "?filter[target]=posts")).toEqual(["model.created"]);
    expect(await actions(client, `?filter[target]=${post}&filter[actor]=root`)).toEqual(["record.created"]);
    expect(await actions(client, `?filter[target]=${post}&filter[action]=key.created`)).toEqual([]);
    const [newest, ...rest] = await read(client);
    const oldest = rest.at(-1);
    expect(await actions(client, `?from=${newest?.at ?? ""}`)).toContain("record.updated");
    expect(await actions(client, "?from=2099-01-01T00:00:00Z")).toEqual([]);
    expect(await actions(client, `?to=${oldest?.at ?? ""}`)).toContain("model.created");
    expect(await actions(client, "?to=2020-01-01T00:00:00Z")).toEqual([]);
  });

  it("comes in pages that neither miss nor repeat a line", async () => {
    const whole = await read(client);
    const paged: Line[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await client.call<Line[]>("GET", `/audit?limit=2${query}`);
      paged.push(...page.data);
      cursor = page.meta.nextCursor;
    }
    expect(paged).toEqual(whole);
    const first = await client.call("GET", "/audit?limit=2");
    const foreign = `?limit=2&filter[actor]=root&cursor=${first.meta.nextCursor ?? ""}`;
    expect((await client.call("GET", `/audit${foreign}`)).status).toBe(400);
  });

  it("refuses other filters, a filter that is given twice, and what is no time", async () => {
    const twice = "?filter[actor]=a&filter[actor]=b";
    for (const query of ["?filter[name]=a", "?filter[actor][eq]=a", twice, "?from=yesterday", "?sort=at"])
      expect((await client.call("GET", `/audit${query}`)).status, query).toBe(400);
  });

  it("reads each filter from an index that is in order of time", async () => {
    const page = { limit: 10, before: { at: Date.now(), no: 1 } };
    for (const asked of [
      {},
      { actor: "a" },
      { action: "a" },
      { target: "a", actor: "b" },
      { from: 1, to: 2 },
    ]) {
      const statement = eventsStatement(client.space.id, asked, page);
      const plan = await prepareSql(db, sql`EXPLAIN QUERY PLAN ${statement}`).all<{ detail: string }>();
      const details = plan.results.map(({ detail }) => detail).join("; ");
      expect(details).toMatch(/^SEARCH events USING INDEX events_by_\w+ \(space_id=\?/);
      expect(details).not.toContain("TEMP B-TREE");
    }
  });
});

describe("a refusal", () => {
  it("of a route that needs an admin is one line per actor, action and hour, with a count", async () => {
    // The hour does not end under the test.
    moveClock(0);
    const own = await Client.make();
    const [a, b] = [await own.key("write"), await own.key("read")];
    for (let time = 0; time < 3; time++)
      expect((await own.call("GET", "/audit", undefined, { key: a })).status).toBe(403);
    await own.call("GET", "/audit", undefined, { key: b });
    await own.call("POST", "/keys", { name: "x", role: "admin" }, { key: a });
    await own.call("GET", "/keys", undefined, { key: a });
    await own.call("PATCH", "/settings", { quality: 95 }, { key: a });
    await own.call("PATCH", "", { name: "other" }, { key: a });
    await own.model("posts", [{ name: "title", type: "string" }]);
    await own.call("PUT", "/models/collections/posts", { fields: [] }, { key: a });
    const refused = (await read(own)).filter(({ action }) => action.endsWith(".refused"));
    expect(refused.map(({ action, actor, count }) => [action, actor.name, count])).toEqual([
      ["model.refused", "write", 1],
      ["space.refused", "write", 1],
      ["settings.refused", "write", 1],
      ["key.refused", "write", 2],
      ["audit.refused", "read", 1],
      ["audit.refused", "write", 3],
    ]);
  });

  it("of a handler is a line too: of a key that ends and makes members, or keys that do not", async () => {
    const own = await Client.make();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const made = await own.call("POST", "/keys", { name: "ending", role: "admin", expiresAt });
    const key = String(made.data["key"]);
    const statuses = [];
    for (const [path, body] of [
      ["/keys", { name: "a", role: "read" }],
      ["/members", { email: "ada@example.com", role: "read" }],
    ] as const)
      statuses.push((await own.call("POST", path, body, { key })).status);
    expect(statuses).toEqual([403, 403]);
    const refused = (await read(own)).filter(({ action }) => action.endsWith(".refused"));
    expect(refused.map(({ action, actor }) => [action, actor.name])).toEqual([
      ["member.refused", "ending"],
      ["key.refused", "ending"],
    ]);
  });

  it("of a route that needs another role is no line, nor is an unknown key", async () => {
    const own = await Client.make();
    const key = await own.key("read");
    const before = await actionsOf(own);
    expect((await own.call("POST", "/media/uploads", {}, { key })).status).toBe(403);
    expect((await own.call("GET", "/audit", undefined, { key: "nobody" })).status).toBe(401);
    expect((await own.call("GET", "/audit", undefined, { key: null })).status).toBe(401);
    expect(await actionsOf(own)).toEqual(before);
  });
});

describe("the sweep", () => {
  it("removes lines after 365 days, and no earlier", async () => {
    const own = await Client.make();
    await own.key("read");
    const { at } = await db.get<{ at: number }>(sql`SELECT at FROM events WHERE space_id = ${own.space.id}`);
    const minutes = EVENTS.sweepEveryMinutes * MINUTE_MS;
    const aligned = (time: number): number => Math.ceil(time / minutes) * minutes;
    await runSweep(aligned(at + EVENTS.keptMs) - minutes);
    expect(await actionsOf(own)).toEqual(["key.created"]);
    await runSweep(aligned(at + EVENTS.keptMs));
    expect(await actionsOf(own)).toEqual([]);
  });
});
