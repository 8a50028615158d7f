/** Members who sign in, at a provider that the test plays. */
import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { Client, type Reply } from "../support/api.ts";
import { FakeProvider, type PersonOfProvider } from "../support/provider.ts";

/** The space of the tests of a file, in which `posts` and `hidden` are. */
export let client: Client;
/** The provider of one test. */
export let provider: FakeProvider;
let made = 0;

/** Makes the space before a file's tests, and a provider before each of them. Call it at the top of a file. */
export function useProvider(): void {
  beforeAll(async () => {
    client = await Client.make();
    await client.model("posts", [{ name: "title", type: "string" }]);
    await client.model("hidden", [{ name: "title", type: "string" }]);
  });
  beforeEach(() => {
    provider = new FakeProvider();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** Returns the headers of a client of its own, so that failures of one test do not refuse another one. */
export const from = () => ({ "CF-Connecting-IP": `198.51.100.${String(++made)}` });

export const send = (body: unknown, headers = from(), of = client): Promise<Reply> =>
  of.call("POST", "/sessions", body, { key: null, headers });

export const signIn = async (person: PersonOfProvider, of = client): Promise<Reply> =>
  send(await provider.grant(person), from(), of);

export const as = (key: string, method: string, path: string, body?: unknown, of = client): Promise<Reply> =>
  of.call(method, path, body, { key });

export async function invite(email: string, role = "write", scopes?: object): Promise<string> {
  const reply = await client.call("POST", "/members", { email, role, scopes });
  expect(reply.status).toBe(201);
  return String(reply.data["id"]);
}

/** Invites a new person, and signs in. */
export async function member(role = "write", scopes?: object) {
  const name = `p${String(++made)}`;
  const person = { sub: name, email: `${name}@example.com`, email_verified: true };
  const id = await invite(person.email, role, scopes);
  const { data, status } = await signIn(person);
  expect(status).toBe(201);
  return { id, person, token: String(data["token"]) };
}
