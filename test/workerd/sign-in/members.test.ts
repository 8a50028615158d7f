/** Members who have signed in by OpenID Connect: what they may do, and until when (RULES 2.6). */
import { describe, expect, it, vi } from "vitest";
import { SIGN_IN } from "../../../src/limits.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { createPreviewToken } from "../../../src/edge/spaces/preview-tokens.ts";
import type { Caller } from "../../../src/edge/spaces/authorize.ts";
import { WHOLE_SPACE } from "../../../src/edge/storage/spaces/scopes.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";
import { as, client, invite, member, signIn, useProvider } from "./support.ts";

useProvider();

const ADA = { sub: "ada", email: "ada@example.com", email_verified: true };

describe("a member", () => {
  it("signs in, works by its role and scopes, and signs out", async () => {
    const id = await invite("  Ada@Example.com ", "write", { models: ["posts"] });
    const before = Date.now();
    const { status, data } = await signIn(ADA);
    expect(status).toBe(201);
    const token = String(data["token"]);
    const lasts = Date.parse(String(data["expiresAt"])) - before;
    expect(lasts).toBeGreaterThanOrEqual(SIGN_IN.sessionHours * 3_600_000);
    const self = await as(token, "GET", "/keys/self");
    expect(self.data).toMatchObject({ id: null, role: "write", member: { id, email: ADA.email } });
    expect(self.data).toMatchObject({ scopes: { models: ["posts"] }, space: client.space.name });
    const post = await as(token, "POST", "/data/collections/posts", { title: "a" });
    expect(post.status).toBe(201);
    expect((await as(token, "GET", "/data/collections/hidden")).status).toBe(404);
    expect((await as(token, "GET", "/members")).status).toBe(403);
    const history = await client.call("GET", `/data/collections/posts/${String(post.data["id"])}/versions`);
    expect(history.data).toMatchObject([{ actor: { kind: "member", id, name: ADA.email } }]);
    const shown = await client.call("GET", `/members/${id}`);
    expect(shown.data).toMatchObject({ email: ADA.email, bound: true, scopes: { models: ["posts"] } });
    expect(Date.parse(String(shown.data["lastSeenAt"]))).toBeGreaterThanOrEqual(before);
    expect((await as(token, "DELETE", "/sessions/self")).data).toEqual({ state: "ended" });
    expect((await as(token, "GET", "/keys/self")).status).toBe(401);
    expect((await as(token, "GET", "/data/collections/posts")).status).toBe(401);
  });

  it("is stored with the hash of its token alone", async () => {
    const { token } = await member();
    const { results } = await bindings.DB.prepare("SELECT * FROM sessions").all();
    expect(JSON.stringify(results)).not.toContain(token);
    expect(results.length).toBeGreaterThan(0);
  });

  it("loses all at once when it is removed, and its keys are named", async () => {
    const { id, token } = await member("admin");
    const key = await as(token, "POST", "/keys", { name: "made", role: "read" });
    const preview = await as(token, "POST", "/preview-tokens", { ttlSeconds: 60 });
    const removed = await client.call("DELETE", `/members/${id}`);
    expect(removed.data).toEqual({ id, state: "removed", keys: [key.data["id"]] });
    expect((await as(token, "GET", "/keys/self")).status).toBe(401);
    expect((await as(String(preview.data["token"]), "GET", "/media")).status).toBe(401);
    expect((await as(String(key.data["key"]), "GET", "/media")).status).toBe(200);
    expect((await client.call("DELETE", `/members/${id}`)).status).toBe(404);
  });

  it("is signed out by an admin with its preview tokens, and may sign in again", async () => {
    const { id, token, person } = await member();
    const made = await as(token, "POST", "/preview-tokens", { ttlSeconds: 60 });
    const preview = String(made.data["token"]);
    expect((await as(preview, "GET", "/media")).status).toBe(200);
    expect((await client.call("DELETE", `/members/${id}/sessions`)).data).toEqual({ id, state: "signedOut" });
    expect((await as(token, "GET", "/keys/self")).status).toBe(401);
    expect((await as(preview, "GET", "/media")).status).toBe(401);
    await new Promise((done) => setTimeout(done, 5));
    const again = await signIn(person);
    expect(again.status).toBe(201);
    const anew = await as(String(again.data["token"]), "POST", "/preview-tokens", { ttlSeconds: 60 });
    expect(anew.status).toBe(201);
  });

  it("has its new role and scopes from the next request on, and its preview tokens end", async () => {
    const { id, token } = await member("write");
    const preview = String((await as(token, "POST", "/preview-tokens", { ttlSeconds: 60 })).data["token"]);
    expect((await as(preview, "GET", "/media")).status).toBe(200);
    const changed = await client.call("PATCH", `/members/${id}`, { role: "read", scopes: { media: "none" } });
    expect(changed.data).toMatchObject({ role: "read", scopes: { media: "none" } });
    expect((await as(token, "POST", "/data/collections/posts", {})).status).toBe(403);
    expect((await as(token, "GET", "/media")).status).toBe(404);
    expect((await as(preview, "GET", "/media")).status).toBe(401);
    const admin = await client.call("PATCH", `/members/${id}`, { role: "admin" });
    expect([admin.status, admin.error.details]).toMatchObject([400, [{ path: "scopes" }]]);
    expect((await client.call("PATCH", `/members/${id}`, { role: "admin", scopes: null })).status).toBe(200);
  });

  it("makes a preview token with its present scopes, and none once it may not, whatever let the request in", async () => {
    const { id } = await member("write");
    const actor = { kind: "member", id, name: "p" } as const;
    const request = async (now = Date.now()): Promise<string | null> => {
      const maker = { kind: "member", role: "write", scopes: WHOLE_SPACE, expiresAt: null, actor } as const;
      const caller = { ...maker, space: client.space as unknown as Caller["space"], key: null, member: null };
      const by = { origin: { actor, requestId: "r" }, now };
      return createPreviewToken(database(bindings.DB), caller, 60, by).then(
        ({ token }) => token,
        (error: unknown) => {
          expect(error).toMatchObject({ code: "CONFLICT" });
          return null;
        },
      );
    };
    await client.call("PATCH", `/members/${id}`, { scopes: { models: ["posts"] } });
    const token = String(await request());
    expect((await as(token, "GET", "/data/collections/posts")).status).toBe(200);
    expect((await as(token, "GET", "/data/collections/hidden")).status).toBe(404);
    await client.call("PATCH", `/members/${id}`, { role: "read" });
    expect(await request()).toBeNull();
    await client.call("PATCH", `/members/${id}`, { role: "write" });
    const before = Date.now();
    await client.call("DELETE", `/members/${id}/sessions`);
    expect(await request(before)).toBeNull();
    await new Promise((done) => setTimeout(done, 5));
    expect(await request()).not.toBeNull();
    await client.call("PATCH", `/members/${id}`, { bound: false });
    expect(await request()).toBeNull();
  });

  it("opens the spaces of its memberships, and no other", async () => {
    const { token, person } = await member();
    const [other, third] = [await Client.make(), await Client.make()];
    await other.call("POST", "/members", { email: person.email, role: "read" });
    expect((await as(token, "GET", "/media", undefined, other)).status).toBe(404);
    expect((await signIn(person, other)).status).toBe(201);
    expect((await as(token, "GET", "/media", undefined, other)).status).toBe(200);
    expect((await as(token, "GET", "/media", undefined, third)).status).toBe(404);
    const { data } = await other.call<{ id: string }[]>("GET", "/members");
    await other.call("DELETE", `/members/${data[0]?.id ?? ""}/sessions`);
    expect((await as(token, "GET", "/media", undefined, other)).status).toBe(404);
    expect((await as(token, "GET", "/media")).status).toBe(200);
  });

  it("ends after twelve hours", async () => {
    const { token } = await member();
    await bindings.DB.prepare("UPDATE sessions SET expires_at = ?").bind(Date.now()).run();
    expect((await as(token, "GET", "/media")).status).toBe(401);
  });
});

describe("the first sign-in binds the person", () => {
  it("so that another one with the same address is refused until an admin says otherwise", async () => {
    const { id, person } = await member();
    const other = { ...person, sub: `${person.sub}-other` };
    expect((await signIn(other)).status).toBe(403);
    expect((await client.call("PATCH", `/members/${id}`, { bound: false })).data).toMatchObject({
      bound: false,
    });
    expect((await signIn(other)).status).toBe(201);
    expect((await signIn(person)).status).toBe(403);
  });

  it("so that the person stays when its address changes", async () => {
    const { person } = await member();
    expect((await signIn({ ...person, email: "new@example.com" })).status).toBe(201);
  });
});

describe("members", () => {
  it("are invited once by an address, by admins alone", async () => {
    await invite("twice@example.com");
    const again = await client.call("POST", "/members", { email: "Twice@example.com", role: "read" });
    expect(again.status).toBe(409);
    for (const body of [
      { email: "no address", role: "read" },
      { email: "a@example.com", role: "root" },
      { email: "a@example.com", role: "admin", scopes: { media: "read" } },
    ]) {
      expect([body, (await client.call("POST", "/members", body)).status]).toEqual([body, 400]);
    }
    const writer = await client.key("write");
    expect((await as(writer, "POST", "/members", { email: "a@example.com", role: "read" })).status).toBe(403);
    const { data, meta } = await client.call<{ email: string }[]>("GET", "/members?limit=1");
    expect([data.length, typeof meta.nextCursor]).toEqual([1, "string"]);
  });

  it("are not made by a key that ends by itself", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { data } = await client.call("POST", "/keys", { name: "k", role: "admin", expiresAt });
    const reply = await as(String(data["key"]), "POST", "/members", { email: "z@example.com", role: "read" });
    expect(reply.status).toBe(403);
  });
});

it("answers a request without a session to sign out with 404, and says what to do", async () => {
  const refusalOf = async (key: string): Promise<[number, string]> => {
    const { status, error } = await as(key, "DELETE", "/sessions/self");
    return [status, error.message];
  };
  const key = await client.key("write");
  expect(await refusalOf(key)).toEqual([
    404,
    "This request has a key, not a session. Revoke the key instead.",
  ]);
  expect(await refusalOf(bindings.ROOT_TOKEN)).toEqual([
    404,
    "This request has the root token, not a session. To end it, give the deployment another root token.",
  ]);
  const { data } = await as(key, "POST", "/preview-tokens", { ttlSeconds: 60 });
  expect(await refusalOf(String(data["token"]))).toEqual([
    404,
    "This request has a preview token, not a session. It ends by itself, and with its maker.",
  ]);
});

it("costs one query a request, among a thousand members", async () => {
  const { token } = await member();
  const rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)";
  await bindings.DB.prepare(
    `INSERT INTO members (id, space_id, email, role, iss, sub, created_at, maker_kind)
      ${rows} SELECT 'M' || i, ?1, 'm' || i, 'read', 'i', 's' || i, 1, 'root' FROM n`,
  )
    .bind(client.space.id)
    .run();
  const logs: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void logs.push(line));
  expect((await as(token, "GET", "/data/collections/posts/none")).status).toBe(404);
  expect((await as(token, "GET", "/keys/self")).status).toBe(200);
  expect(logs.map((line) => (JSON.parse(line) as { queries: number }).queries)).toEqual([1, 1]);
});
