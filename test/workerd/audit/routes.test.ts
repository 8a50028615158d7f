/** Every route of a space that writes has its line in the audit, with its caller (RULES 14.1, 14.2). */
import { afterAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/edge/app.ts";
import { Client } from "../support/api.ts";
import { request } from "../support/http.ts";
import { bindings, emptyStorage } from "../support/rows.ts";
import { eventsOf } from "./support.ts";
import { WRITES, type Write, type WriteCase } from "./writes.ts";

afterAll(emptyStorage);

const routes = createApp().descriptions.filter(
  ({ method, path }) => method !== "get" && path.startsWith("/api/v1/:spaceName"),
);

const bodyOf = ({ body, bytes, text }: Write): BodyInit | null =>
  bytes ?? text ?? (body === undefined ? null : JSON.stringify(body));

async function send(client: Client, method: string, write: Write, key: string): Promise<void> {
  const response = await request(`/api/v1/${client.space.name}${write.path}`, {
    method: method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${write.key ?? key}`,
      ...(write.body !== undefined && { "Content-Type": "application/json" }),
      ...write.headers,
    },
    body: bodyOf(write),
  });
  const text = await response.text();
  expect(response.status, text).toBeLessThan(300);
}

it("names every route that writes", () => {
  expect(Object.keys(WRITES).sort()).toEqual(routes.map(({ operationId }) => operationId).sort());
});

const asked = routes.flatMap(({ method, operationId }): [string, string, WriteCase][] => {
  const row = WRITES[operationId];
  return row === undefined || typeof row === "string" ? [] : [[operationId, method, row]];
});

describe("a write has a line of its caller, and none where nothing changes", () => {
  it.each(asked)("%s", async (_name, method, { prepare, actions, isRoot, isSettled }) => {
    const client = await Client.make();
    const key = isRoot ? bindings.ROOT_TOKEN : await client.key("admin");
    const write = await prepare(client);
    const before = await eventsOf(client);
    await send(client, method, write, key);
    const lines = (await eventsOf(client)).slice(before.length);
    expect(lines.map(({ action }) => action)).toEqual(actions);
    const actor = isRoot ? "root" : write.key === undefined ? "key" : "member";
    expect(new Set(lines.map((line) => line.actor))).toEqual(new Set([actor]));
    expect(lines.every(({ requestId }) => requestId !== null)).toBe(true);
    if (!isSettled) return;
    await send(client, method, write, key);
    expect(await eventsOf(client)).toHaveLength(before.length + lines.length);
  });
});
