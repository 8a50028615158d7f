/** Both Workers. */
import { z } from "zod";
import { SECRET } from "../../../src/limits.ts";
import { knownSecrets, makeSecrets, missingSecrets } from "../secrets.ts";
import { CLIENT_SECRET } from "../sign-in.ts";
import { refusedWorker } from "../advice.ts";
import { type Session, step } from "../step.ts";

const Deployments = z.object({
  deployments: z.array(z.object({ versions: z.array(z.object({ version_id: z.string() })) })),
});

/** Remembers the version that answers, for the advice on how to roll back. Without it, the advice names no version. */
async function rememberVersion({ api, earlierVersions }: Session, worker: string): Promise<void> {
  try {
    const found = Deployments.parse(await api.get(`/workers/scripts/${worker}/deployments`));
    const version = found.deployments[0]?.versions[0]?.version_id;
    if (version) earlierVersions.set(worker, version);
  } catch {
    // A Worker that is not there yet, most of the time.
  }
}

/**
 * First, before anything else is made: its limit of CPU time is what the free plan refuses, and the edge Worker binds to
 * its Durable Object, which must exist. Its messages fit the edge Worker before.
 */
export const builderStep = step({
  subject: ({ builder }) => `Worker ${builder}`,
  lookUp: (session) => rememberVersion(session, session.deployment.builder),
  decide: () => "deploy",
  act: async (_, session) => {
    try {
      await session.wrangler("builder", ["deploy"]);
    } catch (error) {
      throw refusedWorker(error, session.api.accountId) ?? error;
    }
    return "deployed";
  },
});

/** Returns the advice for an installation from before the cursor secret, whose token no API tells the length of. */
const onOwnToken = (worker: string): string =>
  `  This version refuses a ROOT_TOKEN of fewer than ${SECRET.minCharacters} characters. If you have set a shorter one yourself, set\n` +
  `  another now: npx wrangler secret put ROOT_TOKEN --name ${worker}`;

/** Returns the advice where the environment names a secret that the Worker may not take: no API tells whether it differs. */
const onOwnSecret = (worker: string): string =>
  `  The Worker keeps its own ${CLIENT_SECRET}. Change it with: npx wrangler secret put ${CLIENT_SECRET} --name ${worker}`;

export const edgeStep = step({
  subject: ({ edge }) => `Worker ${edge} and its secrets`,
  lookUp: async (session): Promise<string[]> => {
    await rememberVersion(session, session.deployment.edge);
    return knownSecrets(session.api, session.deployment.edge);
  },
  decide: (known) => known,
  act: async (known, session) => {
    const { deployment, rootToken, clientSecret, print, wrangler } = session;
    const missing = missingSecrets(known);
    const isGiven = clientSecret.isNeeded && clientSecret.given !== null;
    const brings = isGiven && !known.includes(CLIENT_SECRET);
    const secrets = {
      ...makeSecrets(missing, deployment.edge, rootToken, print),
      ...(brings && { [CLIENT_SECRET]: clientSecret.given }),
    };
    if (brings) print(`  ${CLIENT_SECRET} is the one in the environment.`);
    else if (isGiven) print(onOwnSecret(deployment.edge));
    if (missing.includes("CURSOR_SECRET") && !missing.includes("ROOT_TOKEN"))
      print(onOwnToken(deployment.edge));
    const files = Object.keys(secrets).length > 0 ? { "--secrets-file": JSON.stringify(secrets) } : {};
    const { addresses } = await wrangler("edge", ["deploy"], files);
    session.addresses.push(...addresses);
    return "deployed";
  },
});
