/** Spaces with a collection of notes, for requests that try to break something. */
import { Client, type Reply } from "../api.ts";

export const NOTES = "/data/collections/notes";

const FIELDS = [
  { name: "title", type: "string" },
  { name: "n", type: "number" },
  { name: "when", type: "datetime" },
  { name: "kind", type: "enum", values: ["a", "b"] },
  { name: "on", type: "boolean" },
  { name: "body", type: "text" },
  { name: "json", type: "json" },
  { name: "link", type: "relation", to: "notes" },
  { name: "links", type: "relation", to: "notes", multiple: true },
  { name: "constructor", type: "string" },
];

export async function makeNotes(): Promise<Client> {
  const client = await Client.make();
  await client.model("notes", FIELDS);
  return client;
}

/** Returns whether the answer is a client error with a code. */
export const isClear = (reply: Reply): boolean =>
  reply.status >= 400 && reply.status < 500 && Boolean(reply.error.code);
