/** Records and pages by id: shapes, merging, validation, versions, populate (RULES 3.5 to 3.8). */
import { beforeAll, describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";
import { bindings, makeMedia } from "../support/rows.ts";

let client: Client;
beforeAll(async () => {
  client = await Client.make();
  await client.model("tags", [{ name: "label", type: "string", required: true }]);
  await client.model("people", [
    { name: "name", type: "string" },
    { name: "photo", type: "media" },
    { name: "friends", type: "relation", to: "people", multiple: true },
  ]);
  await client.model("posts", [
    { name: "title", type: "string", required: true, maxLength: 20, pattern: "^[A-Z]" },
    { name: "slug", type: "string", unique: true },
    { name: "body", type: "text" },
    { name: "score", type: "number", integer: true, min: 0, max: 10 },
    { name: "live", type: "boolean", default: false },
    { name: "at", type: "datetime" },
    { name: "kind", type: "enum", values: ["news", "note"], default: "note" },
    { name: "extra", type: "json" },
    { name: "cover", type: "media" },
    { name: "gallery", type: "media", multiple: true },
    { name: "author", type: "relation", to: "people" },
    { name: "tags", type: "relation", to: "tags", multiple: true },
  ]);
  await client.model("home", [{ name: "headline", type: "string", default: "Hello" }], "pages");
});

const POSTS = "/data/collections/posts";
const post = (values: object): Promise<Reply> => client.call("POST", POSTS, values);
const paths = (reply: Reply): string[] => (reply.error.details ?? []).map(({ path }) => path).sort();

describe("a record", () => {
  it("has its fields in the model's order between id and what the service sets", async () => {
    const reply = await post({ title: "Whole", at: "2026-03-01T12:00:00+02:00", extra: { a: [1, null] } });
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.data)).toEqual(
      "id title slug body score live at kind extra cover gallery author tags createdAt updatedAt version".split(
        " ",
      ),
    );
    expect(reply.data).toMatchObject({
      slug: null,
      live: false,
      at: "2026-03-01T10:00:00.000Z",
      kind: "note",
    });
    expect(reply.data).toMatchObject({
      extra: { a: [1, null] },
      gallery: [],
      author: null,
      tags: [],
      version: 1,
    });
    expect(reply.data["id"]).toMatch(/^[0-9A-Z]{26}$/);
    expect(reply.headers.get("Cache-Control")).toBe("no-store");
    expect(reply.headers.get("X-Request-Id")).toBeTruthy();
  });

  it("is refused with one detail a fault", async () => {
    const reply = await post({
      title: "lower",
      slug: 5,
      score: 11,
      live: "yes",
      at: "2026-02-30T00:00:00Z",
      kind: "other",
      author: "01ARZ3NDEKTSV4RRFFQ69G5FAV!",
      gallery: ["a", "a"],
      nope: 1,
      id: "mine",
    });
    expect(reply.status).toBe(400);
    expect(reply.error.code).toBe("VALIDATION_FAILED");
    expect(paths(reply)).toEqual("at author gallery gallery id kind live nope score slug title".split(" "));
    expect(paths(await post({ score: 1.5 }))).toEqual(["score", "title"]);
    expect((await post([] as object)).status).toBe(400);
  });

  it("is refused when a relation or media id is not there, trashed, or another space's", async () => {
    const trashed = await client.create("people", { name: "gone" });
    await client.call("DELETE", `/data/collections/people/${trashed}`);
    const other = await Client.make();
    await other.model("people", [{ name: "name", type: "string" }]);
    const foreign = await other.create("people", { name: "foreign" });
    const foreignMedia = await makeMedia(other.space);
    for (const author of [trashed, foreign, "NOPE"]) {
      expect(paths(await post({ title: "X", author }))).toEqual(["author"]);
    }
    const reply = await post({ title: "X", cover: foreignMedia.id, gallery: [foreignMedia.id, "NOPE"] });
    expect(paths(reply)).toEqual(["cover", "gallery", "gallery"]);
  });

  it("merges a PUT, clears by null, and grows its version", async () => {
    const made = await post({ title: "Merge", body: "text", score: 3 });
    const path = `${POSTS}/${String(made.data["id"])}`;
    const changed = await client.call("PUT", path, { score: 4, body: null });
    expect(changed.status).toBe(200);
    expect(changed.data).toMatchObject({ title: "Merge", body: null, score: 4, version: 2 });
    expect(changed.data["createdAt"]).toBe(made.data["createdAt"]);
    expect((await client.call("GET", path)).data).toEqual(changed.data);
    const cleared = await client.call("PUT", path, { title: null, kind: "x" });
    expect(paths(cleared)).toEqual(["kind", "title"]);
    expect((await client.call("GET", path)).data).toEqual(changed.data);
    // What was read can be sent back whole; what the service sets cannot be changed.
    expect((await client.call("PUT", path, { ...changed.data, score: 5 })).data["version"]).toBe(3);
    expect(paths(await client.call("PUT", path, { createdAt: "2020-01-01T00:00:00.000Z" }))).toEqual([
      "createdAt",
    ]);
  });

  it("answers 304 to its own ETag and 412 to a stale If-Match, changing nothing", async () => {
    const made = await post({ title: "Tag" });
    const path = `${POSTS}/${String(made.data["id"])}`;
    const read = await client.call("GET", path);
    const etag = read.headers.get("ETag") ?? "";
    expect(etag).toBe(made.headers.get("ETag"));
    const again = await client.call("GET", path, undefined, {
      headers: { "If-None-Match": `"x", W/${etag}` },
    });
    expect(again.status).toBe(304);
    const first = await client.call("PUT", path, { score: 1 }, { headers: { "If-Match": etag } });
    expect(first.status).toBe(200);
    const stale = await client.call("PUT", path, { score: 2 }, { headers: { "If-Match": etag } });
    expect([stale.status, stale.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
    expect((await client.call("DELETE", path, undefined, { headers: { "If-Match": etag } })).status).toBe(
      412,
    );
    expect((await client.call("GET", path)).data).toEqual(first.data);
    expect((await client.call("GET", path, undefined, { headers: { "If-None-Match": etag } })).status).toBe(
      200,
    );
  });

  it("keeps unique values unique, freed in the trash", async () => {
    const one = await post({ title: "U", slug: "same" });
    const two = await post({ title: "U", slug: "same" });
    expect([two.status, two.error.code, paths(two)]).toEqual([409, "CONFLICT", ["slug"]]);
    const other = await post({ title: "U", slug: "other" });
    const path = `${POSTS}/${String(other.data["id"])}`;
    expect((await client.call("PUT", path, { slug: "same", score: 5 })).status).toBe(409);
    expect((await client.call("GET", path)).data).toMatchObject({ slug: "other", score: null, version: 1 });
    const onePath = `${POSTS}/${String(one.data["id"])}`;
    await client.call("DELETE", onePath);
    expect((await client.call("PUT", path, { slug: "same" })).status).toBe(200);
    const restored = await client.call("POST", `/trash/${String(one.data["id"])}/restore`);
    expect([restored.status, restored.error.code]).toEqual([409, "CONFLICT"]);
    await client.call("PUT", path, { slug: null });
    expect((await client.call("POST", `/trash/${String(one.data["id"])}/restore`)).status).toBe(200);
    expect((await client.call("GET", onePath)).data).toEqual(one.data);
  });

  it("answers 404 for what is not there and 405 for a method it has not", async () => {
    for (const path of [
      `${POSTS}/NOPE`,
      "/data/collections/nope/X",
      "/data/people/posts/X",
      "/data/pages/posts/posts",
    ]) {
      expect((await client.call("GET", path)).status).toBe(404);
    }
    const posted = await client.call("POST", `${POSTS}/X`, {});
    expect([posted.status, posted.headers.get("Allow")]).toEqual([
      405,
      "GET, PUT, PATCH, DELETE, HEAD, OPTIONS",
    ]);
  });
});

describe("two writers", () => {
  it("with the same If-Match: one is told 412, the other's update stands", async () => {
    const id = await client.create("posts", { title: "Race", score: 0 });
    const etag = (await client.call("GET", `${POSTS}/${id}`)).headers.get("ETag") ?? "";
    const put = (score: number): Promise<Reply> =>
      client.call("PUT", `${POSTS}/${id}`, { score }, { headers: { "If-Match": etag } });
    const replies = await Promise.all([1, 2, 3, 4].map(put));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const won = replies.find(({ status }) => status === 200);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toEqual(won?.data);
  });

  it("without If-Match on different fields: both updates are kept", async () => {
    const id = await client.create("posts", { title: "Both" });
    const replies = await Promise.all([
      client.call("PUT", `${POSTS}/${id}`, { body: "one" }),
      client.call("PUT", `${POSTS}/${id}`, { score: 7 }),
      client.call("PUT", `${POSTS}/${id}`, { live: true }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const read = await client.call("GET", `${POSTS}/${id}`);
    expect(read.data).toMatchObject({ body: "one", score: 7, live: true, version: 4 });
  });

  it("that take one unique value: exactly one gets it", async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => post({ title: "S", slug: "raced" })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });
});

describe("selectFields and populate", () => {
  it("answers id and the fields named", async () => {
    const id = await client.create("posts", { title: "Sel", body: "b" });
    expect((await client.call("GET", `${POSTS}/${id}?selectFields=title,body`)).data).toEqual({
      id,
      title: "Sel",
      body: "b",
    });
    expect((await client.call("GET", `${POSTS}/${id}?selectFields=version`)).data).toEqual({
      id,
      version: 1,
    });
    for (const query of [
      "selectFields=nope",
      "selectFields=",
      "populate=title",
      "populate=nope",
      "populate=author.nope",
      "populate=cover.url",
      "populate=author.friends.friends.name",
      "x=1",
      "populate=author&populate=tags",
    ]) {
      expect([query, (await client.call("GET", `${POSTS}/${id}?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it("expands lists and three levels; what is trashed is null, or left out of a list", async () => {
    const photo = await makeMedia(client.space);
    const deep = await client.create("people", { name: "deep", photo: photo.id });
    const friend = await client.create("people", { name: "friend", friends: [deep] });
    const author = await client.create("people", {
      name: "author",
      friends: [friend, deep],
      photo: photo.id,
    });
    const [red, blue] = [
      await client.create("tags", { label: "red" }),
      await client.create("tags", { label: "blue" }),
    ];
    const id = await client.create("posts", { title: "Pop", author, tags: [blue, red], gallery: [photo.id] });
    const read = async () =>
      (await client.call("GET", `${POSTS}/${id}?populate=author.friends.friends,tags,gallery,author.photo`))
        .data;
    const before = await read();
    expect(before).toMatchObject({
      author: {
        name: "author",
        photo: { id: photo.id },
        friends: [{ id: friend, friends: [{ id: deep }] }, { id: deep }],
      },
      tags: [{ label: "blue" }, { label: "red" }],
      gallery: [{ id: photo.id, formats: { large: { width: 1000 } } }],
      cover: null,
    });
    await client.call("DELETE", `/data/collections/tags/${red}`);
    await client.call("DELETE", `/data/collections/people/${deep}`);
    await client.call("DELETE", `/media/${photo.id}`);
    expect(await read()).toMatchObject({
      author: { photo: null, friends: [{ id: friend, friends: [] }] },
      tags: [{ label: "blue" }],
      gallery: [],
    });
    // The ids themselves stay, and come back with a restore.
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toMatchObject({
      tags: [blue, red],
      gallery: [photo.id],
    });
    for (const entry of [red, deep, photo.id]) await client.call("POST", `/trash/${entry}/restore`);
    expect(await read()).toEqual(before);
  });

  it("gives media as they are read by themselves, with their focal point", async () => {
    const media = await makeMedia(client.space);
    await client.call("PATCH", `/media/${media.id}`, { focalPoint: { x: 0.2, y: 0.75 } });
    const id = await client.create("posts", { title: "Focal", cover: media.id });
    const { data } = await client.call<{ cover: object }>("GET", `${POSTS}/${id}?populate=cover`);
    expect(data.cover).toMatchObject({ focalPoint: { x: 0.2, y: 0.75 } });
    expect(data.cover).toEqual((await client.call("GET", `/media/${media.id}`)).data);
  });

  it("gives media with the space's present name and settings, and a tag that follows them", async () => {
    const own = await Client.make();
    await own.model("shots", [{ name: "picture", type: "media" }]);
    const media = await makeMedia(own.space);
    const id = await own.create("shots", { picture: media.id });
    const path = `/data/collections/shots/${id}?populate=picture`;
    const before = await own.call<{ picture: { formats: { small: { url: string } } } }>("GET", path);
    expect(before.data.picture.formats.small.url).toContain(
      `/api/v1/${own.space.name}/pictures/${media.id}?w=500&q=80`,
    );
    const headers = { "If-None-Match": before.headers.get("ETag") ?? "" };
    expect((await own.call("GET", path, undefined, { headers })).status).toBe(304);
    await own.call("PATCH", "/settings", { adaptiveLoading: false });
    const after = await own.call<{ picture: object }>("GET", path, undefined, { headers });
    expect(after.status).toBe(200);
    expect(after.data.picture).not.toHaveProperty("formats");
  });

  it("refuses over 2,000 targets, and answers that would blow up", async () => {
    const own = await Client.make();
    await own.model("nodes", [
      { name: "blob", type: "text" },
      { name: "all", type: "relation", to: "nodes", multiple: true },
    ]);
    const leaf = await own.create("nodes", { blob: "x".repeat(400_000) });
    const others: string[] = [];
    for (let i = 0; i < 12; i++) others.push(await own.create("nodes", { all: [leaf] }));
    const root = await own.create("nodes", { all: others });
    expect((await own.call("GET", `/data/collections/nodes/${root}?populate=all`)).status).toBe(200);
    // 12 times the same leaf: 4.8 MB; with the list's other roots more than 8.
    expect((await own.call("GET", `/data/collections/nodes/${root}?populate=all.all`)).status).toBe(200);
    for (let i = 0; i < 12; i++) others.push(await own.create("nodes", { all: [leaf] }));
    const wide = await own.create("nodes", { all: others });
    const refused = await own.call("GET", `/data/collections/nodes/${wide}?populate=all.all`);
    expect([refused.status, refused.error.code]).toEqual([400, "INVALID_PARAMETER"]);
    const page = await own.call<object[]>("GET", "/data/collections/nodes?populate=all&limit=100");
    expect(page.status).toBe(200);
    expect(page.meta.nextCursor).not.toBeNull();
    const many = Array.from({ length: 2001 }, (_, i) => `T${String(i).padStart(25, "0")}`);
    const modelId = await bindings.DB.prepare("SELECT model_id AS id FROM records WHERE id = ?")
      .bind(root)
      .first("id");
    await bindings.DB.prepare(
      `INSERT INTO records (model_id, space_id, id, data, size_bytes, version, created_at, updated_at)
       SELECT ?1, ?2, value, '{}', 2, 1, 1, 1 FROM json_each(?3)`,
    )
      .bind(modelId, own.space.id, JSON.stringify(many))
      .run();
    const crowd = await own.create("nodes", { all: many });
    expect((await own.call("GET", `/data/collections/nodes/${crowd}?populate=all`)).status).toBe(400);
    await own.call("PUT", `/data/collections/nodes/${crowd}`, { all: many.slice(1) });
    expect((await own.call("GET", `/data/collections/nodes/${crowd}?populate=all`)).status).toBe(200);
  });
});

describe("a page of a list", () => {
  it("ends early at 8 MB, and the next ones bring the rest", async () => {
    await client.model("large", [
      { name: "n", type: "number" },
      { name: "text", type: "text" },
    ]);
    for (let n = 0; n < 12; n++) await client.create("large", { n, text: "y".repeat(900_000) });
    const seen: number[] = [];
    let pages = 0;
    for (let cursor: string | null = ""; cursor !== null; pages++) {
      const query = `sort=n&limit=100${cursor && `&cursor=${cursor}`}`;
      const page: Reply<{ n: number }[]> = await client.call("GET", `/data/collections/large?${query}`);
      seen.push(...page.data.map(({ n }) => n));
      cursor = page.meta.nextCursor;
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => n));
    expect(pages).toBe(2);
  });

  it("never misses or repeats a record while others come and go", async () => {
    await client.model("moving", [{ name: "n", type: "number" }]);
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(await client.create("moving", { n: n % 4 }));
    const stay = new Set(ids.filter((_, index) => index % 3 !== 0));
    const seen: string[] = [];
    let doomed = ids.filter((id) => !stay.has(id));
    for (let cursor: string | null = ""; cursor !== null;) {
      const query = `sort=-n&limit=3${cursor && `&cursor=${cursor}`}`;
      const page: Reply<{ id: string }[]> = await client.call("GET", `/data/collections/moving?${query}`);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.meta.nextCursor;
      // The page's last record goes too, when it may.
      const last = page.data.at(-1)?.id;
      const goes = doomed.filter((id) => id === last).concat(doomed.slice(0, 1));
      doomed = doomed.filter((id) => !goes.includes(id));
      for (const id of new Set(goes)) await client.call("DELETE", `/data/collections/moving/${id}`);
      await client.create("moving", { n: 2 });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect([...stay].filter((id) => !seen.includes(id))).toEqual([]);
  });
});

describe("a page model", () => {
  it("has one record from the start, reset by DELETE, with its last content in the trash", async () => {
    const path = "/data/pages/home/home";
    expect((await client.call("GET", path)).data).toMatchObject({
      id: "home",
      headline: "Hello",
      version: 1,
    });
    expect((await client.call("POST", "/data/pages/home", { headline: "Two" })).status).toBe(409);
    expect((await client.call<object[]>("GET", "/data/pages/home")).data).toHaveLength(1);
    await client.call("PUT", path, { headline: "Edited" });
    const deleted = await client.call("DELETE", path);
    expect(deleted.data).toMatchObject({ state: "trashed" });
    const entry = String(deleted.data["id"]);
    expect((await client.call("GET", path)).data).toMatchObject({
      id: "home",
      headline: "Hello",
      version: 3,
    });
    expect((await client.call("GET", `/data/pages/home/${entry}`)).status).toBe(404);
    await client.call("PUT", path, { headline: "Newer" });
    expect((await client.call("POST", `/trash/${entry}/restore`)).status).toBe(200);
    expect((await client.call("GET", path)).data).toMatchObject({ headline: "Edited", version: 5 });
    const trash = await client.call<{ id: string; model?: string }[]>("GET", "/trash?kind=record");
    const kept = trash.data.filter(({ model }) => model === "home");
    expect(kept).toHaveLength(1);
    expect(kept[0]?.id).not.toBe(entry);
    expect((await client.call("POST", `/trash/${entry}/restore`)).status).toBe(404);
  });
});
