import { readdirSync } from "node:fs";
import { afterEach, beforeAll, expect, it } from "vitest";
import { readConfigs } from "../../../../scripts/deploy/configs.ts";
import { type Configs, deploymentOf } from "../../../../scripts/deploy/deployment.ts";
import { parseFlags } from "../../../../scripts/deploy/flags.ts";
import {
  bindingsOf,
  isNewestDeployed,
  newDatabase,
  secretOf,
} from "../../../../scripts/deploy/rehearsal/account.ts";
import {
  type Cloudflare,
  type Failure,
  startCloudflare,
} from "../../../../scripts/deploy/rehearsal/cloudflare.ts";
import { OUR_RULES } from "../../../../scripts/deploy/steps/bucket.ts";
import { deployTo } from "../../../../scripts/deploy/rehearsal/deploy-here.ts";
import { ofRing } from "../../../support/ring.ts";

const FAILURES: Failure[] = ["500", "403", "cut before", "cut after"];
const EDGE = "silverprint";
const DOMAIN = "images.example.com";

let configs: Configs;
const open: Cloudflare[] = [];

beforeAll(async () => {
  configs = await readConfigs(process.cwd());
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((cloudflare) => cloudflare.close()));
});

async function newAccount(): Promise<Cloudflare> {
  const cloudflare = await startCloudflare();
  open.push(cloudflare);
  return cloudflare;
}

const deployment = () => deploymentOf(configs, parseFlags(["--domain", DOMAIN]));
const deploy = (cloudflare: Cloudflare) => deployTo(cloudflare, configs, deployment());

/** Checks that a deploy left everything behind, once. */
function expectComplete({ account }: Cloudflare, token: string | undefined): void {
  const databases = [...account.databases.values()];
  expect(databases.map(({ name, read_replication: { mode } }) => [name, mode])).toEqual([[EDGE, "auto"]]);
  const applied = databases[0]?.sqlite.prepare("SELECT name FROM d1_migrations").all() ?? [];
  const migrations = readdirSync("schema/migrations").filter((name) => name.endsWith(".sql"));
  expect(applied).toHaveLength(migrations.length);
  expect([...account.buckets.keys()]).toEqual([EDGE]);
  const rules = account.buckets.get(EDGE)?.rules.map(({ id }) => id);
  expect(rules).toEqual(["Default Multipart Abort Rule", ...OUR_RULES.map(({ id }) => id)]);
  expect(
    [...account.queues.values()].map(({ queue_name, consumers }) => [queue_name, consumers.length]),
  ).toEqual([
    ["silverprint-webhooks", 1],
    ["silverprint-webhooks-dead", 0],
  ]);
  expect([...account.workers.keys()].sort()).toEqual([EDGE, "silverprint-builder"]);
  for (const worker of account.workers.values()) expect(isNewestDeployed(worker)).toBe(true);
  expect(account.workers.get(EDGE)).toMatchObject({ onWorkersDev: true, crons: ["* * * * *"] });
  const secrets = bindingsOf(account.workers.get(EDGE)).filter(({ type }) => type === "secret_text");
  expect(secrets.map(({ name }) => name).sort()).toEqual(["CURSOR_SECRET", "ROOT_TOKEN"]);
  expect(secretOf(account, EDGE, "ROOT_TOKEN")).toBe(token);
  expect(secretOf(account, EDGE, "CURSOR_SECRET")).toMatch(/^[\w-]{43}$/);
  expect([...account.domains]).toEqual([[DOMAIN, EDGE]]);
}

/** Lets the call at `index`, and all later ones of its route, fail. */
function failFrom(cloudflare: Cloudflare, index: number, failure: Failure): void {
  const start = cloudflare.log.length;
  let route: string | null = null;
  cloudflare.failing = (call) => {
    if (call.index - start === index) route = call.route;
    return call.route === route ? failure : null;
  };
}

/**
 * Returns the calls of a deploy to this account that are to fail: of the same call many times, the first and the last.
 */
async function callsToFail(cloudflare: Cloudflare): Promise<number[]> {
  const before = cloudflare.log.length;
  expect((await deploy(cloudflare)).error).toBeNull();
  const lines = cloudflare.log.slice(before).map(({ line }) => line);
  const isInside = (at: number): boolean =>
    [at - 3, at - 2, at - 1, at + 1].every((i) => lines[i] === lines[at]);
  return lines.flatMap((_, at) => (isInside(at) ? [] : [at]));
}

it.each(FAILURES)("a first deploy that fails at any call (%s) is completed by the next", async (failure) => {
  const calls = await callsToFail(await newAccount());
  expect(calls.length).toBeGreaterThan(30);
  let failed = 0;
  const tried = ofRing(calls, 8);
  for (const index of tried) {
    const cloudflare = await newAccount();
    failFrom(cloudflare, index, failure);
    const broken = await deploy(cloudflare);
    cloudflare.failing = null;
    if (broken.error) failed += 1;
    else expectComplete(cloudflare, broken.tokens.at(-1));
    const mended = await deploy(cloudflare);
    expect(mended.error, `after ${cloudflare.log[index]?.line}`).toBeNull();
    expectComplete(cloudflare, [...broken.tokens, ...mended.tokens].at(-1));
    await cloudflare.close();
  }
  expect(failed).toBeGreaterThan(tried.length / 2);
});

it.each(FAILURES)(
  "a later deploy that fails at any call (%s) changes no token and makes nothing twice",
  async (failure) => {
    const cloudflare = await newAccount();
    const [token] = (await deploy(cloudflare)).tokens;
    const calls = await callsToFail(cloudflare);
    // Each mended deploy leaves the account complete, so that the next one begins with it.
    for (const index of ofRing(calls, 8)) {
      failFrom(cloudflare, index, failure);
      const broken = await deploy(cloudflare);
      cloudflare.failing = null;
      expect(secretOf(cloudflare.account, EDGE, "ROOT_TOKEN")).toBe(token);
      const mended = await deploy(cloudflare);
      expect([...broken.tokens, ...mended.tokens]).toEqual([]);
      expect(mended.error).toBeNull();
      expectComplete(cloudflare, token);
    }
  },
);

it("a failure names the step, the call and what Cloudflare said", async () => {
  const cloudflare = await newAccount();
  cloudflare.failing = ({ route }) => (route === "POST /r2/buckets" ? "500" : null);
  const { error } = await deploy(cloudflare);
  expect(error?.message).toMatch(
    /^R2 bucket silverprint: POST \/r2\/buckets answered 500: An unknown error has occurred. \[10013\]\n\n.*run it again/,
  );
  expect(cloudflare.account.buckets.size).toBe(0);
});

it("an unreadable list of secrets never changes a secret", async () => {
  const cloudflare = await newAccount();
  const [token] = (await deploy(cloudflare)).tokens;
  cloudflare.failing = ({ route }) => (route === "GET /workers/scripts/:name/secrets" ? "500" : null);
  const { error, tokens } = await deploy(cloudflare);
  expect(error?.message).toContain("GET /workers/scripts/silverprint/secrets answered 500");
  expect(tokens).toEqual([]);
  expect(secretOf(cloudflare.account, EDGE, "ROOT_TOKEN")).toBe(token);
});

it("an unreadable list of lifecycle rules is not overwritten", async () => {
  const cloudflare = await newAccount();
  await deploy(cloudflare);
  const mine = { id: "mine", enabled: true, conditions: { prefix: "backup/" } };
  cloudflare.account.buckets.get(EDGE)?.rules.push(mine);
  cloudflare.failing = ({ route }) => (route === "GET /r2/buckets/:name/lifecycle" ? "500" : null);
  expect((await deploy(cloudflare)).error).not.toBeNull();
  cloudflare.failing = null;
  expect((await deploy(cloudflare)).error).toBeNull();
  const rules = cloudflare.account.buckets.get(EDGE)?.rules.map(({ id }) => id);
  expect(rules?.filter((id) => id === "mine")).toHaveLength(1);
  expect(new Set(rules).size).toBe(rules?.length);
});

it("takes neither another Worker's domain nor a name with DNS records", async () => {
  const cloudflare = await newAccount();
  cloudflare.account.domains.set(DOMAIN, "shop");
  expect((await deploy(cloudflare)).error?.message).toContain(`These belong to another Worker: ${DOMAIN}`);
  expect(cloudflare.account.domains.get(DOMAIN)).toBe("shop");
  cloudflare.account.domains.clear();
  cloudflare.account.dnsRecords.add(DOMAIN);
  expect((await deploy(cloudflare)).error?.message).toContain(`DNS records stand in the way: ${DOMAIN}`);
  expect(cloudflare.account.domains.size).toBe(0);
});

it("a location is used for the database and the bucket", async () => {
  const cloudflare = await newAccount();
  const staging = deploymentOf(configs, parseFlags(["--name", "staging", "--location", "weur"]));
  expect((await deployTo(cloudflare, configs, staging)).error).toBeNull();
  expect([...cloudflare.account.databases.values()]).toMatchObject([
    { name: "silverprint-staging", locationHint: "weur" },
  ]);
  expect(cloudflare.account.buckets.get("silverprint-staging")?.locationHint).toBe("weur");
});

it("all databases of an account with many are read", async () => {
  const cloudflare = await newAccount();
  for (let i = 0; i < 230; i += 1) {
    const other = newDatabase(`other-${i}`, null);
    cloudflare.account.databases.set(other.uuid, other);
  }
  expect((await deploy(cloudflare)).error).toBeNull();
  expect((await deploy(cloudflare)).error).toBeNull();
  expect([...cloudflare.account.databases.values()].filter(({ name }) => name === EDGE)).toHaveLength(1);
});
