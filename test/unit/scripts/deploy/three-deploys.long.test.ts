import { afterAll, expect, it } from "vitest";
import { readConfigs } from "../../../../scripts/deploy/configs.ts";
import { deploymentOf } from "../../../../scripts/deploy/deployment.ts";
import { parseFlags } from "../../../../scripts/deploy/flags.ts";
import { secretOf } from "../../../../scripts/deploy/rehearsal/account.ts";
import { type Cloudflare, startCloudflare } from "../../../../scripts/deploy/rehearsal/cloudflare.ts";
import { type Clone, newClone, runDeploy } from "../../../../scripts/deploy/rehearsal/clone.ts";
import { deployTo } from "../../../../scripts/deploy/rehearsal/deploy-here.ts";

const ROOT = process.cwd();
const WITHIN_MS = 600_000;

const clones: Clone[] = [];
const open: Cloudflare[] = [];

afterAll(async () => {
  for (const clone of clones) clone.remove();
  await Promise.all(open.map((cloudflare) => cloudflare.close()));
});

function clone(): Clone {
  const made = newClone(ROOT);
  clones.push(made);
  return made;
}

async function newAccount(): Promise<Cloudflare> {
  const cloudflare = await startCloudflare();
  open.push(cloudflare);
  return cloudflare;
}

/** The variables that Workers Builds sets: among them the name of the one Worker that it is connected to. */
const WORKERS_BUILDS = { CI: "true", WORKERS_CI: "1", WRANGLER_CI_OVERRIDE_NAME: "connected" };

/** Returns `PUT /workers/scripts/:name` for every call since `start`. */
const routes = (cloudflare: Cloudflare, start = 0): string[] =>
  cloudflare.log.slice(start).map(({ route }) => route);

it(
  "deploys from a fresh clone, from the same again and from another one",
  { timeout: WITHIN_MS },
  async () => {
    const cloudflare = await newAccount();
    const first = clone();
    const names = (): unknown => [
      [...cloudflare.account.databases.keys()],
      [...cloudflare.account.buckets.keys()],
      [...cloudflare.account.workers.keys()],
      secretOf(cloudflare.account, "silverprint", "ROOT_TOKEN"),
      secretOf(cloudflare.account, "silverprint", "CURSOR_SECRET"),
      cloudflare.account.subdomain,
    ];

    const fresh = await runDeploy(first, cloudflare);
    expect(fresh.exitCode, fresh.output).toBe(0);
    // Without a terminal, the token is in a file and not in the output.
    const [token = ""] = fresh.tokens;
    expect(token).toBe(secretOf(cloudflare.account, "silverprint", "ROOT_TOKEN"));
    expect(fresh.output).not.toContain(token);
    expect(fresh.output).toContain("ROOT_TOKEN was written into .root-token.silverprint");
    expect(fresh.output).toContain(
      `The service answers at https://silverprint.${cloudflare.account.subdomain}.workers.dev\n`,
    );
    expect(first.changes()).toBe("");
    const made = names();

    for (const [directory, env] of [[first, {}] as const, [clone(), WORKERS_BUILDS] as const]) {
      const start = cloudflare.log.length;
      const later = await runDeploy(directory, cloudflare, [], env);
      expect(later.exitCode, later.output).toBe(0);
      expect(later.tokens).toEqual([]);
      expect(later.output).toMatch(/To roll back.*\n {2}npx wrangler rollback \S{36} --name silverprint\n/);
      expect(names()).toEqual(made);
      expect(directory.changes()).toBe("");
      // It asked whether it may make a database, a bucket and a queue, and made none.
      const asked = cloudflare.log
        .slice(start)
        .filter(({ line }) => /^POST \/(?:d1\/database|r2\/buckets|queues)$/.test(line));
      expect(asked.map(({ outcome }) => outcome.slice(0, 3))).toEqual(["400", "400", "400"]);
    }
    // Wrangler asked for nothing that the rehearsal does not know.
    expect(cloudflare.log.filter(({ known }) => !known)).toEqual([]);

    // And the stand-in by which failures are tried makes the same calls.
    const rehearsed = await newAccount();
    const configs = await readConfigs(ROOT);
    const deployment = deploymentOf(configs, parseFlags([]));
    for (let run = 1; run <= 3; run += 1) {
      expect((await deployTo(rehearsed, configs, deployment)).error).toBeNull();
    }
    expect(routes(rehearsed).sort()).toEqual(routes(cloudflare).sort());
  },
);
