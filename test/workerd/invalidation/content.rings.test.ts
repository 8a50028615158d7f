/** Public content's tags (RULES 10.7): written by triggers with whatever changes an answer, and by nothing else. */
import { beforeEach, describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { takeDueSteps } from "../../../src/edge/sweep/schedules.ts";
import { sweep } from "../../../src/edge/sweep/sweep.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { callFailing, type Step } from "../support/content/content-crash.ts";
import { Platform, waitingTags } from "../support/invalidation.ts";
import { atEveryFailure } from "../support/bindings/failing-d1.ts";
import { bindings, makeMedia } from "../support/rows.ts";

cleanBetweenTests();

const db = database(bindings.DB);
const POSTS = "/data/collections/posts";
const DRAFTED = "/data/collections/drafted";
const SECRETS = "/data/collections/secrets";
const TITLE = { name: "title", type: "string" };

let client: Client;
let tag: string;
beforeEach(async () => {
  client = await Client.make();
  tag = `content:${client.space.id}`;
  await make("posts", { public: true });
  await make("drafted", { public: true, drafts: true });
  await make("secrets", {});
});

const make = (name: string, options: object) =>
  client.call("POST", "/models", { typeModel: "collections", name, fields: [TITLE], ...options });

/** Returns the tags that a call leaves in the outbox, without those of earlier ones. */
async function tagsOf(method: string, path: string, body?: object): Promise<string[]> {
  await bindings.DB.prepare("DELETE FROM purges").run();
  const { status, error } = await client.call(method, path, body);
  expect(status, JSON.stringify(error)).toBeLessThan(300);
  return (await waitingTags()).filter((name) => name.startsWith("content:"));
}

describe("a change of public content is invalidated", () => {
  it("when a record is created, changed, trashed and restored", async () => {
    expect(await tagsOf("POST", POSTS, { title: "one" })).toEqual([tag]);
    const id = await client.create("posts", { title: "two" });
    expect(await tagsOf("PUT", `${POSTS}/${id}`, { title: "three" })).toEqual([tag]);
    expect(await tagsOf("PUT", `${POSTS}/${id}`, { title: "three" })).toEqual([]);
    expect(await tagsOf("DELETE", `${POSTS}/${id}`)).toEqual([tag]);
    expect(await tagsOf("POST", `/trash/${id}/restore`)).toEqual([tag]);
    const restore = `${POSTS}/${id}/versions/1/restore`;
    expect(await tagsOf("POST", restore)).toEqual([tag]);
    await client.call("DELETE", `${POSTS}/${id}`);
    expect(await tagsOf("DELETE", `/trash/${id}`)).toEqual([]);
  });

  it("when a draft is published or unpublished, and not when it is written", async () => {
    expect(await tagsOf("POST", DRAFTED, { title: "one" })).toEqual([]);
    const id = await client.create("drafted", { title: "two" });
    expect(await tagsOf("PUT", `${DRAFTED}/${id}`, { title: "three" })).toEqual([]);
    expect(await tagsOf("POST", `${DRAFTED}/${id}/publish`)).toEqual([tag]);
    expect(await tagsOf("PUT", `${DRAFTED}/${id}`, { title: "four" })).toEqual([]);
    expect(await tagsOf("POST", `${DRAFTED}/${id}/publish`, { at: "2999-01-01T00:00:00Z" })).toEqual([]);
    expect(await tagsOf("POST", `${DRAFTED}/${id}/unpublish`)).toEqual([tag]);
    await client.call("POST", `${DRAFTED}/${id}/publish`);
    expect(await tagsOf("DELETE", `${DRAFTED}/${id}`)).toEqual([tag]);
  });

  it("when a schedule publishes it", async () => {
    const id = await client.create("drafted", { title: "two" });
    await client.call("POST", `${DRAFTED}/${id}/publish`, { at: "2999-01-01T00:00:00Z" });
    expect(await takeDueSteps(db, Date.parse("2999-01-02T00:00:00Z"), () => undefined)).toBe(1);
    expect(await waitingTags()).toEqual([tag]);
  });

  it("when a bulk changes it", async () => {
    const operations = [{ op: "create", data: { title: "one" } }];
    expect(await tagsOf("POST", `${POSTS}/bulk`, { operations })).toEqual([tag]);
    expect(await tagsOf("POST", `${SECRETS}/bulk`, { operations })).toEqual([]);
  });

  it("when its model changes, becomes public or private, or is removed", async () => {
    const put = (name: string, options: object) =>
      tagsOf("PUT", `/models/collections/${name}`, { fields: [TITLE], ...options });
    expect(await put("posts", { label: "Posts" })).toEqual([tag]);
    expect(await put("secrets", { label: "Secrets" })).toEqual([]);
    expect(await put("secrets", { public: true })).toEqual([tag]);
    expect(await put("secrets", { public: false })).toEqual([tag]);
    expect(await put("posts", { drafts: true })).toEqual([tag]);
    expect(await tagsOf("DELETE", "/models/collections/posts")).toEqual([tag]);
  });

  it("when a picture that records may show changes or is removed", async () => {
    const { id } = await makeMedia(client.space);
    expect(await tagsOf("PATCH", `/media/${id}`, { alt: "other" })).toEqual([tag]);
    expect(await tagsOf("DELETE", `/media/${id}`)).toEqual([tag]);
    expect(await tagsOf("POST", `/trash/${id}/restore`)).toEqual([tag]);
    await bindings.DB.prepare("DELETE FROM purges").run();
    await bindings.DB.prepare("UPDATE masters SET thumb_hash = 'x', dominant_color = '#000000'").run();
    expect(await waitingTags()).toEqual([tag]);
  });

  it("when the space has another name or quality, or is removed", async () => {
    expect(await tagsOf("PATCH", "/settings", { quality: 95 })).toEqual([tag]);
    expect(await tagsOf("PATCH", "/settings", { adaptiveLoading: false })).toEqual([tag]);
    const name = `${client.space.name}-new`;
    expect(await tagsOf("PATCH", "", { name })).toEqual([tag]);
    client.space.name = name;
    expect(await tagsOf("DELETE", "", { confirm: name })).toEqual([tag]);
  });
});

describe("a change of content that is not public", () => {
  it("invalidates nothing", async () => {
    expect(await tagsOf("POST", SECRETS, { title: "one" })).toEqual([]);
    const id = await client.create("secrets", { title: "two" });
    expect(await tagsOf("PUT", `${SECRETS}/${id}`, { title: "three" })).toEqual([]);
    expect(await tagsOf("DELETE", `${SECRETS}/${id}`)).toEqual([]);
  });

  it("invalidates nothing in a space without public models", async () => {
    client = await Client.make();
    const { id } = await makeMedia(client.space);
    expect(await tagsOf("PATCH", `/media/${id}`, { alt: "other" })).toEqual([]);
    expect(await tagsOf("PATCH", "/settings", { quality: 95 })).toEqual([]);
  });
});

describe("a crash between a change and its invalidation", () => {
  it("leaves a tag exactly when the change was made", async () => {
    const id = await client.create("posts", { title: "before" });
    const step: Step = { method: "PUT", path: `${POSTS}/${id}`, body: { title: "after" } };
    const outcomes = new Set<boolean>();
    await atEveryFailure(async (failure) => {
      await client.call("PUT", `${POSTS}/${id}`, { title: "before" });
      await bindings.DB.prepare("DELETE FROM purges").run();
      const { lost } = await callFailing(client, step, failure);
      const { data } = await client.call<{ title: string }>("GET", `${POSTS}/${id}`);
      const isChanged = data.title === "after";
      expect(await waitingTags(), JSON.stringify(failure)).toEqual(isChanged ? [tag] : []);
      if (lost.failed()) outcomes.add(isChanged);
      return lost;
    });
    expect(outcomes).toEqual(new Set([false, true]));
  });

  it("leaves invalidations that the sweep makes", async () => {
    const id = await client.create("posts", { title: "one" });
    await client.call("PUT", `${POSTS}/${id}`, { title: "two" });
    await sweep({
      db,
      bucket: bindings.BUCKET,
      now: Date.now(),
      invalidate: () => undefined,
      clearQueue: () => Promise.resolve(),
      announce: () => Promise.resolve(),
      log: () => undefined,
    });
    const platform = new Platform();
    platform.now = Date.now() + 1000;
    await platform.drain(60_000);
    expect(platform.calls.map(({ tags }) => tags)).toEqual([[tag], [tag]]);
    expect(await waitingTags()).toEqual([]);
  });
});
