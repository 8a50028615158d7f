/** Which records name a record or a media item, and deleting only what none names. */
import { beforeAll, describe, expect, it } from "vitest";
import { database, prepareSql } from "../../../src/edge/storage/database/database.ts";
import { isReferenced } from "../../../src/edge/storage/references/references.ts";
import { sql } from "drizzle-orm";
import { Client, type Reply } from "../support/api.ts";
import { bindings, makeMedia } from "../support/rows.ts";

interface Reference {
  typeModel: string;
  model: string;
  id: string;
  title: string | null;
  fields: string[];
}

let client: Client;
let cover: string;
let ada: string;
const posts: string[] = [];

beforeAll(async () => {
  client = await Client.make();
  await client.model("authors", [
    { name: "name", type: "string" },
    { name: "friend", type: "relation", to: "authors" },
  ]);
  await client.call("POST", "/models", {
    typeModel: "collections",
    name: "posts",
    label: "Posts",
    titleField: "day",
    fields: [
      { name: "headline", type: "string" },
      { name: "day", type: "datetime" },
      { name: "author", type: "relation", to: "authors" },
      { name: "editors", type: "relation", to: "authors", multiple: true },
      { name: "cover", type: "media" },
      { name: "gallery", type: "media", multiple: true },
    ],
  });
  await client.model("home", [{ name: "hero", type: "media" }], "pages");
  cover = (await makeMedia(client.space)).id;
  ada = await client.create("authors", { name: "Ada" });
  await client.call("PUT", `/data/collections/authors/${ada}`, { friend: ada });
  for (let i = 0; i < 5; i++) {
    const day = `2026-01-0${i + 1}T00:00:00.000Z`;
    posts.push(
      await client.create("posts", {
        day,
        author: ada,
        editors: i % 2 ? [ada] : [],
        gallery: [cover],
        cover,
      }),
    );
  }
  await client.call("PUT", "/data/pages/home/home", { hero: cover });
});

const read = async (path: string): Promise<Reference[]> => {
  const found: Reference[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const at: string = `${path}/references?limit=2${cursor && `&cursor=${cursor}`}`;
    const reply: Reply<Reference[]> = await client.call<Reference[]>("GET", at);
    expect(reply.error).toBeUndefined();
    found.push(...reply.data);
    cursor = reply.meta.nextCursor;
  }
  return found;
};

describe("references", () => {
  it("to a record list each record once, with its title and every field, page by page", async () => {
    const found = await read(`/data/collections/authors/${ada}`);
    expect(found.map(({ id }) => id)).toEqual([...posts].reverse().concat(ada));
    expect(found[0]).toEqual({
      typeModel: "collections",
      model: "posts",
      id: posts[4],
      title: "2026-01-05T00:00:00.000Z",
      fields: ["author"],
    });
    expect(found[1]?.fields).toEqual(["author", "editors"]);
    expect(found.at(-1)).toMatchObject({ model: "authors", title: "Ada", fields: ["friend"] });
  });

  it("to a media item are found in collections and pages", async () => {
    const found = await read(`/media/${cover}`);
    expect(found).toHaveLength(6);
    expect(found.find(({ model }) => model === "home")).toEqual({
      typeModel: "pages",
      model: "home",
      id: "home",
      title: null,
      fields: ["hero"],
    });
    expect(found[0]?.fields).toEqual(["cover", "gallery"]);
  });

  it("leave out records in the trash, and do not exist for other spaces", async () => {
    const other = await Client.make();
    await client.call("DELETE", `/data/collections/posts/${posts[0] ?? ""}`);
    expect(await read(`/data/collections/authors/${ada}`)).toHaveLength(5);
    await client.call("POST", `/trash/${posts[0] ?? ""}/restore`);
    expect(await read(`/data/collections/authors/${ada}`)).toHaveLength(6);
    expect((await other.call("GET", `/media/${cover}/references`)).status).toBe(404);
    expect((await client.call("GET", `/data/collections/authors/${posts[0] ?? ""}/references`)).status).toBe(
      404,
    );
    expect((await client.call("GET", "/data/pages/home/home/references")).data).toEqual([]);
  });

  it("are found by reading few rows, however many there are", async () => {
    const db = database(bindings.DB);
    const statement = sql`SELECT ${isReferenced({ spaceId: client.space.id, collection: "authors", id: ada })}`;
    const { meta } = await prepareSql(db, statement).all();
    expect(meta.rows_read).toBeLessThan(60);
  });
});

describe("DELETE with ifUnreferenced", () => {
  it("refuses to delete a record to which others refer, and lists them", async () => {
    for (const path of [`/data/collections/authors/${ada}`, `/media/${cover}`]) {
      const reply = await client.call("DELETE", `${path}?ifUnreferenced=true`);
      expect([path, reply.status, reply.error.code]).toEqual([path, 409, "CONFLICT"]);
      expect(reply.error.details?.[0]?.path).toMatch(/^(collections\/posts|pages\/home)\//);
      expect((await client.call("GET", path)).status).toBe(200);
    }
  });

  it("deletes a record to which only itself refers", async () => {
    const lone = await client.create("authors", { name: "Lone" });
    await client.call("PUT", `/data/collections/authors/${lone}`, { friend: lone });
    const free = (await makeMedia(client.space)).id;
    for (const path of [`/data/collections/authors/${lone}`, `/media/${free}`]) {
      expect((await client.call("DELETE", `${path}?ifUnreferenced=true`)).data["state"]).toBe("trashed");
    }
    expect((await client.call("DELETE", "/data/pages/home/home?ifUnreferenced=true")).status).toBe(200);
    expect((await client.call("DELETE", `/media/${cover}?ifUnreferenced=maybe`)).status).toBe(400);
  });

  it("also works without a trash", async () => {
    const gone = await Client.make();
    await gone.model("notes", [{ name: "pictures", type: "media", multiple: true }]);
    await bindings.DB.prepare("UPDATE spaces SET trash_retention_days = 0 WHERE id = ?")
      .bind(gone.space.id)
      .run();
    const [named, free] = [await makeMedia(gone.space), await makeMedia(gone.space)];
    const note = await gone.create("notes", { pictures: [named.id] });
    expect((await gone.call("DELETE", `/media/${named.id}?ifUnreferenced=true`)).status).toBe(409);
    expect((await gone.call("DELETE", `/media/${free.id}?ifUnreferenced=true`)).data["state"]).toBe(
      "removed",
    );
    expect((await gone.call("DELETE", `/data/collections/notes/${note}`)).status).toBe(200);
    expect((await gone.call("DELETE", `/media/${named.id}?ifUnreferenced=true`)).data["state"]).toBe(
      "removed",
    );
    expect((await gone.call("DELETE", `/media/${named.id}`)).status).toBe(404);
  });
});

describe("trash entries", () => {
  it("have a title, and by id the deleted record as it was", async () => {
    const before = await client.call("GET", `/data/collections/posts/${posts[3] ?? ""}`);
    const item = await client.call("GET", `/media/${(await makeMedia(client.space)).id}`);
    const id = String(item.data["id"]);
    await client.call("DELETE", `/data/collections/posts/${posts[3] ?? ""}`);
    await client.call("DELETE", `/media/${id}`);
    const [media, record] = (await client.call<Record<string, unknown>[]>("GET", "/trash?limit=2")).data;
    expect(media).toMatchObject({ id, kind: "media", title: "photo.jpg", filename: "photo.jpg" });
    expect(record).toMatchObject({ id: posts[3], kind: "record", title: "2026-01-04T00:00:00.000Z" });
    expect((await client.call("GET", `/trash/${id}`)).data).toEqual({ ...media, content: item.data });
    expect((await client.call("GET", `/trash/${posts[3] ?? ""}`)).data).toEqual({
      ...record,
      content: before.data,
    });
    expect((await client.call("GET", `/trash/${posts[2] ?? ""}`)).status).toBe(404);
  });

  it("of a page have its earlier content", async () => {
    await client.call("PUT", "/data/pages/home/home", { hero: cover });
    const page = await client.call("GET", "/data/pages/home/home");
    const { data } = await client.call("DELETE", "/data/pages/home/home");
    const entry = await client.call("GET", `/trash/${String(data["id"])}`);
    expect(entry.data).toMatchObject({ typeModel: "pages", model: "home", title: null, content: page.data });
  });
});

describe("a model's options", () => {
  it("have labels, stay when omitted, and follow a renamed field", async () => {
    const path = "/models/collections/posts";
    const model = await client.call<{ label: string; fields: object[]; titleField: string }>("GET", path);
    expect(model.data).toMatchObject({ label: "Posts", description: null, titleField: "day" });
    const { fields } = model.data;
    const unchanged = await client.call("PUT", path, { fields });
    expect(unchanged.data).toEqual(model.data);
    const described = await client.call("PUT", path, { fields, label: null, description: "What we write" });
    expect(described.data).toMatchObject({ label: null, description: "What we write", version: 2 });
    const renamed = fields.map((field) =>
      "name" in field && field.name === "day" ? { ...field, name: "date" } : field,
    );
    const moved = await client.call("PUT", path, { fields: renamed, rename: { day: "date" } });
    expect(moved.data).toMatchObject({ titleField: "date" });
    const gone = renamed.filter((field) => !("name" in field && field.name === "date"));
    const plan = await client.call("PUT", `${path}?dryRun=true`, { fields: gone, drop: ["date"] });
    expect(plan.data).toMatchObject({ options: ["titleField"] });
    const dropped = await client.call("PUT", path, { fields: gone, drop: ["date"] });
    expect(dropped.data).toMatchObject({ titleField: null });
    const added = [...gone, { name: "motto", type: "text", default: "Onward" }];
    const named = await client.call("PUT", path, { fields: added, titleField: "motto" });
    expect(named.data).toMatchObject({ titleField: "motto" });
    expect((await read(`/data/collections/authors/${ada}`))[0]?.title).toBe("Onward");
    for (const titleField of ["nothing", "editors", "cover"]) {
      const refused = await client.call("PUT", path, { fields: added, titleField });
      expect([refused.status, refused.error.details?.[0]?.path]).toEqual([400, "titleField"]);
    }
  });
});
