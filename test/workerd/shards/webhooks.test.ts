/** Webhooks in a deployment of several databases, and over a move of their space (RULES 12.6, 15.3). */
import { expect, it } from "vitest";
import { dueOfShard, startRounds } from "../../../src/edge/webhooks/wake.ts";
import { roundTools } from "../../../src/edge/webhooks/webhook-sender.ts";
import { deliverRound } from "../../../src/edge/webhooks/round.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { makeClient, move, shardDb } from "../support/moves.ts";
import { deployed } from "../support/rows.ts";
import { rounds } from "../support/objects/webhook-rounds.ts";
import type { Client } from "../support/api.ts";
import { inContext, makeWebhook, Receiver, type Made } from "../webhooks/support.ts";

cleanBetweenTests();

/** Makes a round as the service does, but for the receiver and the clock. */
async function round(client: Client, { id }: Made, receiver: Receiver) {
  const { db } = await roundTools(deployed, client.space.id);
  return deliverRound(id, receiver.tools({ db }));
}

const posts = "/data/collections/posts";

async function withWebhook(shard: number): Promise<{ client: Client; webhook: Made; receiver: Receiver }> {
  const client = await makeClient(shard);
  await client.model("posts", [{ name: "title", type: "string" }]);
  const webhook = await makeWebhook(client);
  return { client, webhook, receiver: new Receiver(webhook.secret) };
}

it("go on after a move where they were: nothing is lost, nothing comes twice, and the order holds", async () => {
  const { client, webhook, receiver } = await withWebhook(1);
  const id = await client.create("posts", { title: "a" });
  await round(client, webhook, receiver);
  await client.call("PUT", `${posts}/${id}`, { title: "b" });
  receiver.answer = () => new Response(null, { status: 500 });
  await round(client, webhook, receiver);
  // One delivery waits for its next attempt, and one event is no delivery yet.
  await client.call("PUT", `${posts}/${id}`, { title: "c" });
  await move(client, 2);
  await client.call("PUT", `${posts}/${id}`, { title: "d" });
  receiver.answer = () => new Response();
  receiver.now += 5000;
  await round(client, webhook, receiver);
  expect(receiver.got.map(({ data }) => data["version"])).toEqual([1, 2, 2, 3, 4]);
  await move(client, 0, 2);
  await client.call("PUT", `${posts}/${id}`, { title: "e" });
  await round(client, webhook, receiver);
  expect(receiver.got.map(({ data }) => data["version"])).toEqual([1, 2, 2, 3, 4, 5]);
});

it("are not taken by a round that still has the database which the space has left", async () => {
  const { client, webhook, receiver } = await withWebhook(1);
  await client.create("posts", { title: "a" });
  await move(client, 2);
  const late = await deliverRound(webhook.id, receiver.tools({ db: shardDb(1) }));
  expect(late).toEqual({ delivered: 0, failed: 0, nextAt: null });
  expect(receiver.got).toEqual([]);
  expect(await round(client, webhook, receiver)).toMatchObject({ delivered: 1 });
});

it("are started by the sweep on the database of their space alone", async () => {
  const { client, webhook } = await withWebhook(1);
  await client.create("posts", { title: "a" });
  await move(client, 2);
  expect(await dueOfShard(deployed, 1)).toEqual([]);
  expect(await dueOfShard(deployed, 2)).toEqual([{ id: webhook.id, spaceId: client.space.id }]);
  rounds.reset();
  await inContext(async (context) => startRounds(context, await dueOfShard(deployed, 2)));
  expect(rounds.started).toEqual([{ id: webhook.id, spaceId: client.space.id }]);
});
