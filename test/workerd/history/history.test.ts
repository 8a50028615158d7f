/** Every change of a record keeps what was there before (RULES 3.13). */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { HISTORY } from "../../../src/limits.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

const db = database(bindings.DB);
const DAY_MS = 86_400_000;

interface Event {
  version: number;
  createdAt: string;
  key: { id: string; name: string } | null;
  changed: string[];
  event: string;
  record?: Record<string, unknown>;
}

const FIELDS = [
  { name: "title", type: "string", unique: true },
  { name: "n", type: "number" },
  { name: "tags", type: "relation", to: "items", multiple: true },
];

async function make(): Promise<{ client: Client; id: string; path: string }> {
  const client = await Client.make();
  await client.model("items", FIELDS);
  const id = await client.create("items", { title: "one" });
  return { client, id, path: `/data/collections/items/${id}` };
}

const eventsOf = async (client: Client, path: string): Promise<Event[]> =>
  (await client.call<Event[]>("GET", `${path}/versions?limit=100`)).data;

const seen = (events: Event[]) => events.map(({ version, event, changed }) => [version, event, ...changed]);

describe("the history of a record", () => {
  it("lists the events, latest first, and who caused them", async () => {
    const { client, id, path } = await make();
    const key = await client.key("write");
    await client.call("PUT", path, { n: 2, tags: [id] }, { key });
    await client.call("PUT", path, { n: 2 });
    await client.call("DELETE", path, undefined, { key });
    expect((await client.call("GET", `${path}/versions`)).status).toBe(404);
    await client.call("POST", `/trash/${id}/restore`, undefined, { key });
    const events = await eventsOf(client, path);
    expect(seen(events)).toEqual([
      [2, "restored"],
      [2, "trashed"],
      [2, "updated", "n", "tags"],
      [1, "created", "title"],
    ]);
    expect(events.map((event) => event.key?.name ?? null)).toEqual(["write", "write", "write", null]);
    expect(events[2]?.key?.id).toMatch(/^[0-9A-Z]{26}$/);
  });

  it("has each version as it was, and no other", async () => {
    const { client, id, path } = await make();
    const contents: unknown[] = [(await client.call("GET", path)).data];
    for (const body of [{ n: 1 }, { title: "two", n: null }, { tags: [id] }])
      contents.push((await client.call("PUT", path, body)).data);
    for (const [index, content] of contents.entries()) {
      const version = await client.call<Event>("GET", `${path}/versions/${index + 1}`);
      expect(version.data.record).toEqual(content);
    }
    for (const other of ["5", "0", "-1", "1.0", "x", "99999999999999999999"])
      expect((await client.call("GET", `${path}/versions/${other}`)).status).toBe(404);
  });

  it("has pages that neither repeat nor miss an event", async () => {
    const { client, path } = await make();
    for (let n = 0; n < 6; n++) await client.call("PUT", path, { n });
    const all = await eventsOf(client, path);
    const paged: Event[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await client.call<Event[]>("GET", `${path}/versions?limit=2${query}`);
      paged.push(...page.data);
      cursor = page.meta.nextCursor;
    }
    expect(all).toHaveLength(7);
    expect(paged).toEqual(all);
  });

  it("requires a key that may see drafts", async () => {
    const { client, path } = await make();
    const statuses = async (role: string) => {
      const key = await client.key(role);
      const calls = [`${path}/versions`, `${path}/versions/1`, `${path}/versions/9`];
      const replies = await Promise.all(calls.map((p) => client.call("GET", p, undefined, { key })));
      return replies.map(({ status }) => status);
    };
    expect(await statuses("read")).toEqual([403, 403, 403]);
    expect(await statuses("preview")).toEqual([200, 200, 404]);
    const preview = await client.key("preview");
    const restored = await client.call("POST", `${path}/versions/1/restore`, undefined, { key: preview });
    expect(restored.status).toBe(403);
  });
});

describe("a version restored", () => {
  it("is the content again, as a new version", async () => {
    const { client, path } = await make();
    await client.call("PUT", path, { title: "two", n: 5 });
    const restored = await client.call("POST", `${path}/versions/1/restore`);
    expect(restored.data).toMatchObject({ title: "one", n: null, version: 3 });
    expect(restored.headers.get("ETag")).toMatch(/^"3-/);
    expect(seen(await eventsOf(client, path))[0]).toEqual([3, "restored", "title", "n"]);
    const list = await client.call<object[]>("GET", "/data/collections/items?filter[title][eq]=one");
    expect(list.data).toHaveLength(1);
    const again = await client.call("POST", `${path}/versions/1/restore`);
    expect([again.status, again.data["version"]]).toEqual([200, 3]);
  });

  it("is refused when it no longer fits the model, and when the record has another version by then", async () => {
    const { client, path } = await make();
    await client.call("PUT", path, { title: "two", n: 50 });
    await client.call("PUT", path, { n: 5 });
    await client.create("items", { title: "one" });
    expect((await client.call("POST", `${path}/versions/1/restore`)).status).toBe(409);
    const fields = [FIELDS[0], { name: "n", type: "number", max: 10 }, FIELDS[2]];
    expect((await client.call("PUT", "/models/collections/items", { fields })).status).toBe(200);
    const misfit = await client.call("POST", `${path}/versions/2/restore`);
    expect([misfit.status, misfit.error.details?.map(({ path: at }) => at)]).toEqual([400, ["n"]]);
    const headers = { "If-Match": '"2-1"' };
    expect((await client.call("POST", `${path}/versions/1/restore`, undefined, { headers })).status).toBe(
      412,
    );
    expect((await client.call("GET", path)).data).toMatchObject({ title: "two", n: 5, version: 3 });
  });
});

describe("a record that is older than the history", () => {
  it("has its content as its first event, and keeps it when it changes", async () => {
    const { client, path } = await make();
    await client.call("PUT", path, { n: 1 });
    await bindings.DB.prepare("DELETE FROM record_versions").run();
    expect(seen(await eventsOf(client, path))).toEqual([[2, "updated"]]);
    expect((await client.call<Event>("GET", `${path}/versions/2`)).data.record).toMatchObject({ n: 1 });
    await client.call("PUT", path, { n: 2 });
    expect(seen(await eventsOf(client, path))).toEqual([
      [3, "updated", "n"],
      [2, "updated"],
    ]);
    expect((await client.call("POST", `${path}/versions/2/restore`)).data).toMatchObject({
      n: 1,
      version: 4,
    });
  });
});

describe("a page", () => {
  it("keeps the content from before a reset", async () => {
    const client = await Client.make();
    await client.model("front", [{ name: "headline", type: "string", default: "Hello" }], "pages");
    const path = "/data/pages/front/front";
    await client.call("PUT", path, { headline: "Edited" });
    const { data } = await client.call<{ id: string }>("DELETE", path);
    await client.call("POST", `/trash/${data.id}/restore`);
    expect(seen(await eventsOf(client, path))).toEqual([
      [4, "restored", "headline"],
      [3, "trashed", "headline"],
      [2, "updated", "headline"],
      [1, "created"],
    ]);
    const back = await client.call("POST", `${path}/versions/1/restore`);
    expect(back.data).toMatchObject({ headline: "Hello", version: 5 });
  });
});

describe("what is kept", () => {
  it("has a limited number of events, and always the present one", async () => {
    const { client, path } = await make();
    const max = HISTORY.eventsPerRecordMax;
    for (let n = 1; n < max; n++) await client.call("PUT", path, { n });
    expect(await eventsOf(client, path)).toHaveLength(max);
    await client.call("PUT", path, { n: 0 });
    const events = await eventsOf(client, path);
    expect([events.length, events[0]?.version, events.at(-1)?.version]).toEqual([max, max + 1, 2]);
    expect((await client.call("GET", `${path}/versions/1`)).status).toBe(404);
  });

  it("removes an event the given number of days after other content replaced it", async () => {
    const { client, path } = await make();
    expect((await client.call("PATCH", "", { plan: { historyDays: 10 } })).data["plan"]).toMatchObject({
      trashRetentionDays: 30,
      historyDays: 10,
    });
    await client.call("PUT", path, { n: 1 });
    await runSweep(Date.now() + 9 * DAY_MS);
    expect(await eventsOf(client, path)).toHaveLength(2);
    expect((await runSweep(Date.now() + 11 * DAY_MS)).purgedVersions).toBeGreaterThan(0);
    expect(seen(await eventsOf(client, path))).toEqual([[2, "updated", "n"]]);
    await runSweep(Date.now() + 1000 * DAY_MS);
    expect(await eventsOf(client, path)).toHaveLength(1);
  });

  it("is removed with the record", async () => {
    const { client, id, path } = await make();
    const count = () =>
      db.get<{ n: number }>(sql`SELECT count(*) AS n FROM record_versions v
      WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.seq = v.record)`);
    await client.call("PUT", path, { n: 1 });
    await client.call("DELETE", path);
    await client.call("DELETE", `/trash/${id}`);
    expect((await count()).n).toBe(0);
    const other = await client.create("items", { title: "two" });
    await client.call("DELETE", `/data/collections/items/${other}`);
    await runSweep(Date.now() + 31 * DAY_MS);
    expect((await client.call<object[]>("GET", "/trash")).data).toEqual([]);
    expect((await count()).n).toBe(0);
    await client.call("PATCH", "", { plan: { trashRetentionDays: 0 } });
    const third = await client.create("items", { title: "three" });
    await client.call("DELETE", `/data/collections/items/${third}`);
    expect((await count()).n).toBe(0);
  });
});
