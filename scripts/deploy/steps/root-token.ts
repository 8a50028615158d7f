/** ROOT_TOKEN, made when it is missing and never changed. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { step } from "../step.ts";

const Secrets = z.array(z.object({ name: z.string() }));

const NAME = "ROOT_TOKEN";
const TOKEN_BYTES = 32;

/** Whether the token is to be made: only where the list of secrets was read and does not name it. */
export const lacksRootToken = (secrets: { name: string }[]): boolean =>
  secrets.every(({ name }) => name !== NAME);

export const rootTokenStep = step({
  subject: ({ edge }) => `secret ${NAME} of ${edge}`,
  // Not `find`: the Worker was deployed a moment ago, so "not there" is as much a failure as any other.
  lookUp: async ({ api, deployment }) =>
    Secrets.parse(await api.get(`/workers/scripts/${deployment.edge}/secrets`)),
  decide: (secrets) => (lacksRootToken(secrets) ? "make" : null),
  act: async (_, session) => {
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    // Printed before it is sent: should the answer be lost, the token is not.
    session.print(`\n  ${NAME}, shown this once: ${token}\n`);
    await session.wrangler("edge", ["secret", "put", NAME], token);
    return "set";
  },
});
