/**
 * Signing in by the deployment's OpenID provider: the tab makes state, nonce and verifier, keeps them in its own session
 * storage while the provider's page is shown, and compares the state when it comes back (RULES 2.7, 11.2).
 */
import { answered } from "./answered.ts";
import { enter } from "./enter.ts";
import { isOfMember, type Session } from "./kept.ts";
import { clientOf } from "./session.ts";

/** The path below `/console` to which the provider sends the tab back. */
export const CALLBACK = "/callback";

const STORED = "silverprint.sign-in";
const SECRET_BYTES = 32;

/** The query of the callback in a window of its own: the space, and the channel that waits for the session. */
const BEGIN = "begin";
const REPLY = "reply";

interface Begun {
  /** The channel on which the tab that opened this window waits for the session; left out where this tab keeps it. */
  replyTo?: string;
  space: string;
  issuer: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** The space that a sign-in is for, and the channel that waits for the session, if another tab does. */
type Aim = Pick<Begun, "space" | "replyTo">;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const newSecret = (): string => base64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

async function asked<T>(path: string): Promise<T> {
  const response = await fetch(path);
  const body = (await response.json()) as { data: T; error?: { message: string } };
  if (!response.ok) throw new Error(body.error?.message ?? "The service does not answer.");
  return body.data;
}

/** Returns the provider's name; null if the deployment has none. */
export async function readProviderName(): Promise<string | null> {
  return (await asked<{ name: string | null }>("/console/sign-in.json")).name;
}

interface Provider {
  issuer: string;
  clientId: string;
  authorizationEndpoint: string;
  redirectUri: string;
}

/**
 * Leaves for the provider's page.
 * @param replyTo the channel that gets the session; left out where this tab keeps it
 */
export async function leaveForProvider(space: string, replyTo?: string): Promise<void> {
  const provider = await asked<Provider>("/console/provider.json");
  const { issuer, clientId, authorizationEndpoint, redirectUri } = provider;
  const begun: Begun = {
    space,
    issuer,
    state: newSecret(),
    nonce: newSecret(),
    verifier: newSecret(),
    ...(replyTo !== undefined && { replyTo }),
  };
  sessionStorage.setItem(STORED, JSON.stringify(begun));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(begun.verifier));
  const address = new URL(authorizationEndpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "openid email",
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  location.assign(address);
}

/**
 * Signs in at the provider in a window of its own, so that this page stays. The provider's page cuts the ties between
 * both, so the session comes by a channel whose name only they know.
 * @returns a function that stops waiting for it; null if the browser opens no window
 */
export function signInBeside(space: string, onSession: (session: Session) => void): (() => void) | null {
  const name = newSecret();
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Session>) => {
    channel.close();
    onSession(data);
  };
  const query = new URLSearchParams({ [BEGIN]: space, [REPLY]: name });
  const address = `/console${CALLBACK}?${query.toString()}`;
  if (window.open(address, "_blank", "popup,width=520,height=720")) return () => channel.close();
  channel.close();
  return null;
}

/** Keeps the aim for a reload. Without storage a reload does not know it, and this page does. */
function keepAim({ space, replyTo }: Aim): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ space, replyTo }));
  } catch {
    // The storage is full or blocked.
  }
}

function forgetAim(): void {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // Without storage nothing was kept.
  }
}

/** Leaves for the provider if this window was opened for that. Returns whether it was. @throws SignInFailed */
export async function beginBeside(search: string): Promise<boolean> {
  const given = new URLSearchParams(search);
  const [space, replyTo] = [given.get(BEGIN), given.get(REPLY)];
  if (space === null || replyTo === null) return false;
  // The address does not stay, and a reload has to know the tab that waits.
  keepAim({ space, replyTo });
  try {
    await leaveForProvider(space, replyTo);
  } catch (cause) {
    throw new SignInFailed(messageOf(cause), { space, replyTo }, cause);
  }
  return true;
}

/** Returns what the tab has kept. Its secrets are used once; its aim stays, for a reload after a refusal. */
function takeBegun(): Begun | Aim | null {
  try {
    const text = sessionStorage.getItem(STORED);
    if (text === null) return null;
    const begun = JSON.parse(text) as Begun;
    sessionStorage.removeItem(STORED);
    keepAim(begun);
    return begun;
  } catch {
    return null;
  }
}

/** A sign-in that did not succeed. The next one in this window has the same aim. */
export class SignInFailed extends Error {
  override readonly name = "SignInFailed";
  readonly aim: Aim;

  constructor(message: string, aim: Aim, cause?: unknown) {
    super(message, { cause });
    this.aim = aim;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Ends the sign-in with what the provider has put into the address. @throws SignInFailed */
export async function comeBack(search: string): Promise<{ session: Session; replyTo: string | undefined }> {
  const given = new URLSearchParams(search);
  const begun = takeBegun();
  if (!begun || !("state" in begun) || given.get("state") !== begun.state) {
    const message = "This sign-in was not begun in this tab, or it is over. Sign in again.";
    throw new SignInFailed(message, begun ?? { space: "" });
  }
  const { space, issuer, verifier, nonce, replyTo } = begun;
  const error = given.get("error");
  if (error !== null) {
    const words = given.get("error_description") ?? error;
    throw new SignInFailed(`The provider did not sign you in: ${words}`, begun);
  }
  const from = given.get("iss");
  if (from !== null && from !== issuer) {
    throw new SignInFailed("The answer came from another provider. Sign in again.", begun);
  }
  try {
    const { api } = clientOf({ space, key: "" });
    const params = { path: { spaceName: space } };
    const body = { code: given.get("code") ?? "", verifier, nonce };
    const { data } = await answered(api.POST("/api/v1/{spaceName}/sessions", { params, body }));
    const session = await enter(space, data.token);
    sessionStorage.removeItem(STORED);
    return { session, replyTo };
  } catch (cause) {
    throw new SignInFailed(messageOf(cause), begun, cause);
  }
}

/** Gives the session to the tab that waits for it, and closes this window. Some browsers leave it open. */
export function replyBeside(session: Session, replyTo: string): void {
  const channel = new BroadcastChannel(replyTo);
  channel.postMessage(session);
  channel.close();
  forgetAim();
  window.close();
}

/** Ends the session at the service, if the tab has one and not a key. It goes on when the page is left. */
export function endAtService({ space, key }: Pick<Session, "space" | "key">): void {
  if (!isOfMember({ key })) return;
  const ending = fetch(`/api/v1/${encodeURIComponent(space)}/sessions/self`, {
    method: "DELETE",
    headers: { Authorization: `Bearer ${key}` },
    keepalive: true,
  });
  // The token ends by itself where this does not arrive.
  ending.catch(() => undefined);
}
