/** A space with public models that have relations, pictures and drafts, read through the modelled cache. */
import { Client } from "../api.ts";
import { makeMedia } from "../rows.ts";

export interface PublicSpace {
  client: Client;
  author: string;
  post: string;
  media: string;
  /** The address of a list or record of a collection. */
  path: (rest: string) => string;
}

const text = (name: string) => ({ name, type: "string" });

export const POST_FIELDS = [
  text("title"),
  { name: "author", type: "relation", to: "authors" },
  { name: "cover", type: "media" },
];

export async function makePublicSpace(): Promise<PublicSpace> {
  const client = await Client.make();
  const make = (name: string, fields: object[], options: object = { public: true }) =>
    client.call("POST", "/models", { typeModel: "collections", name, fields, ...options });
  await make("authors", [text("name")]);
  await make("secrets", [text("name")], {});
  await make("drafted", [text("title")], { public: true, drafts: true });
  await make("posts", POST_FIELDS);
  const author = await client.create("authors", { name: "Ada" });
  const media = (await makeMedia(client.space)).id;
  const post = await client.create("posts", { title: "One", author, cover: media });
  const path = (rest: string): string => `/api/v1/${client.space.name}/data/collections/${rest}`;
  return { client, author, post, media, path };
}
