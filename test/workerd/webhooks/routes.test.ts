/** The routes of webhooks (RULES 15.1, 15.2, 15.5). */
import { describe, expect, it } from "vitest";
import { WEBHOOKS } from "../../../src/limits.ts";
import { WEBHOOK_EVENTS } from "../../../src/edge/webhooks/messages.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";
import { makeWebhook, Receiver, URL_OF_RECEIVER, type Made } from "./support.ts";

const DAY_MS = 86_400_000;

describe("a webhook", () => {
  it("is created with a secret that no later answer shows", async () => {
    const client = await Client.make();
    const made = await client.call("POST", "/webhooks", {
      ...{ url: "https://example.com/build", events: ["record.published"], models: ["posts"], name: "Build" },
    });
    expect(made.status).toBe(201);
    const { secret, ...webhook } = made.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({
      ...{ url: "https://example.com/build", events: ["record.published"], models: ["posts"], name: "Build" },
      ...{
        enabled: true,
        disabledReason: null,
        failingSince: null,
        hasSecret: true,
        previousSecretUntil: null,
      },
    });
    const id = String(webhook["id"]);
    expect((await client.call("GET", `/webhooks/${id}`)).data).toEqual(webhook);
    expect((await client.call("GET", "/webhooks")).data).toEqual([webhook]);
    const row = await bindings.DB.prepare("SELECT secret FROM webhooks WHERE id = ?")
      .bind(id)
      .first("secret");
    expect(row).not.toContain(String(secret).slice(6));
  });

  it("takes every type of event, once each, and * for all", async () => {
    const client = await Client.make();
    const all = await client.call("POST", "/webhooks", {
      url: URL_OF_RECEIVER,
      events: [...WEBHOOK_EVENTS, "media.created"].slice(0, 15),
    });
    expect(all.data["events"]).toEqual([...WEBHOOK_EVENTS]);
    expect(
      (await client.call("POST", "/webhooks", { url: URL_OF_RECEIVER, events: ["*"] })).data,
    ).toMatchObject({
      ...{ events: ["*"], models: null, name: "" },
    });
  });

  it("is refused with another address, type, name or parameter", async () => {
    const client = await Client.make();
    const good = { url: URL_OF_RECEIVER, events: ["*"] };
    for (const [bad, path] of [
      [{ url: "http://example.com/" }, "url"],
      [{ url: "https://10.0.0.1/" }, "url"],
      [{ url: "http://localhost:8820/" }, "url"],
      [{ url: `https://example.com/${"a".repeat(WEBHOOKS.urlMaxCharacters)}` }, "url"],
      [{ events: [] }, "events"],
      [{ events: ["record.moved"] }, "events.0"],
      [{ models: [] }, "models"],
      [{ models: Array.from({ length: WEBHOOKS.modelsMax + 1 }, (_, n) => `m${n}`) }, "models"],
      [{ name: "n".repeat(WEBHOOKS.nameMaxCharacters + 1) }, "name"],
      [{ secret: "mine" }, "secret"],
    ] as const) {
      const reply = await client.call("POST", "/webhooks", { ...good, ...bad });
      expect([reply.status, reply.error.code, reply.error.details?.[0]?.path]).toEqual([
        ...[400, "VALIDATION_FAILED", path],
      ]);
    }
    const named = { ...good, name: "n".repeat(WEBHOOKS.nameMaxCharacters) };
    expect((await client.call("POST", "/webhooks", named)).status).toBe(201);
  });

  it(`is refused when the space has ${WEBHOOKS.perSpaceMax}, until one is removed`, async () => {
    const client = await Client.make();
    const made: Made[] = [];
    for (let n = 0; n < WEBHOOKS.perSpaceMax; n++) made.push(await makeWebhook(client));
    const more = () => client.call("POST", "/webhooks", { url: URL_OF_RECEIVER, events: ["*"] });
    expect((await more()).error.code).toBe("CONFLICT");
    expect((await client.call("DELETE", `/webhooks/${made[0]?.id}`)).data).toEqual({
      ...{ id: made[0]?.id, state: "removed" },
    });
    expect((await more()).status).toBe(201);
    const pages = await client.call("GET", "/webhooks?limit=15");
    const rest = await client.call("GET", `/webhooks?limit=15&cursor=${pages.meta.nextCursor}`);
    expect([pages.data.length, rest.data.length, rest.meta.nextCursor]).toEqual([15, 5, null]);
  });

  it("is for admins alone, and of its space alone", async () => {
    const [client, other] = [await Client.make(), await Client.make()];
    const { id } = await makeWebhook(client);
    const paths: [string, string, object?][] = [
      ["POST", "/webhooks", { url: URL_OF_RECEIVER, events: ["*"] }],
      ["GET", "/webhooks"],
      ["GET", `/webhooks/${id}`],
      ["PATCH", `/webhooks/${id}`, { name: "x" }],
      ["GET", `/webhooks/${id}/deliveries`],
      ["POST", `/webhooks/${id}/ping`],
      ["POST", `/webhooks/${id}/deliveries/${id}/redeliver`],
      ["DELETE", `/webhooks/${id}`],
    ];
    const key = await client.key("write");
    for (const [method, path, body] of paths) {
      expect((await client.call(method, path, body, { key })).status, `${method} ${path}`).toBe(403);
      expect((await client.call(method, path, body, { key: null })).status, `${method} ${path}`).toBe(401);
      if (path !== "/webhooks")
        expect((await other.call(method, path, body)).status, `${method} ${path}`).toBe(404);
    }
    for (const wrong of ["nothing", "T0000000000000000000000009"])
      expect((await client.call("GET", `/webhooks/${wrong}`)).status).toBe(404);
  });

  it("is changed in part", async () => {
    const client = await Client.make();
    const { id } = await makeWebhook(client, { name: "before", models: ["posts"] });
    const patch = async (body: object) => (await client.call("PATCH", `/webhooks/${id}`, body)).data;
    expect(await patch({ name: "after" })).toMatchObject({
      name: "after",
      models: ["posts"],
      url: URL_OF_RECEIVER,
    });
    expect(await patch({ models: null, events: ["media.created"] })).toMatchObject({
      ...{ name: "after", models: null, events: ["media.created"] },
    });
    expect(await patch({ enabled: false })).toMatchObject({ enabled: false, disabledReason: null });
    expect(await patch({ enabled: true })).toMatchObject({ enabled: true, disabledAt: null });
    const wrong = await client.call("PATCH", `/webhooks/${id}`, { url: "https://[::1]/" });
    expect(wrong.error.details?.[0]?.path).toBe("url");
    expect((await client.call("PATCH", `/webhooks/${id}`, { secret: "mine" })).status).toBe(400);
  });

  it("signs with both secrets for 24 hours after a rotation", async () => {
    const client = await Client.make();
    const made = await makeWebhook(client);
    const rotated = await client.call("PATCH", `/webhooks/${made.id}`, { secret: "rotate" });
    const secret = String(rotated.data["secret"]);
    expect(secret).not.toBe(made.secret);
    const until = Date.parse(String(rotated.data["previousSecretUntil"]));
    expect(Math.abs(until - Date.now() - DAY_MS)).toBeLessThan(60_000);
    expect((await client.call("GET", `/webhooks/${made.id}`)).data).not.toHaveProperty("secret");
    // The receivers verify.
    for (const one of [made.secret, secret]) {
      await client.call("POST", `/webhooks/${made.id}/ping`);
      expect(await new Receiver(one).round(made.id)).toMatchObject({ delivered: 1, failed: 0 });
    }
    await bindings.DB.prepare("UPDATE webhooks SET previous_until = ? WHERE id = ?")
      .bind(Date.now() - 1, made.id)
      .run();
    await client.call("POST", `/webhooks/${made.id}/ping`);
    expect(await new Receiver(made.secret).round(made.id)).toMatchObject({ delivered: 0, failed: 1 });
  });

  it("without a secret, as an import leaves one, is enabled only with one", async () => {
    const client = await Client.make();
    const { id } = await makeWebhook(client);
    await bindings.DB.prepare("UPDATE webhooks SET secret = NULL, state = 'disabled' WHERE id = ?")
      .bind(id)
      .run();
    expect((await client.call("PATCH", `/webhooks/${id}`, { enabled: true })).error.code).toBe("CONFLICT");
    const both = await client.call("PATCH", `/webhooks/${id}`, { enabled: true, secret: "rotate" });
    expect(both.data).toMatchObject({ enabled: true, previousSecretUntil: null });
    await client.call("POST", `/webhooks/${id}/ping`);
    expect(await new Receiver(String(both.data["secret"])).round(id)).toMatchObject({ delivered: 1 });
  });

  it("stores no answer with a secret under an Idempotency-Key", async () => {
    const client = await Client.make();
    const headers = { "Idempotency-Key": "once" };
    const body = { url: URL_OF_RECEIVER, events: ["*"] };
    expect((await client.call("POST", "/webhooks", body, { headers })).status).toBe(201);
    const rows = await bindings.DB.prepare("SELECT body FROM idempotency_keys WHERE key = 'once'").all();
    expect(rows.results).toEqual([]);
  });

  it("writes its own changes into the audit, with the caller", async () => {
    const client = await Client.make();
    const { id } = await makeWebhook(client);
    await client.call("PATCH", `/webhooks/${id}`, { name: "x" });
    await client.call("DELETE", `/webhooks/${id}`);
    await client.call("DELETE", `/webhooks/${id}`);
    const { results } = await bindings.DB.prepare(
      "SELECT action, target_id, actor_kind FROM events WHERE space_id = ? AND target_kind = 'webhook' ORDER BY no",
    )
      .bind(client.space.id)
      .all();
    expect(results).toEqual(
      ["created", "changed", "removed"].map((verb) => ({
        ...{ action: `webhook.${verb}`, target_id: id, actor_kind: "root" },
      })),
    );
  });
});
