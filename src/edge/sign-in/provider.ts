/**
 * The OpenID provider of the deployment (RULES 2.7). `oauth4webapi` speaks its protocol: discovery, the exchange of a
 * code for an ID token, and the checks of the token's signature, issuer, audience, times and nonce.
 */
import * as oauth from "oauth4webapi";
import { ApiError } from "../../errors.ts";
import { SIGN_IN } from "../../limits.ts";
import { comparedEmail } from "../spaces/root-members.ts";
import { isThisMachine } from "../this-machine.ts";

/** The variables of a provider, and the secret. */
export interface ProviderEnv {
  OIDC_ISSUER?: string;
  OIDC_CLIENT_ID?: string;
  OIDC_CLIENT_SECRET?: string;
  OIDC_NAME?: string;
  OIDC_TRUST_EMAIL?: string;
  LOCAL?: string;
}

export interface Provider {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** Its name on the button. */
  name: string;
  /** Whether an address counts as verified if the provider does not say. */
  trustsEmail: boolean;
}

const isSecure = ({ protocol, hostname }: URL, isLocal: boolean): boolean =>
  protocol === "https:" || (isLocal && protocol === "http:" && isThisMachine(hostname));

/** Returns the provider; null if the deployment has none. @throws Error for an issuer that is not https */
export function providerOf(env: ProviderEnv): Provider | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = env;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null;
  const issuer = new URL(OIDC_ISSUER);
  if (!isSecure(issuer, env.LOCAL === "1")) {
    throw new Error(`OIDC_ISSUER must begin with https://, and is ${issuer.origin}.`);
  }
  return {
    issuer,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: OIDC_NAME ? OIDC_NAME : issuer.hostname,
    trustsEmail: env.OIDC_TRUST_EMAIL === "1",
  };
}

/** Returns the options of one request to the provider, which is asked over http on this machine alone. */
const optionsOf = ({ issuer }: Provider) => ({
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to stand out: it is for providers on this machine
  [oauth.allowInsecureRequests]: issuer.protocol === "http:",
  signal: () => AbortSignal.timeout(SIGN_IN.providerMs),
});

const providerIsDown = (cause: unknown): ApiError =>
  new ApiError("UNAVAILABLE", "The sign-in provider does not answer as it should. Try again in a moment.", {
    cause,
    headers: { "Retry-After": "5" },
  });

const refused = (cause: unknown): ApiError =>
  new ApiError("UNAUTHENTICATED", "The provider's answer was refused. Begin the sign-in again.", { cause });

let known: { issuer: string; server: oauth.AuthorizationServer; until: number } | null = null;
/** The provider's keys. `oauth4webapi` asks for them again when a token names an unknown one. */
const keys: oauth.JWKSCacheInput = {};

/** Returns what the provider says about itself, which an isolate asks once an hour. @throws ApiError UNAVAILABLE */
export async function discover(provider: Provider, now: number): Promise<oauth.AuthorizationServer> {
  const { issuer } = provider;
  if (known && known.issuer === issuer.href && known.until > now) return known.server;
  try {
    const response = await oauth.discoveryRequest(issuer, optionsOf(provider));
    const server = await oauth.processDiscoveryResponse(issuer, response);
    known = { issuer: issuer.href, server, until: now + SIGN_IN.discoveryMs };
    return server;
  } catch (error) {
    throw providerIsDown(error);
  }
}

/** The code that the provider gave to the tab, and the secrets that the tab has kept. */
export interface CodeAnswer {
  code: string;
  verifier: string;
  nonce: string;
}

/** A person, as the provider names it. */
export interface Person {
  iss: string;
  sub: string;
  /** The address, trimmed and in lower case. */
  email: string;
}

function authenticationOf({ clientSecret }: Provider, server: oauth.AuthorizationServer): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const takesBasic = methods.includes("client_secret_basic");
  return takesBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

/** Returns whether an error is of the provider's machine or the way to it, and not about this sign-in. */
function isOutage(error: unknown): boolean {
  if (error instanceof oauth.ResponseBodyError) return error.status >= 500;
  if (error instanceof oauth.OperationProcessingError) {
    const { cause } = error;
    return cause instanceof Response && cause.status >= 500;
  }
  return !(
    error instanceof oauth.AuthorizationResponseError || error instanceof oauth.WWWAuthenticateChallengeError
  );
}

interface Claims {
  sub: string;
  email?: unknown;
  email_verified?: unknown;
}

/** Returns the address if the provider calls it verified, or is trusted and does not say. @throws ApiError FORBIDDEN */
function verifiedEmail({ email, email_verified: verified }: Claims, { trustsEmail }: Provider): string {
  const isVerified = verified === true || verified === "true" || (verified === undefined && trustsEmail);
  if (typeof email === "string" && email.includes("@") && isVerified) return comparedEmail(email);
  throw new ApiError(
    "FORBIDDEN",
    "The provider does not call your address verified. Verify it there, or ask the operator of this deployment.",
  );
}

/**
 * Exchanges a code for the person who has signed in.
 * @param redirectUri the callback to which the provider has sent the code
 * @throws ApiError UNAUTHENTICATED (wrong, replayed or expired), FORBIDDEN (address not verified), UNAVAILABLE
 */
export async function personOf(
  provider: Provider,
  { code, verifier, nonce }: CodeAnswer,
  redirectUri: string,
  now: number,
): Promise<Person> {
  const server = await discover(provider, now);
  const client: oauth.Client = { client_id: provider.clientId };
  const options = optionsOf(provider);
  try {
    // The tab has compared state and issuer; both are checked here as far as the exchange needs it.
    const given = new URLSearchParams({ code });
    if (server.authorization_response_iss_parameter_supported) given.set("iss", server.issuer);
    const parameters = oauth.validateAuthResponse(server, client, given, oauth.expectNoState);
    const authentication = authenticationOf(provider, server);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      options,
    );
    const answer = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, { ...options, [oauth.jwksCache]: keys });
    const claims = oauth.getValidatedIdTokenClaims(answer) as (Claims & { iss: string }) | undefined;
    if (!claims) throw new Error("The provider gave no ID token.");
    const isWhole = typeof claims.email === "string" || server.userinfo_endpoint === undefined;
    const told = isWhole
      ? claims
      : await askUserInfo(provider, server, client, answer.access_token, claims.sub);
    return { iss: claims.iss, sub: claims.sub, email: verifiedEmail(told, provider) };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw isOutage(error) ? providerIsDown(error) : refused(error);
  }
}

/** Asks the provider for the address of a person whose ID token has none. */
async function askUserInfo(
  provider: Provider,
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  accessToken: string,
  sub: string,
): Promise<Claims> {
  const response = await oauth.userInfoRequest(server, client, accessToken, optionsOf(provider));
  return oauth.processUserInfoResponse(server, client, sub, response);
}
