import { existsSync } from "node:fs";
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

/** A clone needs a repository; an unpacked archive is none. */
const test = it.skipIf(!existsSync(".git"));

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

/** `PUT /workers/scripts/:name` for every call since `start`. */
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
      cloudflare.account.subdomain,
    ];

    const fresh = await runDeploy(first, cloudflare);
    expect(fresh.exitCode, fresh.output).toBe(0);
    const token = /ROOT_TOKEN, shown this once: (\S+)/.exec(fresh.output)?.[1];
    expect(token).toBe(secretOf(cloudflare.account, "silverprint", "ROOT_TOKEN"));
    expect(fresh.output).toContain(
      `The service answers at https://silverprint.${cloudflare.account.subdomain}.workers.dev\n`,
    );
    expect(first.changes()).toBe("");
    const made = names();

    for (const directory of [first, clone()]) {
      const start = cloudflare.log.length;
      const later = await runDeploy(directory, cloudflare);
      expect(later.exitCode, later.output).toBe(0);
      expect(later.output).not.toContain("ROOT_TOKEN, shown");
      expect(later.output).toMatch(/To roll back.*\n {2}npx wrangler rollback \S{36} --name silverprint\n/);
      expect(names()).toEqual(made);
      expect(directory.changes()).toBe("");
      expect(
        routes(cloudflare, start).filter((route) => /^POST \/(?:d1\/database|r2\/buckets)$/.test(route)),
      ).toEqual([]);
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

test("sends nothing in a dry run", { timeout: WITHIN_MS }, async () => {
  const cloudflare = await newAccount();
  const dry = await runDeploy(clone(), cloudflare, ["--dry-run", "--name", "staging"]);
  expect(dry.exitCode, dry.output).toBe(0);
  expect(dry.output).toContain("Bundled silverprint-staging: ");
  expect(cloudflare.log).toEqual([]);
});
