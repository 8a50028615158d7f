/** A space whose pages are made of components. */
import { Client } from "../support/api.ts";

export interface SectionsSpace {
  client: Client;
  author: string;
  media: string;
}

/** Makes a component. */
export const component = (client: Client, name: string, fields: object[]): Promise<void> =>
  client.model(name, fields, "components");

/** Makes the components `cta` and `quote`, the collection `people`, and the collection `articles` that holds them. */
export async function makeArticles(client: Client, options: object = {}): Promise<void> {
  await client.model("people", [
    { name: "name", type: "string" },
    { name: "friend", type: "relation", to: "people" },
  ]);
  await component(client, "cta", [
    { name: "label", type: "string", required: true },
    { name: "href", type: "string", pattern: "^/" },
    { name: "icon", type: "media" },
  ]);
  await component(client, "quote", [
    { name: "text", type: "text" },
    { name: "author", type: "relation", to: "people" },
    { name: "cta", type: "component", component: "cta" },
  ]);
  const reply = await client.call("POST", "/models", {
    typeModel: "collections",
    name: "articles",
    fields: [
      { name: "title", type: "string" },
      { name: "cta", type: "component", component: "cta", searchable: true },
      { name: "sections", type: "blocks", components: ["cta", "quote"], searchable: true },
      {
        name: "body",
        type: "richtext",
        searchable: true,
        image: true,
        components: ["quote"],
        annotations: ["link", { name: "internalLink", to: "people" }],
      },
    ],
    ...options,
  });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.error));
}

/** Returns a paragraph. */
export const paragraph = (text: string, over: object = {}) => ({
  _type: "block",
  children: [{ _type: "span", text }],
  ...over,
});
