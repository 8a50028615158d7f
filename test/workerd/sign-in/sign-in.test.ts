/** Sign-ins by OpenID Connect (RULES 2.6, 2.7), those that are refused, and the audit of them (RULES 14.4). */
import { describe, expect, it, vi } from "vitest";
import { SIGN_IN } from "../../../src/limits.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { beginSession, endSession } from "../../../src/edge/storage/spaces/sessions.ts";
import { actionsOf, eventsOf } from "../audit/support.ts";
import { call, Client, type Reply } from "../support/api.ts";
import type { PersonOfProvider } from "../support/provider.ts";
import { requestWith } from "../support/http.ts";
import { bindings } from "../support/rows.ts";
import { as, client, from, member, provider, send, signIn, useProvider } from "./support.ts";

useProvider();

const ADA = { sub: "ada", email: "ada@example.com", email_verified: true };

describe("a sign-in is refused", () => {
  const cases: [string, number, (person: PersonOfProvider) => Promise<Reply>][] = [
    [
      "of nobody who is a member",
      403,
      () => signIn({ sub: "x", email: "x@example.com", email_verified: true }),
    ],
    ["with an address that is not verified", 403, (ada) => signIn({ ...ada, email_verified: false })],
    [
      "with an address of which the provider says nothing",
      403,
      ({ sub, email = "" }) => signIn({ sub, email }),
    ],
    ["without an address", 403, ({ sub }) => signIn({ sub, email_verified: true })],
    [
      "with a wrong nonce",
      401,
      async (ada) => send({ ...(await provider.grant(ada)), nonce: "0".repeat(22) }),
    ],
    [
      "with a wrong verifier",
      401,
      async (ada) => send({ ...(await provider.grant(ada)), verifier: "v".repeat(43) }),
    ],
    ["with an unknown code", 401, async (ada) => send({ ...(await provider.grant(ada)), code: "guessed" })],
    [
      "for another audience",
      401,
      (ada) => {
        provider.spoil = (claims) => ({ ...claims, aud: "another" });
        return signIn(ada);
      },
    ],
    [
      "with an expired token",
      401,
      (ada) => {
        provider.spoil = (claims) => ({ ...claims, iat: 1, exp: 600 });
        return signIn(ada);
      },
    ],
    [
      "of another issuer",
      401,
      (ada) => {
        provider.spoil = (claims) => ({ ...claims, iss: "https://evil.test" });
        return signIn(ada);
      },
    ],
    [
      "with a signature of another key",
      401,
      (ada) => {
        provider.signsFalsely = true;
        return signIn(ada);
      },
    ],
    [
      "with a code that was used",
      401,
      async (ada) => {
        const body = await provider.grant(ada);
        expect((await send(body)).status).toBe(201);
        return send(body);
      },
    ],
    [
      "while the provider is down",
      503,
      async (ada) => {
        const body = await provider.grant(ada);
        provider.isDown = true;
        return send(body);
      },
    ],
  ];
  it.each(cases)("%s", async (_name, status, attempt) => {
    const { person } = await member();
    const reply = await attempt(person);
    expect([reply.status, reply.data]).toEqual([status, undefined]);
  });

  it("for an unknown space, as for one without the member", async () => {
    const person = { sub: "x", email: "x@example.com", email_verified: true };
    const known = await signIn(person);
    const unknown = await signIn(person, new Client({ id: "none", name: "nowhere" }));
    expect([unknown.status, unknown.error.message]).toEqual([known.status, known.error.message]);
  });

  it("with a body that does not fit, before the provider is asked", async () => {
    const body = await provider.grant(ADA);
    const before = provider.requests;
    for (const wrong of [
      { ...body, verifier: "short" },
      { ...body, nonce: "x" },
      { ...body, state: "s" },
      {},
    ]) {
      expect((await send(wrong)).status).toBe(400);
    }
    expect(provider.requests).toBe(before);
  });
});

it("counts failures of a client, and refuses it without asking the provider", async () => {
  // All of it is in one minute, however slow the machine is.
  vi.useFakeTimers({ toFake: ["Date"] });
  const headers = from();
  const { person } = await member();
  const body = await provider.grant(person);
  for (let n = 0; n < SIGN_IN.failuresPerMinuteMax; n++) {
    expect((await send({ ...body, code: "guessed" }, headers)).status).toBe(401);
  }
  const before = provider.requests;
  const reply = await send(body, headers);
  expect([reply.status, reply.headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(provider.requests).toBe(before);
  expect((await send(body)).status).toBe(201);
});

it("counts no outage of the database as a failure of the client", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const headers = from();
  const { person } = await member();
  const down = "CREATE TRIGGER down BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'down'); END";
  await bindings.DB.prepare(down).run();
  for (let n = 0; n <= SIGN_IN.failuresPerMinuteMax; n++)
    expect((await send(await provider.grant(person), headers)).status).toBeGreaterThanOrEqual(500);
  await bindings.DB.prepare("DROP TRIGGER down").run();
  expect((await send(await provider.grant(person), headers)).status).toBe(201);
});

describe("the audit", () => {
  const stranger = { sub: "s", email: "stranger@example.com", email_verified: true };

  it("counts refused sign-ins by the address for which the provider vouches", async () => {
    // In one hour, which has a line of its own.
    vi.useFakeTimers({ toFake: ["Date"] });
    const own = await Client.make();
    for (let time = 0; time < 3; time++) expect((await signIn(stranger, own)).status).toBe(403);
    expect((await signIn({ ...stranger, email_verified: false }, own)).status).toBe(403);
    expect((await send({ ...(await provider.grant(stranger)), code: "x" }, from(), own)).status).toBe(401);
    const body = await provider.grant(stranger);
    provider.isDown = true;
    expect((await send(body, from(), own)).status).toBe(503);
    const events = await eventsOf(own, "session");
    expect(events.map(({ action, actor, name, count }) => [action, actor, name, count])).toEqual([
      ["session.refused", "member", stranger.email, 3],
      ["session.refused", "member", "unknown", 2],
    ]);
  });

  it("has one line of a session that began and one of its end, none of one that did not", async () => {
    const own = await Client.make();
    await own.call("POST", "/members", { email: stranger.email, role: "read" });
    const { data } = await signIn(stranger, own);
    expect((await as(String(data["token"]), "DELETE", "/sessions/self", undefined, own)).status).toBe(200);
    const db = database(bindings.DB);
    const origin = { actor: { kind: "member", id: "gone", name: "gone" }, requestId: null } as const;
    const times = { createdAt: 1, expiresAt: 2 };
    const row = { hash: "h", spaceId: own.space.id, iss: "i", sub: "s", ...times };
    expect(await beginSession(db, { id: "gone" }, row, origin)).toBe(false);
    expect(await endSession(db, own.space.id, "h", { origin, now: 1 })).toBe(false);
    expect(await actionsOf(own, "session")).toEqual(["session.created", "session.ended"]);
  });
});

describe("a root member", () => {
  const root = { sub: "root", email: "root@example.com", email_verified: true };

  it("opens every space as root, and signs out", async () => {
    const { status, data } = await signIn(root);
    expect(status).toBe(201);
    const token = String(data["token"]);
    const other = await Client.make();
    expect((await as(token, "GET", "/members", undefined, other)).status).toBe(200);
    const self = await as(token, "GET", "/keys/self");
    expect(self.data).toMatchObject({ id: null, role: "root", member: { id: null, email: root.email } });
    expect((await call("GET", "/api/v1/spaces", undefined, { key: token })).status).toBe(200);
    expect((await as(token, "DELETE", "/sessions/self")).status).toBe(200);
    expect((await as(token, "GET", "/members")).status).toBe(401);
    expect((await call("GET", "/api/v1/spaces", undefined, { key: token })).status).toBe(401);
  });

  it("loses its preview tokens with its place among the root members", async () => {
    const token = String((await signIn(root)).data["token"]);
    const made = await as(token, "POST", "/preview-tokens", { ttlSeconds: 3600 });
    const headers = { Authorization: `Bearer ${String(made.data["token"])}` };
    const statusOf = async (ROOT_MEMBERS: string): Promise<number> =>
      (await requestWith({ ROOT_MEMBERS }, `/api/v1/${client.space.name}/media`, { headers })).status;
    expect(await statusOf(`ada@example.com, ${root.email.toUpperCase()}`)).toBe(200);
    expect(await statusOf("ada@example.com")).toBe(401);
    expect(await statusOf("")).toBe(401);
    const ofToken = await client.call("POST", "/preview-tokens", { ttlSeconds: 3600 });
    headers.Authorization = `Bearer ${String(ofToken.data["token"])}`;
    expect(await statusOf("")).toBe(200);
  });

  it("needs a verified address", async () => {
    expect((await signIn({ ...root, email_verified: false })).status).toBe(403);
  });
});
