/** The account's name under workers.dev, which a new account lacks and without which wrangler stops and asks. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ApiError } from "../cloudflare-api.ts";
import { step } from "../step.ts";

const Subdomain = z.object({ subdomain: z.string() });

/** What Cloudflare says of an account without a subdomain. */
const NO_SUBDOMAIN_CODE = 10007;
const RANDOM_BYTES = 3;

export type SubdomainState = "there" | "missing" | "unknown";

/** A look-up that fails is no reason to choose a name, nor to stop: wrangler says so if it needs the name. */
export const stateOf = (error: unknown): SubdomainState =>
  error instanceof ApiError && error.codes.includes(NO_SUBDOMAIN_CODE) ? "missing" : "unknown";

export const subdomainStep = step({
  subject: () => "workers.dev name of the account",
  lookUp: async ({ api }): Promise<SubdomainState> => {
    try {
      Subdomain.parse(await api.get("/workers/subdomain"));
      return "there";
    } catch (error) {
      return stateOf(error);
    }
  },
  decide: (state) => (state === "missing" ? "choose" : null),
  act: async (_, session) => {
    const subdomain = `${session.deployment.edge}-${randomBytes(RANDOM_BYTES).toString("hex")}`;
    await session.api.put("/workers/subdomain", { subdomain });
    session.print(
      `  Your account had no name under workers.dev. It is now ${subdomain}.workers.dev; the dashboard changes it.`,
    );
    return "chosen";
  },
});
