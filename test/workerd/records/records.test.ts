/** Records and pages by id: shapes, merging, validation, versions (RULES 3.5, 3.6, 3.8). */
import { beforeAll, describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";
import { makePosts, pathsOf, POSTS } from "../support/content/posts.ts";
import { makeMedia } from "../support/rows.ts";

let client: Client;
beforeAll(async () => {
  client = await makePosts();
  await client.model("home", [{ name: "headline", type: "string", default: "Hello" }], "pages");
});

const post = (values: object): Promise<Reply> => client.call("POST", POSTS, values);

describe("a record", () => {
  it("has its fields in the model's order, after the id and before those that the service sets", async () => {
    const reply = await post({ title: "Whole", at: "2026-03-01T12:00:00+02:00", extra: { a: [1, null] } });
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.data)).toEqual(
      "id title slug body score live at kind extra cover gallery author tags createdAt updatedAt createdBy updatedBy version".split(
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

  it("is refused with one detail per fault", async () => {
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
    expect(pathsOf(reply)).toEqual("at author gallery gallery id kind live nope score slug title".split(" "));
    expect(pathsOf(await post({ score: 1.5 }))).toEqual(["score", "title"]);
    expect((await post([] as object)).status).toBe(400);
  });

  it("is refused when it names a record or media item that is unknown, in the trash, or another space's", async () => {
    const trashed = await client.create("people", { name: "gone" });
    await client.call("DELETE", `/data/collections/people/${trashed}`);
    const other = await Client.make();
    await other.model("people", [{ name: "name", type: "string" }]);
    const foreign = await other.create("people", { name: "foreign" });
    const foreignMedia = await makeMedia(other.space);
    for (const author of [trashed, foreign, "NOPE"]) {
      expect(pathsOf(await post({ title: "X", author }))).toEqual(["author"]);
    }
    const reply = await post({ title: "X", cover: foreignMedia.id, gallery: [foreignMedia.id, "NOPE"] });
    expect(pathsOf(reply)).toEqual(["cover", "gallery", "gallery"]);
  });

  it("keeps the fields that a PUT does not name, clears those given as null, and increments its version", async () => {
    const made = await post({ title: "Merge", body: "text", score: 3 });
    const path = `${POSTS}/${String(made.data["id"])}`;
    const changed = await client.call("PUT", path, { score: 4, body: null });
    expect(changed.status).toBe(200);
    expect(changed.data).toMatchObject({ title: "Merge", body: null, score: 4, version: 2 });
    expect(changed.data["createdAt"]).toBe(made.data["createdAt"]);
    expect((await client.call("GET", path)).data).toEqual(changed.data);
    const cleared = await client.call("PUT", path, { title: null, kind: "x" });
    expect(pathsOf(cleared)).toEqual(["kind", "title"]);
    expect((await client.call("GET", path)).data).toEqual(changed.data);
    // A record can be sent back as it was read, but the fields that the service sets cannot be changed.
    expect((await client.call("PUT", path, { ...changed.data, score: 5 })).data["version"]).toBe(3);
    expect(pathsOf(await client.call("PUT", path, { createdAt: "2020-01-01T00:00:00.000Z" }))).toEqual([
      "createdAt",
    ]);
  });

  it("answers 304 to its own ETag and 412 to a stale If-Match, which changes nothing", async () => {
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

  it("keeps a unique value for itself until it is moved to the trash", async () => {
    const one = await post({ title: "U", slug: "same" });
    const two = await post({ title: "U", slug: "same" });
    expect([two.status, two.error.code, pathsOf(two)]).toEqual([409, "CONFLICT", ["slug"]]);
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

  it("answers 404 for an unknown record or model, and 405 for a method that its route does not have", async () => {
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

describe("a page model", () => {
  it("has one record from the start, which DELETE resets, and its last content goes to the trash (RULES 3.1, 3.8)", async () => {
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
