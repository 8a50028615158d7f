/** Drafts and histories through the typed client; the types are checked by tsc, the values here. */
import { exports } from "cloudflare:workers";
import { expect, expectTypeOf, it } from "vitest";
import { createClient } from "../../../src/client/index.ts";
import { makePosts } from "../support/drafts.ts";

const worker = (exports as unknown as { default: Fetcher }).default;

interface Space {
  collections: {
    posts: {
      values: { title: string | null; n: number | null };
      input: { title?: string | null; n?: number | null };
      references: object;
      drafts: true;
    };
    plain: { values: { n: number | null }; input: { n?: number | null }; references: object };
  };
  pages: object;
}

it("the client publishes, plans, reads the history and restores a version", async () => {
  const server = await makePosts();
  const client = createClient<Space>({
    baseUrl: "https://api.test",
    space: server.space.name,
    key: await server.key("write"),
    fetch: (request) => worker.fetch(request),
  });
  const posts = client.collection("posts");
  const post = await posts.create({ title: "One" });
  expectTypeOf(post.status).toEqualTypeOf<"draft" | "published" | "changed">();
  await expect(posts.get(post.id)).rejects.toMatchObject({ status: 404 });
  expect((await posts.get(post.id, { status: "draft" })).title).toBe("One");
  const at = new Date(Date.now() + 3_600_000);
  expect((await posts.publish(post.id, { at })).publishAt).toBe(at.toISOString());
  expect((await posts.publish(post.id, { at: null })).publishAt).toBeNull();
  expect((await posts.publish(post.id, { ifMatch: 1 })).status).toBe("published");
  await expect(posts.publish(post.id, { ifMatch: 7 })).rejects.toMatchObject({ status: 412 });
  await posts.update(post.id, { title: "Two" });
  expect((await posts.list({ status: "draft" })).data[0]?.title).toBe("Two");
  expect((await posts.get(post.id, { selectFields: ["status"] })).status).toBe("published");
  const events = await posts.versions(post.id, { limit: 2 });
  expect(events.data.map(({ event }) => event)).toEqual(["updated", "published"]);
  expect((await posts.version(post.id, 1)).record.title).toBe("One");
  expect(await posts.restore(post.id, 1, { ifMatch: 2 })).toMatchObject({ title: "One", version: 3 });
  expect((await posts.unpublish(post.id)).status).toBe("draft");
  const plain = client.collection("plain");
  // @ts-expect-error a model without drafts has no status
  await expect(plain.get(post.id, { selectFields: ["status"] })).rejects.toMatchObject({ status: 404 });
});
