/** A space with the collections tags, people and posts, which has a field of every type. */
import { Client, type Reply } from "../api.ts";

export const POSTS = "/data/collections/posts";

export async function makePosts(): Promise<Client> {
  const client = await Client.make();
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
  return client;
}

/** Returns the paths of the details of a validation error, sorted. */
export const pathsOf = (reply: Reply): string[] => (reply.error.details ?? []).map(({ path }) => path).sort();
