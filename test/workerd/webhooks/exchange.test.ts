/** Webhooks in exports and imports (RULES 15.1). */
import { expect, it } from "vitest";
import { importWebhook } from "../../../src/edge/exchange/webhook-lines.ts";
import type { WebhookLine } from "../../../src/exchange/lines.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { importedKey } from "../../../src/edge/storage/webhooks/keys.ts";
import { removeRemovedWebhooks } from "../../../src/edge/storage/webhooks/remove-deliveries.ts";
import { WEBHOOKS } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { request } from "../support/http.ts";
import { bindings } from "../support/rows.ts";
import { listDeliveries, makeWebhook, Receiver } from "./support.ts";

const db = database(bindings.DB);
const made = { origin: OF_SYSTEM, now: Date.now() };

async function linesOf(client: Client): Promise<{ text: string; lines: WebhookLine[] }> {
  const response = await request(`/api/v1/${client.space.name}/export`, {
    headers: { Authorization: `Bearer ${bindings.ROOT_TOKEN}` },
  });
  const text = await response.text();
  const lines = text.split("\n").filter((line) => line.startsWith('{"kind":"webhook"'));
  return { text, lines: lines.map((line) => JSON.parse(line) as WebhookLine) };
}

it("an export has them without secrets and without their state", async () => {
  const client = await Client.make();
  const named = await makeWebhook(client, { name: "Site", models: ["posts"], events: ["record.published"] });
  const { id } = await makeWebhook(client);
  await client.call("PATCH", `/webhooks/${id}`, { enabled: false });
  const gone = await makeWebhook(client);
  await client.call("DELETE", `/webhooks/${gone.id}`);
  const { text, lines } = await linesOf(client);
  expect(lines.map(({ id, createdAt, ...line }) => [id, Date.parse(createdAt) > 0, line])).toEqual([
    [
      named.id,
      true,
      {
        ...{ kind: "webhook", url: "https://receiver.example/hook", events: ["record.published"] },
        ...{ models: ["posts"], name: "Site" },
      },
    ],
    [id, true, { kind: "webhook", url: "https://receiver.example/hook", events: ["*"] }],
  ]);
  const { results } = await bindings.DB.prepare("SELECT secret FROM webhooks WHERE secret IS NOT NULL").all<{
    secret: string;
  }>();
  for (const { secret } of results) expect(text).not.toContain(secret);
  expect(text).not.toContain(named.secret.slice(6));
});

it("an import makes them disabled and without a secret, once, and exports them the same again", async () => {
  const [client, other] = [await Client.make(), await Client.make()];
  await makeWebhook(client, { name: "Site", models: ["posts"] });
  await makeWebhook(client);
  const { lines } = await linesOf(client);
  const run = () => Promise.all(lines.map((line) => importWebhook(db, other.space.id, line, made)));
  expect(await run()).toEqual(["imported", "imported"]);
  expect(await run()).toEqual(["unchanged", "unchanged"]);
  expect((await linesOf(other)).lines).toEqual(lines);
  const [line] = lines as [WebhookLine];
  expect(await importWebhook(db, other.space.id, { ...line, url: "https://else.example/" }, made)).toBe(
    "differs",
  );
  const path = `/webhooks/${line.id}`;
  expect((await other.call("GET", path)).data).toMatchObject({ enabled: false, hasSecret: false });
  expect((await other.call("PATCH", path, { enabled: true })).status).toBe(409);
  const rotated = await other.call("PATCH", path, { enabled: true, secret: "rotate" });
  await other.call("POST", `${path}/ping`);
  const receiver = new Receiver(String(rotated.data["secret"]));
  expect(await receiver.round(importedKey(line.id, other.space.id))).toMatchObject({ delivered: 1 });
  expect(receiver.got).toMatchObject([{ type: "ping", data: { webhookId: line.id } }]);
  expect(await listDeliveries(other, line.id)).toMatchObject([{ event: "ping", state: "delivered" }]);
});

it("two spaces have a webhook of the same id after an import, and neither reaches the other's", async () => {
  const [client, other] = [await Client.make(), await Client.make()];
  const { id, secret } = await makeWebhook(client, { name: "Site" });
  const [line] = (await linesOf(client)).lines as [WebhookLine];
  expect(await importWebhook(db, other.space.id, line, made)).toBe("imported");
  const path = `/webhooks/${id}`;
  expect((await other.call("GET", "/webhooks")).data).toMatchObject([{ id, name: "Site", hasSecret: false }]);
  expect((await other.call("PATCH", path, { name: "Copy" })).data).toMatchObject({ id, name: "Copy" });
  const audit = await other.call("GET", `/audit?filter[target]=${id}`);
  expect(audit.data).toMatchObject([{ action: "webhook.changed" }, { action: "webhook.created" }]);
  expect((await other.call("DELETE", path)).data).toEqual({ id, state: "removed" });
  expect((await other.call("GET", path)).status).toBe(404);
  expect((await client.call("GET", path)).data).toMatchObject({ id, name: "Site", enabled: true });
  await client.call("POST", `${path}/ping`);
  expect(await new Receiver(secret).round(id)).toMatchObject({ delivered: 1 });
});

it("an import brings a webhook back that was removed, once the sweep has removed what was left of it", async () => {
  const client = await Client.make();
  const { id } = await makeWebhook(client);
  const [line] = (await linesOf(client)).lines as [WebhookLine];
  await client.call("DELETE", `/webhooks/${id}`);
  expect(await importWebhook(db, client.space.id, line, made)).toBe("imported");
  await client.call("DELETE", `/webhooks/${id}`);
  expect(await importWebhook(db, client.space.id, line, made)).toBe("gone");
  await removeRemovedWebhooks(db);
  expect(await importWebhook(db, client.space.id, line, made)).toBe("imported");
  expect((await linesOf(client)).lines).toEqual([line]);
});

it("an import stops at the number that a space may have", async () => {
  const client = await Client.make();
  for (let n = 0; n < WEBHOOKS.perSpaceMax; n++) await makeWebhook(client);
  const line: WebhookLine = {
    ...{ kind: "webhook", id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", url: "https://receiver.example/", events: ["*"] },
    createdAt: new Date().toISOString(),
  };
  expect(await importWebhook(db, client.space.id, line, made)).toBe("full");
});
