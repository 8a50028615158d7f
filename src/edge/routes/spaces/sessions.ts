/** The routes of sessions (RULES 2.7): a person signs in with a code of the provider, and signs out. */
import * as z from "zod";
import { ApiError, notFound } from "../../../errors.ts";
import { SIGN_IN } from "../../../limits.ts";
import { publicBaseOf } from "../../http/addresses.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { openShard, type AppContext } from "../../http/context.ts";
import { endpoint, openEndpoint, respond, type App } from "../../http/endpoint.ts";
import { originOf } from "../../http/origin.ts";
import { tellOfSignIn } from "../../http/refusals.ts";
import { authorizingReads, findInSpace } from "../../http/space-database.ts";
import { discover, personOf, providerOf, type Person, type Provider } from "../../sign-in/provider.ts";
import { signIn, type SignInTools } from "../../sign-in/sign-in.ts";
import { findCaller } from "../../spaces/authorize.ts";
import { admit } from "../../spaces/gate.ts";
import { MinuteCounts } from "../../spaces/minute-counts.ts";
import { rateLimited } from "../../spaces/rate-limited.ts";
import { deleteRootSession, endSession, noteSession } from "../../storage/spaces/sessions.ts";
import { readSpace } from "../../storage/spaces/spaces.ts";

const tag = "Sessions";
const PATH = "/api/v1/:spaceName/sessions";

/** The answers to a sign-out whose bearer token is no session, by the kind of the token. */
const NO_SESSION = {
  root: "This request has the root token, not a session. To end it, give the deployment another root token.",
  key: "This request has a key, not a session. Revoke the key instead.",
  preview: "This request has a preview token, not a session. It ends by itself, and with its maker.",
} as const;

const callbackOf = (c: AppContext): string => `${publicBaseOf(c)}/console/callback`;

/** @throws ApiError NOT_FOUND if the deployment has no provider */
function theProvider(c: AppContext): Provider {
  const provider = providerOf(c.env);
  if (!provider) throw notFound("A provider for sign-ins");
  return provider;
}

/** Sign-ins that failed, by client. One that is under way counts until it has succeeded. */
const failures = new MinuteCounts();

const toolsOf = (c: AppContext, now: number): SignInTools => ({
  async space() {
    const name = c.req.param("spaceName") ?? "";
    const look = (db: Parameters<typeof readSpace>[0]) => readSpace(db, name);
    const space = await findInSpace(c, name, look, (found) => found !== null);
    return space && { space, db: c.get("db") };
  },
  directory: openShard(c, 0),
  env: c.env,
  requestId: c.get("requestId"),
  now,
});

/** Notes a sign-in that failed in the audit of its space, if that is there. */
async function noteRefusal(
  c: AppContext,
  tools: SignInTools,
  error: unknown,
  person: Person | null,
): Promise<void> {
  const found = await tools.space().catch(() => null);
  if (found) await tellOfSignIn(c, error, found.space, person?.email ?? null);
}

const credentials = z.strictObject({
  code: z.string().min(1).max(SIGN_IN.codeMaxCharacters),
  verifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/, "must be a PKCE verifier"),
  nonce: z.string().min(SIGN_IN.nonceMinCharacters).max(SIGN_IN.nonceMaxCharacters),
});

const REFUSALS = ["UNAUTHENTICATED", "FORBIDDEN", "UNAVAILABLE", "RATE_LIMITED"] as const;

export function mountSessions(app: App): void {
  /** Tells the console how people sign in. `provider.json` asks the provider. A dot keeps names of spaces apart. */
  app.get("/console/sign-in.json", (c) => respond(c, { name: providerOf(c.env)?.name ?? null }));
  app.get("/console/provider.json", async (c) => {
    const provider = theProvider(c);
    const { authorization_endpoint: authorizationEndpoint, issuer } = await discover(provider, Date.now());
    const { clientId, name } = provider;
    return respond(c, { name, issuer, clientId, authorizationEndpoint, redirectUri: callbackOf(c) });
  });

  endpoint(
    app,
    {
      method: "post",
      path: PATH,
      access: "public",
      reaches: "caller",
      body: credentials,
      doc: {
        operationId: "createSession",
        tag,
        summary: "Sign in with a code of the OpenID provider",
        description:
          "The tab keeps state, nonce and verifier, and compares the state. The token is a bearer token for " +
          `${SIGN_IN.sessionHours} hours.`,
        answers: {
          201: {
            description: "The session; only this answer shows its token",
            schema: oneOf(z.object({ token: z.string(), expiresAt: z.iso.datetime() })),
          },
        },
        errors: [...REFUSALS],
      },
    },
    async ({ c, body }) => {
      const provider = theProvider(c);
      const now = Date.now();
      const client = c.get("client");
      const wait = failures.take(client, SIGN_IN.failuresPerMinuteMax, now);
      if (wait !== null) throw rateLimited("Too many sign-ins from this address have failed.", wait);
      const giveBack = failures.giverOf(client, now);
      const tools = toolsOf(c, now);
      let person: Person | null = null;
      try {
        person = await personOf(provider, body, callbackOf(c), now);
        const { token, expiresAt } = await signIn({ ...tools, now: Date.now() }, person);
        giveBack(1);
        return respond(c, { token, expiresAt: new Date(expiresAt).toISOString() }, { status: 201 });
      } catch (error) {
        // An outage, of the provider or of the database, is no attempt of the client.
        if (!(error instanceof ApiError) || error.code === "UNAVAILABLE") giveBack(1);
        await noteRefusal(c, tools, error, person);
        throw error;
      }
    },
  );

  openEndpoint(
    app,
    {
      method: "delete",
      path: `${PATH}/self`,
      access: { checkedByHandler: "read" },
      reaches: "caller",
      doc: {
        operationId: "deleteSession",
        tag,
        summary: "Sign out: end the session of this request",
        answers: {
          200: { description: "Ended", schema: oneOf(z.object({ state: z.literal("ended") })) },
        },
        errors: [],
      },
    },
    async ({ c, credential, gate, query }) => {
      const spaceName = c.req.param("spaceName") ?? "";
      const caller = await findCaller(authorizingReads(c), credential, spaceName);
      admit(caller, gate);
      c.set("isKeyKnown", true);
      query();
      const by = { origin: originOf(c, caller), now: Date.now() };
      if (credential.kind === "root" && credential.member) {
        await deleteRootSession(openShard(c, 0), credential.member.hash);
        await noteSession(c.get("db"), caller.space.id, by.origin, by.now, "session.ended");
      } else if (credential.kind === "key" && credential.of === "session") {
        await endSession(c.get("db"), caller.space.id, credential.hash, by);
      } else {
        const kind = credential.kind === "root" || credential.of === "session" ? "root" : credential.of;
        throw new ApiError("NOT_FOUND", NO_SESSION[kind]);
      }
      return respond(c, { state: "ended" });
    },
  );
}
