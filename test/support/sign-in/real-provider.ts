/** A real OpenID provider on this machine, by the package `oidc-provider` with its own pages. */
import { once } from "node:events";
import type { Server } from "node:http";
import Provider from "oidc-provider";

export const CLIENT = { id: "silverprint", secret: "secret-of-the-end-to-end-tests" };

const FONT = /@import url\([^)]*\);/;

/** Accounts are named by their logins. One that begins with `unverified` has an address that is not verified. */
const accountOf = (_context: unknown, id: string) => ({
  accountId: id,
  claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: !id.startsWith("unverified") }),
});

export class RealProvider {
  readonly issuer: string;
  readonly #server: Server;

  private constructor(issuer: string, server: Server) {
    this.issuer = issuer;
    this.#server = server;
  }

  static async start(port: number, redirectUri: string): Promise<RealProvider> {
    const issuer = `http://localhost:${port}`;
    const provider = new Provider(issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
      claims: { openid: ["sub"], email: ["email", "email_verified"] },
      // The address stands in the answer of the user info alone, as the protocol's letter has it.
      conformIdTokenClaims: true,
      cookies: { keys: ["key-of-the-end-to-end-tests"] },
      findAccount: accountOf,
    });
    // Its pages wait for a font of the internet, for as long as a network that answers nothing lets them.
    provider.use(async (context, next) => {
      await next();
      if (typeof context.body === "string") context.body = context.body.replace(FONT, "");
    });
    const server = provider.listen(port);
    await once(server, "listening");
    return new RealProvider(issuer, server);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
