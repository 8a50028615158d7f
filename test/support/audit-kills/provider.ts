/** An OpenID provider on this machine that lets everybody in: a code says who signs in. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const CLIENT = { id: "silverprint-kills", secret: "secret-of-the-tests-of-kills" };

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export interface SignInBody {
  code: string;
  verifier: string;
  nonce: string;
}

export class OpenProvider {
  readonly #keys: CryptoKeyPair;
  readonly #server: Server;
  readonly issuer: string;

  private constructor(keys: CryptoKeyPair, server: Server) {
    this.#keys = keys;
    this.#server = server;
    this.issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<OpenProvider> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const provider = new OpenProvider(keys, server);
    server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        void provider.#answer(request.url ?? "", Buffer.concat(chunks).toString()).then((body) => {
          response.writeHead(body ? 200 : 404, { "Content-Type": "application/json" });
          response.end(JSON.stringify(body ?? {}));
        });
      });
    });
    return provider;
  }

  /** The variables with which a service takes this provider. */
  get variables(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: "Open",
    };
  }

  /** Returns the body of a sign-in. */
  grant(email: string): SignInBody {
    const nonce = crypto.randomUUID();
    return { code: encoded({ email, nonce }), verifier: "v".repeat(43), nonce };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(path: string, body: string): Promise<object | null> {
    switch (path) {
      case "/.well-known/openid-configuration":
        return {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
          id_token_signing_alg_values_supported: ["ES256"],
        };
      case "/keys": {
        const jwk = await crypto.subtle.exportKey("jwk", this.#keys.publicKey);
        return { keys: [{ ...jwk, kid: "1", use: "sig", alg: "ES256" }] };
      }
      case "/token":
        return this.#token(new URLSearchParams(body).get("code") ?? "");
      default:
        return null;
    }
  }

  async #token(code: string): Promise<object> {
    const { email, nonce } = JSON.parse(Buffer.from(code, "base64url").toString()) as {
      email: string;
      nonce: string;
    };
    const now = Math.floor(Date.now() / 1000);
    const person = { sub: `sub of ${email}`, email, email_verified: true };
    const claims = { iss: this.issuer, aud: CLIENT.id, iat: now, exp: now + 600, nonce, ...person };
    const text = `${encoded({ alg: "ES256", kid: "1" })}.${encoded(claims)}`;
    const signature = await crypto.subtle.sign(ALGORITHM, this.#keys.privateKey, Buffer.from(text));
    const idToken = `${text}.${Buffer.from(signature).toString("base64url")}`;
    return { access_token: "x", token_type: "Bearer", id_token: idToken };
  }
}
