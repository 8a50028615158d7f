/** Deliveries as the API lists them, has them sent again, and forgets them (RULES 15.5). */
import { describe, expect, it } from "vitest";
import { WEBHOOKS } from "../../../src/limits.ts";
import { moveClock } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { client, posts, receiver, typesOf, useWebhook, webhook } from "./one-webhook.ts";
import { answering, listDeliveries, makeWebhook, Receiver } from "./support.ts";

useWebhook();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("a delivery", () => {
  it("is sent again when a caller asks for it, with the same id", async () => {
    await client.create("posts", { title: "a" });
    await receiver.round(webhook.id);
    const [delivery] = await listDeliveries(client, webhook.id);
    const path = `/webhooks/${webhook.id}/deliveries/${delivery?.id}/redeliver`;
    const again = await client.call("POST", path);
    expect([again.status, again.data["state"], again.data["id"]]).toEqual([202, "pending", delivery?.id]);
    receiver.now = Date.now();
    await receiver.round(webhook.id);
    expect(receiver.got.map(({ id }) => id)).toEqual([delivery?.id, delivery?.id]);
    const [listed] = await listDeliveries(client, webhook.id);
    expect(listed).toMatchObject({ state: "delivered", attempts: [{ status: 204 }, { status: 204 }] });
    const missing = `/webhooks/${webhook.id}/deliveries/01ARZ3NDEKTSV4RRFFQ69G5FAV/redeliver`;
    expect((await client.call("POST", missing)).status).toBe(404);
  });

  it("that was given up has all its attempts before it when it is asked for again", async () => {
    await client.create("posts", { title: "a" });
    receiver.answer = answering(500);
    await receiver.round(webhook.id);
    for (let n = 0; n < WEBHOOKS.retryMs.length; n++) await receiver.later(webhook.id);
    const [delivery] = await listDeliveries(client, webhook.id);
    expect(delivery?.state).toBe("failed");
    await client.call("POST", `/webhooks/${webhook.id}/deliveries/${delivery?.id}/redeliver`);
    for (let n = 0; n <= WEBHOOKS.retryMs.length; n++)
      await receiver.later(webhook.id).catch(() => undefined);
    const [listed] = await listDeliveries(client, webhook.id);
    expect(listed).toMatchObject({ state: "failed" });
    expect(listed?.attempts).toHaveLength(2 * (WEBHOOKS.retryMs.length + 1));
  });

  it("that waits for its next attempt is attempted at once, and one behind another of its record waits on", async () => {
    const id = await client.create("posts", { title: "a" });
    await client.call("PUT", `${posts}/${id}`, { title: "b" });
    receiver.answer = answering(500);
    await receiver.round(webhook.id);
    const listed = await listDeliveries(client, webhook.id);
    receiver.answer = answering(200);
    for (const { id: one } of listed.filter(({ event }) => event === "record.updated"))
      await client.call("POST", `/webhooks/${webhook.id}/deliveries/${one}/redeliver`);
    await receiver.round(webhook.id);
    expect(typesOf()).toEqual(["record.created"]);
    for (const { id: one } of listed.filter(({ event }) => event === "record.created"))
      await client.call("POST", `/webhooks/${webhook.id}/deliveries/${one}/redeliver`);
    receiver.now = Date.now();
    await receiver.round(webhook.id);
    expect(typesOf()).toEqual(["record.created", "record.created", "record.updated"]);
  });

  it("of a ping comes beside what waits", async () => {
    // The failed delivery is not due again before the ping is sent.
    moveClock(0);
    await client.create("posts", { title: "a" });
    receiver.answer = answering(500);
    await receiver.round(webhook.id);
    receiver.answer = answering(200);
    const ping = await client.call("POST", `/webhooks/${webhook.id}/ping`);
    expect([ping.status, ping.data["event"], ping.data["state"]]).toEqual([202, "ping", "pending"]);
    receiver.now = Date.now();
    await receiver.round(webhook.id);
    expect(receiver.got.at(-1)).toMatchObject({
      ...{ type: "ping", data: { space: client.space.name, webhookId: webhook.id } },
    });
    await client.call("PATCH", `/webhooks/${webhook.id}`, { enabled: false });
    expect((await client.call("POST", `/webhooks/${webhook.id}/ping`)).error.code).toBe("CONFLICT");
  });

  it("is listed for 30 days, and then removed with what it holds", async () => {
    await client.create("posts", { title: "a" });
    await receiver.round(webhook.id);
    const [delivery] = await listDeliveries(client, webhook.id);
    expect(delivery?.state).toBe("delivered");
    const count = () =>
      bindings.DB.prepare("SELECT count(*) AS n FROM webhook_deliveries WHERE space_id = ?")
        .bind(client.space.id)
        .first("n");
    const age = async (ms: number): Promise<void> => {
      const at = Date.now() - ms;
      await bindings.DB.prepare("UPDATE webhook_deliveries SET created_at = ? WHERE space_id = ?")
        .bind(at, client.space.id)
        .run();
    };
    await age(30 * DAY_MS - HOUR_MS);
    await runSweep(Date.now());
    expect([await count(), (await listDeliveries(client, webhook.id)).length]).toEqual([1, 1]);
    await age(30 * DAY_MS);
    expect(await listDeliveries(client, webhook.id)).toEqual([]);
    expect((await runSweep(Date.now())).removedDeliveries).toBe(1);
    expect(await count()).toBe(0);
  });

  it("that was removed while it waited lets the next of its record go", async () => {
    const id = await client.create("posts", { title: "a" });
    await client.call("PUT", `${posts}/${id}`, { title: "b" });
    receiver.answer = answering(500);
    await receiver.round(webhook.id);
    await bindings.DB.prepare(
      "UPDATE webhook_deliveries SET created_at = 0 WHERE type = 'record.created' AND space_id = ?",
    )
      .bind(client.space.id)
      .run();
    await runSweep(receiver.now);
    receiver.answer = answering(200);
    expect(await receiver.round(webhook.id)).toMatchObject({ delivered: 1, nextAt: null });
    expect(typesOf()).toEqual(["record.created", "record.updated"]);
  });

  it("goes with its webhook, and with its space", async () => {
    await client.create("posts", { title: "a" });
    await receiver.round(webhook.id);
    const rows = (table: string) =>
      bindings.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE space_id = ?`)
        .bind(client.space.id)
        .first("n");
    await client.call("DELETE", `/webhooks/${webhook.id}`);
    expect((await client.call("GET", `/webhooks/${webhook.id}/deliveries`)).status).toBe(404);
    await client.create("posts", { title: "b" });
    expect(await receiver.round(webhook.id)).toEqual({ delivered: 0, failed: 0, nextAt: null });
    await runSweep(Date.now());
    expect([await rows("webhooks"), await rows("webhook_deliveries")]).toEqual([0, 0]);
    const second = await makeWebhook(client);
    await client.create("posts", { title: "c" });
    await new Receiver(second.secret).round(second.id);
    await client.call("DELETE", "", { confirm: client.space.name });
    for (let n = 0; n < 3; n++) await runSweep(Date.now());
    expect([await rows("webhooks"), await rows("webhook_deliveries")]).toEqual([0, 0]);
  });
});
