/** Versions from before a field became a list, or ceased to be one: shown, sent back and restored in its present form. */
import { beforeEach, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { expectConsistent } from "../support/content-crash.ts";
import { makeMedia } from "../support/rows.ts";

const POSTS = "/data/collections/posts";

let client: Client;

const title = { name: "title", type: "string" };
const single = { name: "r", type: "relation", to: "tags" };
const multiple = { ...single, multiple: true };
const picture = { name: "m", type: "media" };
const pictures = { ...picture, multiple: true };

cleanBetweenTests();

beforeEach(async () => {
  client = await Client.make();
  await client.model("tags", []);
});

async function makeModel(fields: object[], options: object = {}): Promise<void> {
  const model = { typeModel: "collections", name: "posts", fields: [title, ...fields], ...options };
  expect((await client.call("POST", "/models", model)).status).toBe(201);
}

async function change(fields: object[]): Promise<void> {
  const reply = await client.call("PUT", "/models/collections/posts", { fields: [title, ...fields] });
  expect([reply.status, reply.error]).toEqual([200, undefined]);
}

const versionOf = async (id: string, version: number): Promise<Record<string, unknown>> =>
  (await client.call<{ record: Record<string, unknown> }>("GET", `${POSTS}/${id}/versions/${version}`)).data
    .record;

const restore = (id: string, version: number) =>
  client.call("POST", `${POSTS}/${id}/versions/${version}/restore`);

/** Returns the fields of a shown version that a reader may send back. */
async function sendBack(id: string, shown: Record<string, unknown>): Promise<number> {
  const { title, r, m } = shown;
  return (await client.call("PUT", `${POSTS}/${id}`, { title, r, m })).status;
}

describe("a version from before the change", () => {
  it.each([
    ["a list that became a single value", [multiple, pictures], [single, picture], null],
    ["a single value that became a list", [single, picture], [multiple, pictures], []],
  ])("of %s, always empty, stays empty", async (_name, before, after, empty) => {
    await makeModel(before);
    const id = await client.create("posts", { title: "one" });
    await client.call("PUT", `${POSTS}/${id}`, { title: "two" });
    await change(after);
    const shown = await versionOf(id, 1);
    expect(shown).toMatchObject({ title: "one", r: empty, m: empty });
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({ r: empty, m: empty });
    const restored = await restore(id, 1);
    expect([restored.status, restored.data["title"], restored.data["r"]]).toEqual([200, "one", empty]);
    expect(await sendBack(id, shown)).toBe(200);
    await expectConsistent();
  });

  it.each([
    ["an id as a list of it", [single, picture], [multiple, pictures]],
    ["a list of one id as the id", [multiple, pictures], [single, picture]],
  ])("shows %s, and takes it back", async (_name, before, after) => {
    const tag = await client.create("tags", {});
    const media = (await makeMedia(client.space)).id;
    const [r, m] = before[0] === single ? [tag, media] : [[tag], [media]];
    await makeModel(before);
    const id = await client.create("posts", { r, m });
    await client.call("PUT", `${POSTS}/${id}`, { r: null, m: null });
    await change(after);
    const [asR, asM] = before[0] === single ? [[tag], [media]] : [tag, media];
    const shown = await versionOf(id, 1);
    expect(shown).toMatchObject({ r: asR, m: asM });
    const restored = await restore(id, 1);
    expect([restored.status, restored.data]).toMatchObject([200, { r: asR, m: asM }]);
    await restore(id, 2);
    expect(await sendBack(id, shown)).toBe(200);
    await expectConsistent();
  });

  it("shows a list of several ids as none where one id is held", async () => {
    const ids = [await client.create("tags", {}), await client.create("tags", {})];
    await makeModel([multiple]);
    const id = await client.create("posts", { r: ids });
    await client.call("PUT", `${POSTS}/${id}`, { r: null });
    await change([single]);
    const shown = await versionOf(id, 1);
    expect(shown["r"]).toBeNull();
    expect(await sendBack(id, shown)).toBe(200);
    expect((await restore(id, 1)).status).toBe(200);
  });

  it.each([
    ["a text", { type: "string" }, "old", { type: "number" }],
    ["a number", { type: "number" }, 5, { type: "string" }],
    ["json", { type: "json" }, { a: [1] }, { type: "text" }],
    ["a list of ids", { type: "relation", to: "tags", multiple: true }, ["tag"], { type: "boolean" }],
    ["json", { type: "json" }, { a: [1] }, { type: "relation", to: "tags", multiple: true }],
  ])("shows %s as none where the type is another one now", async (_name, before, value, after) => {
    const tag = await client.create("tags", {});
    await makeModel([{ name: "r", ...before }]);
    const held = Array.isArray(value) ? [tag] : value;
    const id = await client.create("posts", { title: "one", r: held });
    expect((await versionOf(id, 1))["r"]).toEqual(held);
    await client.call("PUT", `${POSTS}/${id}`, { title: "two", r: null });
    await change([{ name: "r", ...after }]);
    const empty = "multiple" in after ? [] : null;
    const shown = await versionOf(id, 1);
    expect(shown).toMatchObject({ title: "one", r: empty });
    expect(await sendBack(id, shown)).toBe(200);
    expect((await restore(id, 1)).status).toBe(200);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({ title: "one", r: empty });
  });

  it("takes the form of each of several changes", async () => {
    await makeModel([multiple]);
    const id = await client.create("posts", { title: "one" });
    await client.call("PUT", `${POSTS}/${id}`, { title: "two" });
    await change([single]);
    await client.call("PUT", `${POSTS}/${id}`, { title: "three" });
    await change([multiple]);
    for (const version of [1, 2, 3]) expect((await versionOf(id, version))["r"]).toEqual([]);
    for (const version of [1, 2, 3]) expect((await restore(id, version)).data["r"]).toEqual([]);
  });
});

describe("what a change finds elsewhere", () => {
  it.each([
    ["a list that became a single value", [multiple], [single], null],
    ["a single value that became a list", [single], [multiple], []],
  ])("of %s takes its form: trash, drafts, what is published", async (_name, before, after, empty) => {
    await makeModel(before, { drafts: true });
    const trashed = await client.create("posts", { title: "trashed" });
    const published = await client.create("posts", { title: "published" });
    for (const id of [trashed, published]) {
      expect((await client.call("POST", `${POSTS}/${id}/publish`)).status).toBe(200);
      await client.call("PUT", `${POSTS}/${id}`, { title: "draft" });
    }
    await client.call("DELETE", `${POSTS}/${trashed}`);
    await change(after);
    await client.call("POST", `/trash/${trashed}/restore`);
    for (const id of [trashed, published]) {
      for (const status of ["draft", "published"]) {
        expect((await client.call("GET", `${POSTS}/${id}?status=${status}`)).data["r"]).toEqual(empty);
      }
      const found = await client.call<{ id: string }[]>("GET", `${POSTS}?filter[r][null]=true`);
      expect(found.data.map(({ id }) => id)).toContain(id);
      expect((await restore(id, 1)).data["r"]).toEqual(empty);
    }
    await expectConsistent();
  });

  it("keeps the last content of a page in its trash in the present form", async () => {
    const page = { typeModel: "pages", name: "home", fields: [title, multiple] };
    expect((await client.call("POST", "/models", page)).status).toBe(201);
    const PAGE = "/data/pages/home/home";
    await client.call("PUT", PAGE, { title: "written" });
    const trashed = (await client.call<{ id: string }>("DELETE", PAGE)).data.id;
    const changed = await client.call("PUT", "/models/pages/home", { fields: [title, single] });
    expect(changed.status).toBe(200);
    expect((await client.call("POST", `/trash/${trashed}/restore`)).status).toBe(200);
    expect((await client.call("GET", PAGE)).data).toMatchObject({ title: "written", r: null });
    const versions = [1, 2];
    for (const version of versions) {
      const shown = await client.call<{ record: object }>("GET", `${PAGE}/versions/${version}`);
      expect(shown.data.record).toMatchObject({ r: null });
    }
  });
});
