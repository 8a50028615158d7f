/** References whose target is gone: filtered as they are populated (RULES 3.4), and left out of a version on demand. */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";

const POSTS = "/data/collections/posts";

async function makeModels(drafts = false): Promise<Client> {
  const client = await Client.make();
  const target = [{ name: "name", type: "string" }];
  await client.call("POST", "/models", { typeModel: "collections", name: "people", fields: target, drafts });
  await client.model("posts", [
    { name: "title", type: "string" },
    { name: "author", type: "relation", to: "people" },
    { name: "readers", type: "relation", to: "people", multiple: true },
    { name: "cover", type: "media" },
    { name: "gallery", type: "media", multiple: true },
  ]);
  return client;
}

const titled = async (client: Client, query: string): Promise<string[]> =>
  (await client.call<{ title: string }[]>("GET", `${POSTS}?sort=title&${query}`)).data.map(
    ({ title }) => title,
  );

describe("a filter by null", () => {
  it("finds references whose target is gone, single and in lists, of records and media", async () => {
    const client = await makeModels();
    const person = () => client.create("people", { name: "p" });
    const [kept, gone, mixed] = [await person(), await person(), await person()];
    const [picture, lost] = [(await makeMedia(client.space)).id, (await makeMedia(client.space)).id];
    await client.create("posts", {
      title: "all",
      author: kept,
      readers: [kept],
      cover: picture,
      gallery: [picture],
    });
    await client.create("posts", {
      title: "gone",
      author: gone,
      readers: [gone],
      cover: lost,
      gallery: [lost],
    });
    await client.create("posts", { title: "mixed", readers: [mixed, kept], gallery: [lost, picture] });
    await client.create("posts", { title: "none" });
    for (const id of [gone, mixed]) await client.call("DELETE", `/data/collections/people/${id}`);
    await client.call("DELETE", `/media/${lost}`);
    for (const [field, without] of [
      ["author", ["gone", "mixed", "none"]],
      ["readers", ["gone", "none"]],
      ["cover", ["gone", "mixed", "none"]],
      ["gallery", ["gone", "none"]],
    ] as const) {
      const all = ["all", "gone", "mixed", "none"];
      const others = all.filter((title) => !(without as readonly string[]).includes(title));
      expect([field, await titled(client, `filter[${field}][null]=true`)]).toEqual([field, without]);
      expect([field, await titled(client, `filter[${field}][null]=false`)]).toEqual([field, others]);
      expect(await titled(client, `filter[or][0][${field}][null]=true`)).toEqual(without);
      const populated = await client.call<Record<string, unknown>[]>(
        "GET",
        `${POSTS}?populate=${field}&filter[${field}][null]=true&count=true`,
      );
      for (const post of populated.data) expect([null, []]).toContainEqual(post[field]);
      expect(populated.meta.total).toBe(without.length);
    }
    expect(await titled(client, "filter[cover][null]=false")).toEqual(["all"]);
    const sorted = await client.call<{ title: string }[]>(
      "GET",
      `${POSTS}?sort=cover&filter[cover][null]=true`,
    );
    expect(sorted.data.map(({ title }) => title).sort()).toEqual(["gone", "mixed", "none"]);
  });

  it("counts what is not published as gone, for readers of what is published", async () => {
    const client = await makeModels(true);
    const shown = await client.create("people", { name: "a" });
    await client.call("POST", `/data/collections/people/${shown}/publish`);
    const hidden = await client.create("people", { name: "b" });
    await client.create("posts", { title: "shown", author: shown });
    await client.create("posts", { title: "hidden", author: hidden });
    expect(await titled(client, "filter[author][null]=true")).toEqual(["hidden"]);
    expect(await titled(client, "filter[author][null]=true&status=draft")).toEqual([]);
  });

  it("asks for stored ids where a caller without a key may not read the targets", async () => {
    const client = await makeModels();
    const fields = [
      { name: "title", type: "string" },
      { name: "author", type: "relation", to: "people" },
    ];
    const model = { typeModel: "collections", name: "open", fields, public: true };
    expect((await client.call("POST", "/models", model)).status).toBe(201);
    const gone = await client.create("people", { name: "p" });
    await client.create("open", { title: "a", author: gone });
    await client.call("DELETE", `/data/collections/people/${gone}`);
    const open = await client.call<object[]>(
      "GET",
      "/data/collections/open?filter[author][null]=true",
      undefined,
      {
        key: null,
      },
    );
    expect([open.status, open.data]).toEqual([200, []]);
  });
});

describe("a version that names what is gone", () => {
  it("says which, and is restored without it on demand", async () => {
    const client = await makeModels();
    const [kept, gone] = [
      await client.create("people", { name: "a" }),
      await client.create("people", { name: "b" }),
    ];
    const lost = (await makeMedia(client.space)).id;
    const first = { title: "one", author: gone, readers: [kept, gone], cover: lost, gallery: [lost] };
    const id = await client.create("posts", first);
    await client.call("PUT", `${POSTS}/${id}`, {
      title: "two",
      author: null,
      readers: [],
      cover: null,
      gallery: [],
    });
    await client.call("DELETE", `/data/collections/people/${gone}`);
    await client.call("DELETE", `/trash/${gone}`);
    await client.call("DELETE", `/media/${lost}`);
    await client.call("DELETE", `/trash/${lost}`);
    const path = `${POSTS}/${id}/versions/1/restore`;
    const refused = await client.call("POST", path);
    expect([refused.status, refused.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(refused.error.details?.map(({ path: at }) => at).sort()).toEqual([
      "author",
      "cover",
      "gallery",
      "readers",
    ]);
    for (const { path: at, message } of refused.error.details ?? []) {
      expect(message).toContain(at === "author" || at === "readers" ? gone : lost);
    }
    expect((await client.call("POST", `${path}?dropMissing=false`)).status).toBe(400);
    expect((await client.call("POST", `${path}?dropMissing=1`)).error.code).toBe("INVALID_PARAMETER");
    const restored = await client.call("POST", `${path}?dropMissing=true`);
    expect(restored.status).toBe(200);
    expect(restored.data).toMatchObject({
      title: "one",
      author: null,
      readers: [kept],
      cover: null,
      gallery: [],
    });
  });

  it("is still refused where a required reference would be empty", async () => {
    const client = await makeModels();
    const fields = [{ name: "author", type: "relation", to: "people", required: true }];
    await client.model("books", fields);
    const [gone, kept] = [await client.create("people", {}), await client.create("people", {})];
    const id = await client.create("books", { author: gone });
    await client.call("PUT", `/data/collections/books/${id}`, { author: kept });
    await client.call("DELETE", `/data/collections/people/${gone}`);
    const path = `/data/collections/books/${id}/versions/1/restore?dropMissing=true`;
    const { status, error } = await client.call("POST", path);
    expect([status, error.details]).toEqual([400, [{ path: "author", message: "is required" }]]);
  });
});
