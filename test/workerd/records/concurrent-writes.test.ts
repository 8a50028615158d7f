/** Writers of one record, or of one unique value, at the same time (RULES 3.6, 3.9). */
import { beforeAll, describe, expect, it } from "vitest";
import type { Client, Reply } from "../support/api.ts";
import { makePosts, POSTS } from "../support/posts.ts";

let client: Client;
beforeAll(async () => {
  client = await makePosts();
});

const post = (values: object): Promise<Reply> => client.call("POST", POSTS, values);

describe("concurrent writers", () => {
  it("of one record with the same If-Match: one succeeds, the others get 412", async () => {
    const id = await client.create("posts", { title: "Race", score: 0 });
    const etag = (await client.call("GET", `${POSTS}/${id}`)).headers.get("ETag") ?? "";
    const put = (score: number): Promise<Reply> =>
      client.call("PUT", `${POSTS}/${id}`, { score }, { headers: { "If-Match": etag } });
    const replies = await Promise.all([1, 2, 3, 4].map(put));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const won = replies.find(({ status }) => status === 200);
    expect((await client.call("GET", `${POSTS}/${id}`)).data).toEqual(won?.data);
  });

  it("of different fields of one record without If-Match: all updates are kept", async () => {
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

  it("of one unique value: exactly one succeeds, the others get 409", async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => post({ title: "S", slug: "raced" })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });
});
