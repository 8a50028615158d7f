/** A deploy in this process, by the same steps, with a stand-in for wrangler: it takes a second, not half a minute. */
import { CloudflareApi } from "../cloudflare-api.ts";
import { builderConfig, type Configs, type Deployment, edgeConfig } from "../deployment.ts";
import { stepsOf } from "../plan.ts";
import type { Cloudflare } from "./cloudflare.ts";
import type { Rehearsed } from "./failures.ts";
import { clientSecretOf } from "../sign-in.ts";
import { runSteps, type Session } from "../step.ts";
import { newStandIn } from "./wrangler-stand-in.ts";

export interface Deployed {
  /** The error that stopped the deploy, or null. */
  error: Error | null;
  /** The printed lines. */
  lines: string[];
  /** The tokens among it. */
  tokens: string[];
  session: Session;
}

/** The surroundings of a deploy. By default, a terminal and an empty environment. */
export type Surroundings = Partial<Pick<Session, "rootToken" | "clientSecret" | "isWorkersBuilds">>;

const TERMINAL = { given: null, isTerminal: true, directory: "" };

export async function deployTo(
  cloudflare: Cloudflare,
  configs: Configs,
  deployment: Deployment,
  surroundings: Surroundings = {},
): Promise<Deployed> {
  const target = { baseUrl: cloudflare.baseUrl, accountId: cloudflare.account.id };
  const lines: string[] = [];
  const session: Session = {
    deployment,
    api: new CloudflareApi({ ...target, credentials: { Authorization: "Bearer test" }, retryDelayMs: 0 }),
    wrangler: newStandIn({
      ...target,
      configOf: (worker) =>
        worker === "edge"
          ? edgeConfig(configs, deployment, session.databaseIds)
          : builderConfig(configs.builder, deployment),
    }),
    print: (line) => lines.push(line),
    rootToken: TERMINAL,
    clientSecret: clientSecretOf(configs.edge.vars ?? {}, {}),
    isWorkersBuilds: false,
    ...surroundings,
    databaseIds: [],
    addresses: [],
    earlierVersions: new Map(),
  };
  let error: Error | null = null;
  try {
    await runSteps(stepsOf(deployment), session);
  } catch (thrown) {
    error = thrown as Error;
  }
  const tokens = lines.flatMap((line) => /ROOT_TOKEN, shown this once: (\S+)/.exec(line)?.[1] ?? []);
  return { error, lines, tokens, session };
}

/** Deploys in this process, and reports it as a deploy of another process is reported. */
export async function rehearseHere(
  cloudflare: Cloudflare,
  configs: Configs,
  deployment: Deployment,
): Promise<Rehearsed> {
  const { error, lines, tokens } = await deployTo(cloudflare, configs, deployment);
  return {
    exitCode: error ? 1 : 0,
    output: [...lines, ...(error ? [error.message] : [])].join("\n"),
    tokens,
  };
}
