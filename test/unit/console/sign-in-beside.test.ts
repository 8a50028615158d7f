/** Signing in again in a window of its own: its session reaches the tab that waits, also after a refusal (RULES 11.2). */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  beginBeside,
  comeBack,
  leaveForProvider,
  replyBeside,
  SignInFailed,
  signInBeside,
} from "../../../src/console/session/provider.ts";
import type { Session } from "../../../src/console/session/kept.ts";

const ORIGIN = "https://images.example.com";
const ISSUER = "https://id.example.com";
const session: Session = { space: "demo", key: "sps_1", name: "ada@example.com", role: "write", member: "1" };
const provider = {
  issuer: ISSUER,
  clientId: "console",
  authorizationEndpoint: `${ISSUER}/authorize`,
  redirectUri: `${ORIGIN}/console/callback`,
};

let opened: string[] = [];
/** The state that the window has brought to the provider. */
let state = "";
let answers: Record<string, unknown> = {};
const window = { open: vi.fn<(address: string) => object | null>(), close: vi.fn() };

const leave = (address: URL): void => {
  state = address.searchParams.get("state") ?? "";
};

beforeEach(() => {
  opened = [];
  state = "";
  answers = { "/console/provider.json": { data: provider } };
  window.open.mockImplementation((address) => {
    opened.push(address);
    return {};
  });
  const kept = new Map<string, string>();
  vi.stubGlobal("window", window);
  vi.stubGlobal("location", { origin: ORIGIN, assign: leave });
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  });
  vi.stubGlobal("fetch", (asked: string | Request) => {
    const path = typeof asked === "string" ? asked : new URL(asked.url).pathname;
    const answer = answers[path];
    if (answer === undefined) throw new Error(`Nothing answers ${path}`);
    const isRefused = typeof answer === "object" && answer !== null && "error" in answer;
    return Promise.resolve(Response.json(answer, { status: isRefused ? 403 : 200 }));
  });
});
afterEach(() => void vi.unstubAllGlobals());

/** Returns the query of the window that `signInBeside` has opened. */
const beginQuery = (): string => new URL(opened[0] ?? "", ORIGIN).search;
const failureOf = async (sign: Promise<unknown>): Promise<SignInFailed> => {
  const error: unknown = await sign.catch((fault: unknown) => fault);
  if (!(error instanceof SignInFailed)) throw new Error("The sign-in was not refused", { cause: error });
  return error;
};

it("passes the session of a second try to the tab that waits", async () => {
  const got = new Promise<Session>((resolve) => void signInBeside("demo", resolve));
  expect(await beginBeside(beginQuery())).toBe(true);
  // The editor has chosen an account that is no member.
  answers["/api/v1/demo/sessions"] = { error: { code: "FORBIDDEN", message: "is no member" } };
  const refused = await failureOf(comeBack(`?state=${state}&code=1`));
  const { space, replyTo } = refused.aim;
  expect([refused.message, space]).toEqual(["is no member", "demo"]);
  expect(replyTo).toBe(new URLSearchParams(beginQuery()).get("reply"));
  await leaveForProvider(space, replyTo);
  answers["/api/v1/demo/sessions"] = { data: { token: session.key } };
  answers["/api/v1/demo/keys/self"] = {
    data: {
      ...{ space: "demo", name: session.name, role: session.role },
      member: { id: session.member, email: session.name },
    },
  };
  const back = await comeBack(`?state=${state}&code=2`);
  expect(back).toEqual({ session, replyTo });
  replyBeside(back.session, back.replyTo ?? "");
  expect(await got).toEqual(session);
  expect(window.close).toHaveBeenCalled();
});

it.each([
  ["the provider's refusal", (sent: string) => `?state=${sent}&error=access_denied`],
  ["another provider's answer", (sent: string) => `?state=${sent}&iss=https://evil.example.com`],
  ["another state", () => "?state=guessed&code=1"],
])("knows the waiting tab after %s", async (_, query) => {
  signInBeside("demo", () => undefined)?.();
  await beginBeside(beginQuery());
  const { aim } = await failureOf(comeBack(query(state)));
  expect(aim).toMatchObject({ space: "demo", replyTo: new URLSearchParams(beginQuery()).get("reply") });
});

it("knows the waiting tab when the window is reloaded after a refusal, and takes no code a second time", async () => {
  signInBeside("demo", () => undefined)?.();
  await beginBeside(beginQuery());
  answers["/api/v1/demo/sessions"] = { error: { code: "FORBIDDEN", message: "is no member" } };
  const address = `?state=${state}&code=1`;
  await failureOf(comeBack(address));
  const replyTo = new URLSearchParams(beginQuery()).get("reply");
  for (const query of ["", address]) {
    const { aim, message } = await failureOf(comeBack(query));
    expect(aim).toEqual({ space: "demo", replyTo });
    expect(message).toContain("Sign in again");
  }
  replyBeside(session, replyTo ?? "");
  expect((await failureOf(comeBack(""))).aim).toEqual({ space: "" });
});

it("knows the waiting tab when the service does not name the provider", async () => {
  signInBeside("demo", () => undefined)?.();
  answers["/console/provider.json"] = { error: { message: "The provider does not answer." } };
  const { aim, message } = await failureOf(beginBeside(beginQuery()));
  expect(message).toBe("The provider does not answer.");
  const replyTo = new URLSearchParams(beginQuery()).get("reply");
  expect(aim.replyTo).toBe(replyTo);
  // A reload comes back without the query.
  expect((await failureOf(comeBack(""))).aim).toEqual({ space: "demo", replyTo });
});

it("knows the waiting tab in a window that has no storage", async () => {
  signInBeside("demo", () => undefined)?.();
  vi.stubGlobal("sessionStorage", {
    setItem: () => {
      throw new DOMException("The storage is full", "QuotaExceededError");
    },
  });
  const { aim, message } = await failureOf(beginBeside(beginQuery()));
  expect(message).toBe("The storage is full");
  expect(aim).toEqual({ space: "demo", replyTo: new URLSearchParams(beginQuery()).get("reply") });
});

it("uses its secrets once when the storage takes nothing more", async () => {
  signInBeside("demo", () => undefined)?.();
  await beginBeside(beginQuery());
  vi.spyOn(sessionStorage, "setItem").mockImplementation(() => {
    throw new DOMException("The storage is full", "QuotaExceededError");
  });
  answers["/api/v1/demo/sessions"] = { error: { code: "FORBIDDEN", message: "is no member" } };
  const { aim, message } = await failureOf(comeBack(`?state=${state}&code=1`));
  expect(message).toBe("is no member");
  expect(aim).toMatchObject({ space: "demo", replyTo: new URLSearchParams(beginQuery()).get("reply") });
  expect((await failureOf(comeBack(`?state=${state}&code=1`))).message).toContain("Sign in again");
});

it("says that the browser opened no window", () => {
  window.open.mockReturnValue(null);
  expect(signInBeside("demo", () => undefined)).toBeNull();
});
