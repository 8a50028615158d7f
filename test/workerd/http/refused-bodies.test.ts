/** The bodies of requests that are answered before any route reads them. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { requestWith, ROOT, sentInPieces } from "../support/http.ts";
import { Client } from "../support/api.ts";
import { emptyStorage } from "../support/rows.ts";

afterEach(async () => {
  vi.restoreAllMocks();
  await emptyStorage();
});

const PIECES = 30;
const UNKNOWN_KEY = { Authorization: "Bearer sk_nobody_has_this_key" };

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
}

/** Sends a request in pieces of 1 KB, and returns the status of its answer and the number of pieces that nobody read. */
async function send({ method, path, headers }: Sent): Promise<{ status: number; unread: number }> {
  const unsent = Array<string>(PIECES).fill("x".repeat(1024));
  const { status } = await requestWith({}, path, { method, headers, body: sentInPieces(unsent) });
  return { status, unread: unsent.length };
}

describe("a body that no route reads", () => {
  it.each([
    ["an unknown key", 401, "POST", "/media", UNKNOWN_KEY],
    ["no key", 401, "POST", "/media", {}],
    ["an unknown key for a part of an upload", 401, "PUT", "/media/uploads/none/parts/1", UNKNOWN_KEY],
    ["a method that the route does not have", 405, "PUT", "/media", ROOT],
    ["a route that is not there", 404, "POST", "/nothing/is/here", ROOT],
    ["another content type", 415, "POST", "/models", { ...ROOT, "Content-Type": "text/plain" }],
    ["an encoded upload", 415, "POST", "/media", { ...ROOT, "Content-Encoding": "gzip" }],
    ["an unknown parameter", 400, "POST", "/media?nothing=1", ROOT],
  ])("of %s is read to its end before the answer (RULES 10.4)", async (_, status, method, to, headers) => {
    const { space } = await Client.make();
    const path = `/api/v1/${space.name}${to}`;
    const ticking = vi.spyOn(globalThis, "setInterval");
    const cleared = vi.spyOn(globalThis, "clearInterval");
    expect(await send({ method, path, headers })).toEqual({ status, unread: 0 });
    expect(cleared.mock.calls.map(([timer]) => timer as unknown)).toEqual(
      ticking.mock.results.map(({ value }) => value as unknown),
    );
  });

  it("of a role that may not write, and of another space's key, is read to its end", async () => {
    const client = await Client.make();
    const other = await Client.make();
    const { data } = await client.call<{ key: string }>("POST", "/keys", { name: "reader", role: "read" });
    const headers = { Authorization: `Bearer ${data.key}` };
    const pathOf = ({ space }: Client): string => `/api/v1/${space.name}/media`;
    expect(await send({ method: "POST", path: pathOf(client), headers })).toEqual({ status: 403, unread: 0 });
    expect(await send({ method: "POST", path: pathOf(other), headers })).toEqual({ status: 404, unread: 0 });
  });

  it("of a request that needs none is read to its end", async () => {
    const client = await Client.make();
    const path = `/api/v1/${client.space.name}/media/none`;
    expect(await send({ method: "DELETE", path, headers: ROOT })).toEqual({ status: 404, unread: 0 });
  });
});
