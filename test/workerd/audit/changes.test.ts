/** Media, models, keys, settings, uploads and spaces have events as records have (RULES 14.1). */
import { afterEach, describe, expect, it } from "vitest";
import { call, Client } from "../support/api.ts";
import { request } from "../support/http.ts";
import { exported } from "../support/exchange.ts";
import { bindings, emptyStorage } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf, Uploader } from "../support/uploads.ts";
import { actionsOf, eventsOf } from "./support.ts";

const DAY_MS = 86_400_000;
const ROOT = { Authorization: `Bearer ${bindings.ROOT_TOKEN}` };

afterEach(emptyStorage);

/** Sends a file of one pixel; `fill` tells files apart. @returns the id of the item */
async function send(client: Client, method: string, path: string, fill = 0): Promise<string> {
  const address = `/api/v1/${client.space.name}${path}`;
  const response = await request(address, { method, headers: ROOT, body: gifOf(60, fill) });
  const { data } = await response.json<{ data: { id: string } }>();
  return data.id;
}

describe("a media item", () => {
  it("has an event for each step of its life, and none for a change to what is there", async () => {
    const client = await Client.make();
    const key = await client.key("write");
    const id = await send(client, "POST", "/media");
    const change = { alt: "a dot", focalPoint: { x: 0.1, y: 0.2 } };
    await client.call("PATCH", `/media/${id}`, change, { key });
    const before = await client.call("GET", `/media/${id}`);
    for (const same of [change, {}, { alt: "a dot" }])
      expect((await client.call("PATCH", `/media/${id}`, same)).data).toEqual(before.data);
    await send(client, "PUT", `/media/${id}/file`, 1);
    await client.call("DELETE", `/media/${id}`);
    await client.call("DELETE", `/media/${id}`);
    await client.call("POST", `/trash/${id}/restore`);
    await client.call("DELETE", `/media/${id}`);
    await client.call("DELETE", `/trash/${id}`);
    const events = await eventsOf(client, "media");
    expect(events.map(({ action, name, facts }) => [action, name, facts["masterVersion"]])).toEqual([
      ["media.created", "root", 1],
      ["media.updated", "write", 1],
      ["media.replaced", "root", 2],
      ["media.trashed", "root", 2],
      ["media.restored", "root", 2],
      ["media.trashed", "root", 2],
      ["media.removed", "root", 2],
    ]);
    expect(new Set(events.map(({ target }) => target))).toEqual(new Set([id]));
  });

  it("is removed by the sweep as the service itself", async () => {
    const client = await Client.make();
    const id = await send(client, "POST", "/media");
    await client.call("DELETE", `/media/${id}`);
    await runSweep(Date.now() + 40 * DAY_MS);
    await runSweep(Date.now() + 40 * DAY_MS);
    const [last] = (await eventsOf(client, "media")).slice(-1);
    expect(last).toMatchObject({ action: "media.removed", actor: "system", target: id, requestId: null });
  });

  it("in another locale has an event for a new alt text alone", async () => {
    const client = await Client.make();
    await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
    const id = await send(client, "POST", "/media");
    for (const alt of ["Punkt", "Punkt", "Fleck"])
      await client.call("PATCH", `/media/${id}?locale=de`, { alt });
    expect(await actionsOf(client, "media.updated")).toHaveLength(2);
  });
});

describe("an upload in parts", () => {
  it("has an event when it begins, and one when it is given up; its item has its own", async () => {
    const client = await Uploader.make();
    const file = gifOf(100);
    const { data: first } = await client.begin(file.byteLength);
    await client.put(first.id, 1, file);
    await client.complete(first.id);
    await client.complete(first.id);
    const { data: second } = await client.begin(file.byteLength);
    await client.call("DELETE", `/media/uploads/${second.id}`);
    await client.call("DELETE", `/media/uploads/${second.id}`);
    const { data: third } = await client.begin(file.byteLength);
    await runSweep(Date.now() + 2 * DAY_MS);
    const events = (await eventsOf(client)).filter(({ action }) => /^(upload|media)/.test(action));
    expect(events.map(({ action, actor, target }) => [action, actor, target])).toEqual([
      ["upload.created", "root", first.id],
      ["media.created", "root", expect.any(String)],
      ["upload.created", "root", second.id],
      ["upload.removed", "root", second.id],
      ["upload.created", "root", third.id],
      ["upload.removed", "system", third.id],
    ]);
  });
});

describe("a model", () => {
  it("has an event when it is made, changed and removed, with the names of its fields", async () => {
    const client = await Client.make();
    const path = "/models/collections/posts";
    await client.model("posts", [
      { name: "title", type: "string" },
      { name: "n", type: "number" },
    ]);
    const fields = [
      { name: "heading", type: "string", required: false },
      { name: "tags", type: "string" },
    ];
    const change = { fields, rename: { title: "heading" }, drop: ["n"] };
    expect((await client.call("PUT", path, change)).status).toBe(200);
    await client.call("PUT", path, { fields });
    await client.call("PUT", `${path}?dryRun=true`, { fields: [] });
    await client.call("DELETE", path);
    await client.call("DELETE", path);
    const events = await eventsOf(client, "model");
    expect(events.map(({ action, target, model, facts }) => [action, target, model, facts])).toEqual([
      ["model.created", "posts", "collections/posts", { version: 1 }],
      [
        "model.changed",
        "posts",
        "collections/posts",
        expect.objectContaining({
          version: 2,
          added: ["tags"],
          removed: ["n"],
          renamed: { title: "heading" },
        }),
      ],
      ["model.removed", "posts", "collections/posts", { version: 2 }],
    ]);
  });

  it("is a component that is changed with its holders in one event", async () => {
    const client = await Client.make();
    await client.model("cta", [{ name: "label", type: "string" }], "components");
    await client.model("posts", [{ name: "cta", type: "component", component: "cta" }]);
    const fields = [
      { name: "label", type: "string" },
      { name: "href", type: "string" },
    ];
    expect((await client.call("PUT", "/models/components/cta", { fields })).status).toBe(200);
    const events = await eventsOf(client, "model.changed");
    expect(events.map(({ target, facts }) => [target, facts["added"]])).toEqual([["cta", ["href"]]]);
  });
});

describe("a key", () => {
  it("has an event when it is made and revoked, which never has the key itself", async () => {
    const client = await Client.make();
    const { data } = await client.call<{ id: string; key: string }>("POST", "/keys", {
      name: "a",
      role: "admin",
    });
    await client.call("DELETE", `/keys/${data.id}`, undefined, { key: data.key });
    await client.call("DELETE", `/keys/${data.id}`);
    const events = await eventsOf(client, "key");
    expect(events.map(({ action, actor, target }) => [action, actor, target])).toEqual([
      ["key.created", "root", data.id],
      ["key.removed", "key", data.id],
    ]);
    expect(JSON.stringify(events)).not.toContain(data.key);
  });
});

describe("a space", () => {
  it("has events for its settings, its name and its plan where these change", async () => {
    const client = await Client.make();
    const settings = { quality: 95, origins: ["https://pictures.example.com"] };
    for (let time = 0; time < 2; time++) await client.call("PATCH", "/settings", settings);
    const locales = { locales: [{ code: "en" }] };
    for (let time = 0; time < 2; time++) await client.call("PATCH", "/settings", locales);
    await client.call("PATCH", "", { plan: { historyDays: 7 } });
    await client.call("PATCH", "", { plan: { historyDays: 7 } });
    await client.call("PATCH", "", { name: `${client.space.name}-new` });
    const events = await eventsOf(client);
    expect(events.map(({ action, target, facts }) => [action, target, facts["changed"]])).toEqual([
      ["settings.changed", client.space.name, ["quality", "origins"]],
      ["settings.changed", client.space.name, ["locales"]],
      ["space.changed", client.space.name, undefined],
      ["space.renamed", `${client.space.name}-new`, undefined],
    ]);
  });

  it("has one when it is made and removed, and the sweep removes them with it", async () => {
    const { data } = await call<{ id: string; name: string }>("POST", "/api/v1/spaces", {
      name: "short-lived",
    });
    const client = new Client({ ...(await Client.make()).space, ...data });
    await client.call("DELETE", "", { confirm: "short-lived" });
    expect(await actionsOf(client)).toEqual(["space.created", "space.removed"]);
    await runSweep(Date.now());
    await runSweep(Date.now());
    expect(await actionsOf(client)).toEqual([]);
  });
});

describe("an export", () => {
  it("has one event as it begins, whoever reads its next pages, and none for a refused cursor", async () => {
    const client = await Client.make();
    const key = await client.key("admin");
    const first = await exported(client);
    expect(first.end.changed).toEqual([]);
    const refused = await client.call("GET", "/export?cursor=x", undefined, { key });
    expect(refused.status).toBe(400);
    const events = await eventsOf(client, "export");
    expect(events).toMatchObject([{ action: "export.created", name: "root", target: client.space.name }]);
    expect(events[0]?.requestId).toEqual(expect.any(String));
  });
});

describe("a preview token", () => {
  it("has an event, which names its maker and not the token", async () => {
    const client = await Client.make();
    const key = await client.key("write");
    const made = await client.call("POST", "/preview-tokens", { ttlSeconds: 60 }, { key });
    const refused = await client.call("POST", "/preview-tokens", { ttlSeconds: 0 }, { key });
    expect([made.status, refused.status]).toEqual([201, 400]);
    const events = await eventsOf(client, "token");
    expect(events).toMatchObject([{ action: "token.created", actor: "key", name: "write" }]);
    expect(JSON.stringify(events)).not.toContain(made.data["token"]);
  });
});
