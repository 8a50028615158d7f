/** Both Workers and the migrations. */
import { z } from "zod";
import { type Session, step, type Step } from "../step.ts";

const Deployments = z.object({
  deployments: z.array(z.object({ versions: z.array(z.object({ version_id: z.string() })) })),
});

/** Only for the advice on how to roll back: without it that names no version. */
async function rememberVersion({ api, earlierVersions }: Session, worker: string): Promise<void> {
  try {
    const found = Deployments.parse(await api.get(`/workers/scripts/${worker}/deployments`));
    const version = found.deployments[0]?.versions[0]?.version_id;
    if (version) earlierVersions.set(worker, version);
  } catch {
    // A Worker that is not there yet, most of the time.
  }
}

const deployStep = (worker: "edge" | "builder"): Step =>
  step({
    subject: (deployment) => `Worker ${deployment[worker]}`,
    lookUp: (session) => rememberVersion(session, session.deployment[worker]),
    decide: () => "deploy",
    act: async (_, session) => {
      const { addresses } = await session.wrangler(worker, ["deploy"]);
      session.addresses.push(...addresses);
      return "deployed";
    },
  });

/** First: the edge Worker binds to its Durable Object, which must exist. Its messages fit the edge Worker before. */
export const builderStep = deployStep("builder");

export const edgeStep = deployStep("edge");

/** Before the edge Worker that needs them. They only add, so the version that still answers works with them. */
export const migrationStep = step({
  subject: ({ database }) => `migrations of ${database}`,
  lookUp: async () => Promise.resolve("wrangler looks for itself"),
  decide: () => "apply",
  act: async (_, session) => {
    const { output } = await session.wrangler("edge", ["d1", "migrations", "apply", "DB", "--remote"]);
    return output.includes("No migrations to apply") ? "complete" : "applied";
  },
});
