/** ETags (RULES 3.5): another one whenever a byte of the answer may differ, and no tag of a model that was removed. */
import { describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";
import { makePosts, makePublished, POSTS, publish, unpublish } from "../support/content/drafts.ts";

const tagOf = (reply: Reply): string => reply.headers.get("ETag") ?? "";
const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Returns whether a client that holds this tag is told that nothing changed. */
const isSame = async (client: Client, path: string, tag: string): Promise<boolean> =>
  (await client.call("GET", path, undefined, { headers: { "If-None-Match": tag } })).status === 304;

describe("the ETag of a record", () => {
  it("changes when the same version is published again", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "a" });
    const path = `${POSTS}/${id}`;
    const first = await client.call("GET", path);
    expect(await isSame(client, path, tagOf(first))).toBe(true);
    await unpublish(client, id);
    await pause();
    await publish(client, id);
    expect(await isSame(client, path, tagOf(first))).toBe(false);
    const again = await client.call("GET", path);
    expect(again.data["publishedAt"]).not.toBe(first.data["publishedAt"]);
  });

  it("of a write is the one that the draft is read with", async () => {
    const client = await makePosts();
    const made = await client.call<{ id: string }>("POST", POSTS, { title: "a" });
    const path = `${POSTS}/${made.data.id}?status=draft`;
    const replies = [
      made,
      await publish(client, made.data.id),
      await client.call("PUT", `${POSTS}/${made.data.id}`, { title: "b" }),
      await publish(client, made.data.id, { at: "2999-01-01T00:00:00Z" }),
      await client.call("POST", `${POSTS}/${made.data.id}/versions/1/restore`),
    ];
    expect(await isSame(client, path, tagOf(replies.at(-1) as Reply))).toBe(true);
    expect(new Set(replies.map(tagOf)).size).toBe(replies.length);
  });

  it("never comes back when a page is removed and made again", async () => {
    const client = await Client.make();
    const fields = [{ name: "headline", type: "string", default: "Old" }];
    await client.model("home", fields, "pages");
    const path = "/data/pages/home/home";
    const old = await client.call("GET", path);
    expect((await client.call("DELETE", "/models/pages/home")).status).toBe(200);
    await client.model("home", [{ ...fields[0], default: "New" }], "pages");
    expect(await isSame(client, path, tagOf(old))).toBe(false);
    const put = await client.call("PUT", path, { headline: "x" }, { headers: { "If-Match": tagOf(old) } });
    expect(put.status).toBe(412);
    const named = await client.call("PUT", path, { headline: "x" }, { headers: { "If-Match": '"1"' } });
    expect(named.status).toBe(200);
  });

  it("counts as a version in If-Match, in the forms of before too", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "a" });
    for (const [tag, status] of [
      ['"1"', 200],
      ['"2-1"', 200],
      ['W/"3-1-.1700000000000..-0123456789abcdef"', 200],
      ['"2-1"', 412],
      ['"x"', 412],
    ] as const) {
      const values = { n: Math.random() };
      const put = await client.call("PUT", `${POSTS}/${id}`, values, { headers: { "If-Match": tag } });
      expect([tag, put.status]).toEqual([tag, status]);
    }
  });
});

describe("the ETag of a model", () => {
  it("never comes back when the model is removed and made again", async () => {
    const client = await Client.make();
    const path = "/models/collections/things";
    await client.model("things", [{ name: "a", type: "string" }]);
    const old = tagOf(await client.call("GET", path));
    expect(await isSame(client, path, old)).toBe(true);
    await client.call("DELETE", path);
    await client.model("things", [{ name: "b", type: "string" }]);
    expect(await isSame(client, path, old)).toBe(false);
    const headers = { "If-Match": old };
    expect((await client.call("PUT", path, { fields: [] }, { headers })).status).toBe(412);
  });
});
