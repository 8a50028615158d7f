/** One webhook of a new space for each test of a file, and its receiver. */
import { beforeEach } from "vitest";
import { Client } from "../support/api.ts";
import { makeWebhook, Receiver, type Made } from "./support.ts";

export let client: Client;
export let webhook: Made;
export let receiver: Receiver;

/** Makes them before each test. Call it at the top of a file. */
export function useWebhook(): void {
  beforeEach(async () => {
    client = await Client.make();
    await client.model("posts", [{ name: "title", type: "string" }]);
    webhook = await makeWebhook(client);
    receiver = new Receiver(webhook.secret);
  });
}

export const posts = "/data/collections/posts";
export const typesOf = (of = receiver): string[] => of.got.map(({ type }) => type);

/** Returns the webhook as the API shows it. */
export const stateOf = async (): Promise<Record<string, unknown>> =>
  (await client.call("GET", `/webhooks/${webhook.id}`)).data;
