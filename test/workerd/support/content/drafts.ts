/** A model with drafts and its records, as tests need them. */
import { Client, type Reply } from "../api.ts";

export const FIELDS = [
  { name: "title", type: "string", required: true },
  { name: "slug", type: "string", unique: true },
  { name: "n", type: "number" },
  { name: "friend", type: "relation", to: "posts" },
  { name: "friends", type: "relation", to: "posts", multiple: true },
];

export const POSTS = "/data/collections/posts";

/** Makes a client with a model `posts` that has drafts. */
export async function makePosts(): Promise<Client> {
  const client = await Client.make();
  const model = { typeModel: "collections", name: "posts", fields: FIELDS, drafts: true };
  const reply = await client.call("POST", "/models", model);
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.error));
  return client;
}

export const publish = (client: Client, id: string, body?: object): Promise<Reply> =>
  client.call("POST", `${POSTS}/${id}/publish`, body);

export const unpublish = (client: Client, id: string, body?: object): Promise<Reply> =>
  client.call("POST", `${POSTS}/${id}/unpublish`, body);

/** Makes a published record, and returns its id. */
export async function makePublished(client: Client, values: object): Promise<string> {
  const id = await client.create("posts", values);
  const reply = await publish(client, id);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.error));
  return id;
}

export const titles = (reply: Reply<{ title: string }[]>): string[] => reply.data.map(({ title }) => title);
