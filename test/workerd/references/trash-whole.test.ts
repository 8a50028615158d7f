/** A trash entry takes plans and published contents with it, and gives them back. */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { expectConsistent } from "../support/content-crash.ts";
import { makePosts, makePublished, POSTS, publish, unpublish } from "../support/drafts.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

const HOUR_MS = 3_600_000;
const PAGE = "/data/pages/home";

const inHours = (hours: number): { at: string } => ({
  at: new Date(Date.now() + hours * HOUR_MS).toISOString(),
});
const sweepIn = (hours: number) => runSweep(Date.now() + hours * HOUR_MS);
/** A time that is over, set where the API would not: as if the test had waited. */
const PAST = Date.now() - HOUR_MS;

async function letPass(column: "publish_at" | "unpublish_at"): Promise<void> {
  await bindings.DB.prepare(`UPDATE records SET ${column} = ?1 WHERE ${column} IS NOT NULL`).bind(PAST).run();
}

async function makePage(): Promise<Client> {
  const client = await Client.make();
  const fields = [{ name: "headline", type: "string", default: "Hello" }];
  const reply = await client.call("POST", "/models", {
    typeModel: "pages",
    name: "home",
    fields,
    drafts: true,
  });
  expect(reply.status).toBe(201);
  return client;
}

const step = (client: Client, name: "publish" | "unpublish", body: object = {}) =>
  client.call("POST", `${PAGE}/home/${name}`, body);
const put = (client: Client, headline: string | null) => client.call("PUT", `${PAGE}/home`, { headline });
const reset = (client: Client) => client.call<{ id: string; state: string }>("DELETE", `${PAGE}/home`);
const restore = (client: Client, id: string) => client.call("POST", `/trash/${id}/restore`);
const draftOf = async (client: Client) => (await client.call("GET", `${PAGE}/home?status=draft`)).data;
const published = (client: Client) => client.call("GET", `${PAGE}/home`);
const entries = async (client: Client) => (await client.call<{ id: string }[]>("GET", "/trash")).data;

describe("the plans of what is reset or deleted", () => {
  it("go with the reset of a page that is at its defaults, and nothing else of it changes", async () => {
    for (const name of ["publish", "unpublish"] as const) {
      const client = await makePage();
      await step(client, name, inHours(1));
      const answer = await reset(client);
      expect(answer.data).toEqual({ id: "home", state: "removed" });
      expect(await draftOf(client)).toMatchObject({ version: 1, publishAt: null, unpublishAt: null });
      expect((await sweepIn(2)).scheduledSteps).toBe(0);
      expect((await published(client)).status).toBe(404);
      expect(await entries(client)).toEqual([]);
    }
  });

  it("go with a page's content, and come back while they are to come", async () => {
    const client = await makePage();
    await put(client, "Planned");
    const { at } = inHours(1);
    await step(client, "publish", { at });
    const { id } = (await reset(client)).data;
    expect(await draftOf(client)).toMatchObject({ headline: "Hello", publishAt: null });
    await restore(client, id);
    expect(await draftOf(client)).toMatchObject({ headline: "Planned", publishAt: at });
    const again = (await reset(client)).data.id;
    await letPass("publish_at");
    await restore(client, again);
    expect(await draftOf(client)).toMatchObject({ headline: "Planned", publishAt: null });
    expect((await sweepIn(2)).scheduledSteps).toBe(0);
    await expectConsistent();
  });

  it("of a record that is restored are dropped once they are past, and kept while they are to come", async () => {
    const client = await makePosts();
    const waiting = await client.create("posts", { title: "waiting" });
    const shown = await makePublished(client, { title: "shown" });
    const { at } = inHours(1);
    await publish(client, waiting, { at });
    await unpublish(client, shown, { at });
    for (const id of [waiting, shown]) {
      await client.call("DELETE", `${POSTS}/${id}`);
      await restore(client, id);
    }
    const draft = async (id: string) => (await client.call("GET", `${POSTS}/${id}?status=draft`)).data;
    expect(await draft(waiting)).toMatchObject({ publishAt: at, status: "draft" });
    expect(await draft(shown)).toMatchObject({ unpublishAt: at, status: "published" });
    for (const id of [waiting, shown]) await client.call("DELETE", `${POSTS}/${id}`);
    await letPass("publish_at");
    await letPass("unpublish_at");
    for (const id of [waiting, shown]) expect((await restore(client, id)).status).toBe(200);
    expect(await draft(waiting)).toMatchObject({ publishAt: null, status: "draft" });
    expect(await draft(shown)).toMatchObject({ unpublishAt: null, status: "published" });
    expect((await sweepIn(2)).scheduledSteps).toBe(0);
    await expectConsistent();
  });
});

describe("a page that is reset", () => {
  it("keeps draft and published content in one entry, and both come back", async () => {
    const client = await makePage();
    await put(client, "Shown");
    await step(client, "publish");
    const { publishedAt } = (await published(client)).data;
    await put(client, "Draft");
    const { id } = (await reset(client)).data;
    expect((await published(client)).status).toBe(404);
    expect(await entries(client)).toHaveLength(1);
    const reader = { key: await client.key("read") };
    expect((await client.call("GET", `/trash/${id}`, undefined, reader)).data["content"]).toMatchObject({
      id: "home",
      headline: "Shown",
    });
    expect((await client.call("GET", `/trash/${id}`)).data["content"]).toMatchObject({ headline: "Draft" });
    expect((await restore(client, id)).status).toBe(200);
    expect((await published(client)).data).toMatchObject({
      headline: "Shown",
      publishedAt,
      status: "published",
    });
    expect(await draftOf(client)).toMatchObject({ headline: "Draft", status: "changed", publishedAt });
    expect(await entries(client)).toEqual([]);
    await expectConsistent();
  });

  it("keeps its published content although the draft is at its defaults", async () => {
    const client = await makePage();
    await put(client, "Shown");
    await step(client, "publish");
    await put(client, "Hello");
    const answer = await reset(client);
    expect(answer.data.state).toBe("trashed");
    await restore(client, answer.data.id);
    expect((await published(client)).data).toMatchObject({ headline: "Shown" });
    expect(await draftOf(client)).toMatchObject({ headline: "Hello", status: "changed" });
    await expectConsistent();
  });

  it("is published again where draft and published content were one", async () => {
    const client = await makePage();
    await put(client, "Shown");
    await step(client, "publish");
    const { id } = (await reset(client)).data;
    await restore(client, id);
    expect(await draftOf(client)).toMatchObject({ headline: "Shown", status: "published" });
    expect((await published(client)).data).toMatchObject({ headline: "Shown", status: "published" });
    const events = await client.call<{ event: string }[]>("GET", `${PAGE}/home/versions`);
    expect(events.data[0]).toMatchObject({ event: "restored" });
    await expectConsistent();
  });

  it("gives way to what is restored: what it holds and shows by then goes to the trash", async () => {
    const client = await makePage();
    await put(client, "First");
    await step(client, "publish");
    const first = (await reset(client)).data.id;
    await put(client, "Second");
    await step(client, "publish");
    await restore(client, first);
    expect((await published(client)).data).toMatchObject({ headline: "First" });
    const [second] = await entries(client);
    await restore(client, second?.id ?? "");
    expect((await published(client)).data).toMatchObject({ headline: "Second" });
    expect(await draftOf(client)).toMatchObject({ headline: "Second", status: "published" });
    await expectConsistent();
  });

  it("keeps what it shows when the content that comes back was never published", async () => {
    const client = await makePage();
    await put(client, "Never shown");
    const { id } = (await reset(client)).data;
    await put(client, "Shown");
    await step(client, "publish");
    await restore(client, id);
    expect((await published(client)).data).toMatchObject({ headline: "Shown" });
    expect(await draftOf(client)).toMatchObject({ headline: "Never shown", status: "changed" });
    await expectConsistent();
  });

  it("leaves no row when its entry is removed for good", async () => {
    const client = await makePage();
    await put(client, "Shown");
    await step(client, "publish");
    await put(client, "Draft");
    const { id } = (await reset(client)).data;
    expect((await client.call("DELETE", `/trash/${id}`)).status).toBe(200);
    expect(await entries(client)).toEqual([]);
    const rows = await bindings.DB.prepare("SELECT id FROM records WHERE space_id = ?1")
      .bind(client.space.id)
      .all<{ id: string }>();
    expect(rows.results.map((row) => row.id)).toEqual(["home"]);
  });
});

describe("a restore that meets a unique value", () => {
  it("names field and record where the draft collides", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "a", slug: "taken" });
    await client.call("DELETE", `${POSTS}/${id}`);
    const holder = await client.create("posts", { title: "b", slug: "taken" });
    const { status, error } = await restore(client, id);
    expect([status, error.code]).toEqual([409, "CONFLICT"]);
    expect(error.details?.map(({ path }) => path)).toEqual(["slug"]);
    expect(error.details?.[0]?.message).toContain(holder);
  });

  it("names them where the published content alone collides", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "a", slug: "shown" });
    await client.call("PUT", `${POSTS}/${id}`, { slug: "draft" });
    await client.call("DELETE", `${POSTS}/${id}`);
    const holder = await client.create("posts", { title: "b", slug: "shown" });
    const { status, error } = await restore(client, id);
    expect([status, error.code]).toEqual([409, "CONFLICT"]);
    expect(error.details?.map(({ path }) => path)).toEqual(["slug"]);
    expect(error.details?.[0]?.message).toContain(holder);
    await client.call("PUT", `${POSTS}/${holder}`, { slug: "other" });
    expect((await restore(client, id)).status).toBe(200);
  });
});
