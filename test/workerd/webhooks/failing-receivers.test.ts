/** Receivers that fail: retries, and the end of a webhook (RULES 15.4, 15.5). */
import { describe, expect, it } from "vitest";
import { WEBHOOKS } from "../../../src/limits.ts";
import { bindings } from "../support/rows.ts";
import { client, posts, receiver, stateOf, useWebhook, webhook } from "./one-webhook.ts";
import { answering, listDeliveries, makeWebhook, Receiver } from "./support.ts";

useWebhook();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("a receiver that fails", () => {
  it("with 500 and then 200 gets the event again after five seconds", async () => {
    await client.create("posts", { title: "a" });
    receiver.answer = answering(500);
    const { nextAt } = await receiver.round(webhook.id);
    expect(nextAt).toBe(receiver.now + 5000);
    expect(await stateOf()).toMatchObject({ failingSince: new Date(receiver.now).toISOString() });
    receiver.answer = answering(200);
    receiver.now += 5000;
    expect(await receiver.round(webhook.id)).toMatchObject({ delivered: 1, nextAt: null });
    expect(await stateOf()).toMatchObject({ enabled: true, failingSince: null });
    const [delivery] = await listDeliveries(client, webhook.id);
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 200]);
  });

  it("for an hour gets every event when it is up again, in order", async () => {
    const ids = [await client.create("posts", { title: "a" }), await client.create("posts", { title: "b" })];
    for (const id of ids) await client.call("PUT", `${posts}/${id}`, { title: "c" });
    const upAt = receiver.now + HOUR_MS;
    const taken: [unknown, unknown][] = [];
    receiver.answer = ({ type, data }) => {
      if (receiver.now < upAt) throw new Error("connection refused");
      taken.push([data["id"], type]);
      return new Response();
    };
    for (let report = await receiver.round(webhook.id); report.nextAt !== null;) {
      receiver.now = Math.max(receiver.now, report.nextAt);
      report = await receiver.round(webhook.id);
    }
    expect(receiver.now - upAt).toBeLessThan(HOUR_MS);
    for (const id of ids)
      expect(taken.filter(([of]) => of === id).map(([, type]) => type)).toEqual([
        ...["record.created", "record.updated"],
      ]);
    expect(taken).toHaveLength(4);
  });

  it("with 410 disables the webhook, which says so and sends nothing more", async () => {
    await client.create("posts", { title: "a" });
    await client.create("posts", { title: "b" });
    receiver.answer = answering(410);
    await receiver.round(webhook.id);
    expect(await stateOf()).toMatchObject({
      ...{ enabled: false, disabledReason: "The receiver answered 410 Gone." },
      disabledAt: new Date(receiver.now).toISOString(),
    });
    const before = receiver.got.length;
    await client.create("posts", { title: "c" });
    receiver.now += DAY_MS;
    await receiver.round(webhook.id);
    expect(receiver.got).toHaveLength(before);
    const events = await bindings.DB.prepare(
      "SELECT count(*) AS n FROM events WHERE space_id = ? AND action = 'webhook.disabled' AND actor_kind = 'system'",
    )
      .bind(client.space.id)
      .first("n");
    expect(events).toBe(1);
  });

  /** Makes rounds until nothing is due any more. */
  const toEnd = async (): Promise<void> => {
    for (let report = await receiver.round(webhook.id); report.nextAt !== null;) {
      receiver.now = Math.max(receiver.now, report.nextAt);
      report = await receiver.round(webhook.id);
    }
  };

  it("for a day, and once more after days without an event, has the retries of that event made first", async () => {
    receiver.answer = answering(502);
    await client.create("posts", { title: "a" });
    await toEnd();
    const failingSince: unknown = (await stateOf())["failingSince"];
    expect(await stateOf()).toMatchObject({ enabled: true, failingSince: expect.any(String) as string });
    receiver.now += 3 * DAY_MS;
    await client.create("posts", { title: "b" });
    for (let n = 0; n < WEBHOOKS.retryMs.length; n++) {
      receiver.now = (await receiver.round(webhook.id)).nextAt ?? 0;
      expect(await stateOf()).toMatchObject({ enabled: true, failingSince });
    }
    receiver.answer = answering(200);
    expect(await receiver.round(webhook.id)).toMatchObject({ delivered: 1, nextAt: null });
    expect(await stateOf()).toMatchObject({ enabled: true, failingSince: null });
  });

  it("for three days disables the webhook when a delivery is given up; a success in between does not", async () => {
    receiver.answer = answering(503);
    await client.create("posts", { title: "a" });
    await receiver.round(webhook.id);
    receiver.now += 3 * DAY_MS - 1;
    await client.create("posts", { title: "b" });
    await receiver.round(webhook.id);
    expect((await stateOf())["enabled"]).toBe(true);
    receiver.now += 1;
    await client.create("posts", { title: "c" });
    await receiver.round(webhook.id);
    expect((await stateOf())["enabled"]).toBe(true);
    await toEnd();
    const attempts = (await listDeliveries(client, webhook.id)).map((one) => one.attempts.length);
    expect(Math.max(...attempts)).toBe(WEBHOOKS.retryMs.length + 1);
    expect(await stateOf()).toMatchObject({
      ...{ enabled: false, disabledReason: "Every attempt failed for 3 days." },
    });
    // The events that waited go out when it is enabled again.
    receiver.answer = answering(200);
    await client.call("PATCH", `/webhooks/${webhook.id}`, { enabled: true });
    receiver.now += 2 * DAY_MS;
    await receiver.round(webhook.id);
    expect(await stateOf()).toMatchObject({ enabled: true, failingSince: null });
    receiver.answer = answering(503);
    await client.create("posts", { title: "d" });
    await receiver.round(webhook.id);
    expect((await stateOf())["enabled"]).toBe(true);
  });

  it("by a redirect is not followed", async () => {
    await client.create("posts", { title: "a" });
    receiver.answer = () =>
      new Response(null, { status: 302, headers: { Location: "https://evil.example/" } });
    await receiver.round(webhook.id);
    expect(receiver.got).toHaveLength(1);
    const [delivery] = await listDeliveries(client, webhook.id);
    expect(delivery?.attempts[0]).toMatchObject({
      status: 302,
      error: expect.stringMatching(/redirects/) as string,
    });
  });

  it("delays no other webhook", async () => {
    const second = await makeWebhook(client);
    const own = new Receiver(second.secret);
    await client.create("posts", { title: "a" });
    let end = (): void => undefined;
    receiver.answer = () => new Promise((resolve) => (end = () => resolve(new Response())));
    const hanging = receiver.round(webhook.id);
    expect(await own.round(second.id)).toMatchObject({ delivered: 1 });
    end();
    await hanging;
  });
});
