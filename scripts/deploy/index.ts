/**
 * `npm run deploy`: both Workers to your Cloudflare account, in an order that works the first time and every time.
 * The README beside this file lists the flags and the steps. Exit code 2 means that the flags were wrong.
 */
import { readConfigs } from "./configs.ts";
import { CloudflareApi } from "./cloudflare-api.ts";
import { findCredentials } from "./credentials.ts";
import { checkLogin } from "./advice.ts";
import { builderConfig, type Configs, type Deployment, deploymentOf, edgeConfig } from "./deployment.ts";
import { type Flags, HELP, parseFlags } from "./flags.ts";
import { farewell, stepsOf } from "./plan.ts";
import { rehearseBundles } from "./dry-run.ts";
import { rootTokenPlace } from "./secrets.ts";
import { clientSecretOf } from "./sign-in.ts";
import { runSteps, type Session } from "./step.ts";
import { execWrangler, newWranglerRunner, stopWrangler } from "./wrangler.ts";

const ROOT = process.cwd();
const print = (line: string): void => console.log(line);

async function deploy(configs: Configs, deployment: Deployment): Promise<void> {
  const readToken = async (): Promise<string> =>
    (await execWrangler(ROOT, ["auth", "token", "--json"])).stdout;
  const credentials = await findCredentials(process.env, readToken);
  checkLogin(credentials.isLogin, deployment);
  const session: Session = {
    deployment,
    api: new CloudflareApi(credentials),
    wrangler: newWranglerRunner({
      root: ROOT,
      env: { CLOUDFLARE_ACCOUNT_ID: credentials.accountId },
      configOf: (worker) =>
        worker === "edge"
          ? edgeConfig(configs, deployment, session.databaseIds)
          : builderConfig(configs.builder, deployment),
    }),
    print,
    rootToken: rootTokenPlace(process.env, process.stdout.isTTY, ROOT),
    clientSecret: clientSecretOf(configs.edge.vars ?? {}, process.env),
    isWorkersBuilds: process.env["WORKERS_CI"] === "1",
    databaseIds: [],
    addresses: [],
    earlierVersions: new Map(),
  };
  print(`Deploying ${deployment.edge} to the account ${credentials.accountId}`);
  await runSteps(stepsOf(deployment), session);
  farewell(session).forEach(print);
}

function readFlags(): Flags {
  try {
    return parseFlags(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exit(2);
  }
}

async function main(flags: Flags): Promise<void> {
  if (flags.isHelp) {
    print(HELP);
    return;
  }
  const configs = await readConfigs(ROOT);
  const deployment = deploymentOf(configs, flags);
  await (flags.isDryRun ? rehearseBundles(ROOT, configs, deployment, print) : deploy(configs, deployment));
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stopWrangler);

try {
  await main(readFlags());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
