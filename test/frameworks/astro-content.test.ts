/** A static site that a webhook has built again: it shows what was published, and no draft (RULES 15.3). */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { bearer, json, newSpace, type Space } from "../../scripts/harness/api.ts";
import { WebhookReceiver } from "../support/webhook-receiver.ts";
import { installApp, serveFiles, type App, type Site } from "./support/app.ts";

let app: App;
let space: Space;
let site: Site | null = null;
let receiver: WebhookReceiver | null = null;

const send = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${space.api}${path}`, {
    method,
    headers: { ...bearer(space.key), "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
const build = (): Promise<string> => app.run("astro", "build");
const shown = async (): Promise<string> => (await fetch(site?.url ?? "")).text();

beforeAll(async () => {
  const { service } = inject("frameworks");
  space = await newSpace(service);
  app = await installApp("astro-content");
  const { name, key } = space;
  writeFileSync(join(app.folder, "space.json"), JSON.stringify({ baseUrl: service.base, space: name, key }));
});
afterAll(async () => {
  await site?.stop();
  await receiver?.stop();
});

it("a site of Astro shows the new title after its publication, and nothing before", async () => {
  const fields = [{ name: "title", type: "string" }];
  await json(
    await send("POST", "/models", { typeModel: "collections", name: "posts", drafts: true, fields }),
  );
  const { id } = await json<{ id: string }>(
    await send("POST", "/data/collections/posts", { title: "Before" }),
  );
  await json(await send("POST", `/data/collections/posts/${id}/publish`));
  await build();
  site = await serveFiles({ "/": join(app.folder, "dist") });
  expect(await shown()).toContain(">Before<");

  const builds: Promise<string>[] = [];
  receiver = await new WebhookReceiver((_, response) => {
    // As a deploy hook does: it answers, and builds afterwards.
    response.writeHead(204).end();
    builds.push(build());
  }).start();
  const events = ["record.published", "record.unpublished"];
  const made = await json<{ secret: string }>(await send("POST", "/webhooks", { url: receiver.url, events }));
  receiver.secret = made.secret;

  await json(await send("PUT", `/data/collections/posts/${id}`, { title: "After" }));
  expect(await shown()).toContain(">Before<");
  await json(await send("POST", `/data/collections/posts/${id}/publish`));
  while (builds.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all(builds);
  expect(await shown()).toContain(">After<");
  expect(await shown()).not.toContain(">Before<");
  expect(receiver.received.map(({ type, data }) => [type, data["id"]])).toEqual([["record.published", id]]);
  expect(receiver.faults).toEqual([]);
});
