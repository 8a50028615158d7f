/** Records published and unpublished at a time (RULES 3.12): once, in time, after an outage too. */
import { describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { takeDueSteps } from "../../../src/edge/sweep/schedules.ts";
import type { Client } from "../support/api.ts";
import { expectConsistent } from "../support/content/content-crash.ts";
import { FIELDS, makePosts, makePublished, POSTS, publish, unpublish } from "../support/content/drafts.ts";
import { failingD1 } from "../support/bindings/failing-d1.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

const db = database(bindings.DB);
const HOUR_MS = 3_600_000;

const inHours = (hours: number): { at: string } => ({
  at: new Date(Date.now() + hours * HOUR_MS).toISOString(),
});

const sweepIn = (hours: number) => runSweep(Date.now() + hours * HOUR_MS);

const draft = async (client: Client, id: string) =>
  (await client.call("GET", `${POSTS}/${id}?status=draft`)).data;

const isPublic = async (client: Client, id: string): Promise<boolean> =>
  (await client.call("GET", `${POSTS}/${id}`)).status === 200;

const events = async (client: Client, id: string): Promise<string[]> =>
  (await client.call<{ event: string }[]>("GET", `${POSTS}/${id}/versions`)).data.map(({ event }) => event);

describe("a plan", () => {
  it("publishes the draft of that time, once, and not before", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "one" });
    const asked = inHours(2);
    const planned = await publish(client, id, asked);
    expect(planned.data).toMatchObject({
      status: "draft",
      version: 1,
      publishAt: asked.at,
      publishedAt: null,
    });
    await client.call("PUT", `${POSTS}/${id}`, { title: "two" });
    expect((await sweepIn(1)).scheduledSteps).toBe(0);
    expect(await isPublic(client, id)).toBe(false);
    expect((await sweepIn(2.01)).scheduledSteps).toBe(1);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({ title: "two", version: 2 });
    expect(await draft(client, id)).toMatchObject({ status: "published", publishAt: null });
    await client.call("PUT", `${POSTS}/${id}`, { title: "three" });
    expect((await sweepIn(3)).scheduledSteps).toBe(0);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({ title: "two" });
    expect(await events(client, id)).toEqual(["updated", "published", "updated", "created"]);
    await expectConsistent();
  });

  it("has edge copies invalidated before the other steps of the sweep, which may take minutes", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "one" });
    await publish(client, id, inHours(1));
    const removed = await makePosts();
    await removed.call("DELETE", "", { confirm: removed.space.name });
    const calls: string[] = [];
    const published: Promise<boolean>[] = [];
    await runSweep(Date.now() + 1.01 * HOUR_MS, {
      invalidate: () => {
        calls.push("invalidate");
        published.push(isPublic(client, id));
      },
      clearQueue: (spaceId) => Promise.resolve(void calls.push(spaceId)),
    });
    expect(calls[0]).toBe("invalidate");
    expect(calls).toContain(removed.space.id);
    expect(await Promise.all(published)).toEqual([true]);
  });

  it("unpublishes", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "one" });
    expect((await unpublish(client, id, inHours(1))).data).toMatchObject({ status: "published" });
    expect(await isPublic(client, id)).toBe(true);
    await sweepIn(1.01);
    expect(await isPublic(client, id)).toBe(false);
    expect(await draft(client, id)).toMatchObject({ status: "draft", unpublishAt: null });
    expect((await events(client, id))[0]).toBe("unpublished");
  });

  it("is carried out in the order of the times after an outage", async () => {
    const client = await makePosts();
    const [shown, hidden] = [
      await client.create("posts", { title: "a" }),
      await client.create("posts", { title: "b" }),
    ];
    await unpublish(client, shown, inHours(1));
    await publish(client, shown, inHours(2));
    await publish(client, hidden, inHours(1));
    await unpublish(client, hidden, inHours(2));
    expect((await sweepIn(48)).scheduledSteps).toBe(4);
    expect([await isPublic(client, shown), await isPublic(client, hidden)]).toEqual([true, false]);
  });

  it("is cancelled by null, and by doing it now", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "a" });
    await publish(client, id, inHours(1));
    expect((await publish(client, id, { at: null })).data["publishAt"]).toBeNull();
    await publish(client, id, inHours(1));
    await unpublish(client, id, inHours(2));
    expect((await publish(client, id)).data).toMatchObject({ status: "published", publishAt: null });
    expect((await draft(client, id))["unpublishAt"]).not.toBeNull();
    expect((await unpublish(client, id)).data).toMatchObject({ status: "draft", unpublishAt: null });
    expect((await sweepIn(3)).scheduledSteps).toBe(0);
  });

  it("for a past time is carried out at once", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "a" });
    expect((await publish(client, id, inHours(-1))).data).toMatchObject({
      status: "published",
      publishAt: null,
    });
    for (const at of ["tomorrow", 5, "2026-13-01T00:00:00Z"])
      expect((await publish(client, id, { at })).status).toBe(400);
  });

  it("is dropped when the draft is incomplete at that time, and when drafts are switched off", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { slug: "a" });
    expect((await publish(client, id, inHours(1))).status).toBe(200);
    const other = await makePublished(client, { title: "b" });
    await unpublish(client, other, inHours(1));
    await sweepIn(2);
    expect(await isPublic(client, id)).toBe(false);
    expect(await draft(client, id)).toMatchObject({ status: "draft", publishAt: null });
    await client.call("DELETE", `${POSTS}/${id}`);
    await client.call("DELETE", `/trash/${id}`);
    await publish(client, other);
    await unpublish(client, other, inHours(1));
    const off = await client.call("PUT", "/models/collections/posts", { fields: FIELDS, drafts: false });
    expect(off.status).toBe(200);
    await sweepIn(2);
    expect(await isPublic(client, other)).toBe(true);
    expect((await sweepIn(3)).scheduledSteps).toBe(0);
  });

  it("waits while the record is in the trash", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "a" });
    await publish(client, id, inHours(1));
    await client.call("DELETE", `${POSTS}/${id}`);
    expect((await sweepIn(2)).scheduledSteps).toBe(0);
    await client.call("POST", `/trash/${id}/restore`);
    expect((await sweepIn(2)).scheduledSteps).toBe(1);
    expect(await isPublic(client, id)).toBe(true);
  });

  it("that fails does not prevent others, and is carried out by the next run", async () => {
    const client = await makePosts();
    const [first, second] = [
      await client.create("posts", { title: "a" }),
      await client.create("posts", { title: "b" }),
    ];
    await publish(client, first, inHours(1));
    await publish(client, second, inHours(2));
    // No API stores this: every read of the first record fails.
    const data = (text: string) =>
      bindings.DB.prepare("UPDATE records SET data = ? WHERE id = ?").bind(text, first).run();
    await data("{");
    const events: Record<string, unknown>[] = [];
    const now = Date.now() + 3 * HOUR_MS;
    expect(await takeDueSteps(db, now, (event) => events.push(event))).toBe(1);
    expect(events.map(({ event }) => event)).toEqual(["schedule-failed"]);
    expect(await isPublic(client, second)).toBe(true);
    await data('{"1":"a"}');
    expect((await sweepIn(3)).scheduledSteps).toBe(1);
    expect(await isPublic(client, first)).toBe(true);
  });

  it("is tried alone when what was done together with others is lost", async () => {
    const client = await makePosts();
    const ids = [await client.create("posts", { title: "a" }), await client.create("posts", { title: "b" })];
    for (const id of ids) await publish(client, id, inHours(1));
    // After the list and the records, their publishing.
    const lost = failingD1(bindings.DB, { call: 2, at: "before" });
    const now = Date.now() + 3 * HOUR_MS;
    expect(await takeDueSteps(database(lost.db), now, (event) => expect(event).toEqual(null))).toBe(2);
    expect(lost.failed()).toBe(true);
    for (const id of ids) expect(await events(client, id)).toEqual(["published", "created"]);
  });

  it("is carried out once by two sweeps at the same time", async () => {
    const client = await makePosts();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await client.create("posts", { title: `t${n}` }));
    for (const id of ids) await publish(client, id, inHours(1));
    await Promise.all([sweepIn(2), sweepIn(2), sweepIn(2)]);
    for (const id of ids) expect(await events(client, id)).toEqual(["published", "created"]);
    await expectConsistent();
  });
});
