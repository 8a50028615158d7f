/** An OpenID provider in place of the network, whose answers a test can spoil. */
import { vi } from "vitest";

export const ISSUER = "https://login.test";
export const CLIENT_ID = "silverprint-tests";

export interface PersonOfProvider {
  sub: string;
  email?: string;
  email_verified?: boolean;
}

type Claims = Record<string, unknown>;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const encoded = (value: unknown): string => base64url(new TextEncoder().encode(JSON.stringify(value)));
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

interface Grant {
  person: PersonOfProvider;
  nonce: string;
  challenge: string;
}

export class FakeProvider {
  /** Changes the claims of the next ID tokens. */
  spoil: (claims: Claims) => Claims = (claims) => claims;
  /** Signs with a key that the provider does not publish. */
  signsFalsely = false;
  isDown = false;
  requests = 0;
  readonly #grants = new Map<string, Grant>();
  static #keys: { own: CryptoKeyPair; false: CryptoKeyPair } | null = null;

  constructor() {
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => this.#answer(new Request(input, init)));
  }

  async #keyPairs(): Promise<{ own: CryptoKeyPair; false: CryptoKeyPair }> {
    const make = async () =>
      (await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"])) as CryptoKeyPair;
    return (FakeProvider.#keys ??= { own: await make(), false: await make() });
  }

  /** Lets a person sign in, and returns the body of the request that the tab then makes. */
  async grant(person: PersonOfProvider): Promise<{ code: string; verifier: string; nonce: string }> {
    const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
    const nonce = base64url(crypto.getRandomValues(new Uint8Array(16)));
    const code = crypto.randomUUID();
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    this.#grants.set(code, { person, nonce, challenge: base64url(new Uint8Array(digest)) });
    return { code, verifier, nonce };
  }

  async #answer(request: Request): Promise<Response> {
    this.requests += 1;
    const { origin, pathname } = new URL(request.url);
    if (this.isDown || origin !== ISSUER) throw new TypeError("The network is down.");
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return Response.json({
          issuer: ISSUER,
          authorization_endpoint: `${ISSUER}/authorize`,
          token_endpoint: `${ISSUER}/token`,
          jwks_uri: `${ISSUER}/keys`,
          id_token_signing_alg_values_supported: ["ES256"],
        });
      case "/keys": {
        const { own } = await this.#keyPairs();
        const jwk = (await crypto.subtle.exportKey("jwk", own.publicKey)) as JsonWebKey;
        return Response.json({ keys: [{ ...jwk, kid: "1", use: "sig", alg: "ES256" }] });
      }
      case "/token":
        return this.#token(new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer())));
      default:
        return new Response(null, { status: 404 });
    }
  }

  async #token(form: URLSearchParams): Promise<Response> {
    const code = form.get("code") ?? "";
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const verifier = new TextEncoder().encode(form.get("code_verifier") ?? "");
    const digest = base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", verifier)));
    if (!grant || digest !== grant.challenge) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: ISSUER,
      aud: CLIENT_ID,
      iat: now,
      exp: now + 600,
      nonce: grant.nonce,
      ...grant.person,
    };
    const text = `${encoded({ alg: "ES256", kid: "1" })}.${encoded(this.spoil(claims))}`;
    const pairs = await this.#keyPairs();
    const { privateKey } = this.signsFalsely ? pairs.false : pairs.own;
    const signature = await crypto.subtle.sign(ALGORITHM, privateKey, new TextEncoder().encode(text));
    const idToken = `${text}.${base64url(new Uint8Array(signature))}`;
    return Response.json({ access_token: "x", token_type: "Bearer", id_token: idToken });
  }
}
