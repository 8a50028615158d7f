/** The titles of the records and media that the audit names, and their cost (RULES 14.3). */
import { expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { countedCall } from "../support/counted.ts";
import { makeMedia } from "../support/rows.ts";

interface Line {
  action: string;
  target: { kind: string; id: string; title?: string | null };
}

const LIST = "/data/collections/posts";
const read = async (client: Client, query = ""): Promise<Line[]> =>
  (await client.call<Line[]>("GET", `/audit${query}`)).data;

/** Returns the titles of the target's lines, newest first. */
const titles = async (client: Client, id: string): Promise<(string | null | undefined)[]> =>
  (await read(client, `?filter[target]=${id}`)).map(({ target }) => target.title);

it("names a record by its title as it is now, until it is deleted for good", async () => {
  const client = await Client.make();
  await client.model("posts", [
    { name: "rank", type: "number" },
    { name: "title", type: "string" },
  ]);
  const id = await client.create("posts", { title: "First" });
  expect(await titles(client, id)).toEqual(["First"]);
  await client.call("PUT", `${LIST}/${id}`, { title: "Second" });
  expect(await titles(client, id)).toEqual(["Second", "Second"]);
  await client.call("DELETE", `${LIST}/${id}`);
  expect(await titles(client, id)).toEqual(["Second", "Second", "Second"]);
  await client.call("DELETE", `/trash/${id}`);
  expect(await titles(client, id)).toEqual([null, null, null, null]);
});

it("names records of several models and pages, each by its own model", async () => {
  const client = await Client.make();
  await client.model("posts", [{ name: "title", type: "string" }]);
  await client.model("home", [{ name: "title", type: "string" }], "pages");
  const fields = [
    { name: "title", type: "string" },
    { name: "code", type: "string" },
  ];
  await client.call("POST", "/models", {
    typeModel: "collections",
    name: "home",
    fields,
    titleField: "code",
    drafts: true,
  });
  const post = await client.create("posts", { title: "A post" });
  const coded = await client.create("home", { title: "Not this one", code: "X1" });
  await client.call("PUT", "/data/pages/home/home", { title: "Welcome" });
  expect((await read(client)).map(({ target }) => [target.kind, target.id, target.title])).toEqual([
    ["record", "home", "Welcome"],
    ["record", coded, "X1"],
    ["record", post, "A post"],
    ["model", "home", undefined],
    ["model", "home", undefined],
    ["model", "posts", undefined],
  ]);
});

it("names a record by the title of the default locale", async () => {
  const client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
  await client.model("posts", [{ name: "title", type: "string", localized: true }]);
  const made = await client.call<{ id: string }>("POST", `${LIST}?locale=all`, {
    title: { en: "One", de: "Eins" },
  });
  await client.call("PUT", `${LIST}/${made.data.id}?locale=de`, { title: "Zwei" });
  expect(await titles(client, made.data.id)).toEqual(["One", "One"]);
});

it("names media by the file name, until they are deleted for good", async () => {
  const client = await Client.make();
  const { id } = await makeMedia(client.space);
  await client.call("PATCH", `/media/${id}`, { alt: "A photo" });
  await client.call("DELETE", `/media/${id}`);
  expect(await titles(client, id)).toEqual(["photo.jpg", "photo.jpg"]);
  await client.call("DELETE", `/trash/${id}`);
  expect(await titles(client, id)).toEqual([null, null, null]);
});

it("gives no title of another space, and none to refusals", async () => {
  const [client, other] = [await Client.make(), await Client.make()];
  for (const one of [client, other]) await one.model("home", [{ name: "title", type: "string" }], "pages");
  await other.call("PUT", "/data/pages/home/home", { title: "Theirs" });
  await client.call("PUT", "/data/pages/home/home", { title: "Ours" });
  expect(await titles(client, "home")).toEqual(["Ours", undefined]);
  const key = await client.key("write");
  await client.call("GET", "/keys", undefined, { key });
  const [refused] = await read(client, "?filter[action]=key.refused");
  expect(refused?.target).not.toHaveProperty("title");
});

it("costs one query, which reads the rows of the page's targets and no others", async () => {
  const client = await Client.make();
  await client.model("posts", [{ name: "title", type: "string" }]);
  const address = `/api/v1/${client.space.name}/audit`;
  const create = async (count: number): Promise<void> => {
    const operations = Array.from({ length: count }, (_, at) => ({ op: "create", data: { title: `${at}` } }));
    expect((await client.call("POST", `${LIST}/bulk`, { operations })).status).toBe(200);
  };
  const cost = async (query: string) => {
    const { queries, rowsRead, data } = await countedCall<Line[]>("GET", `${address}?limit=20&${query}`);
    return { queries, rowsRead, titled: data.filter(({ target }) => target.title).length };
  };
  await create(30);
  const few = await cost("");
  await create(90);
  const many = await cost("");
  expect(few.titled).toBe(20);
  expect(many).toEqual(few);
  const untitled = await cost("filter[action]=model.created");
  expect(untitled).toMatchObject({ titled: 0, queries: few.queries - 1 });
});
