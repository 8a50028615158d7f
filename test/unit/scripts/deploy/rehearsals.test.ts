/** Deploys to accounts as people have them: each ends well, or stops before anything is made and says what to do. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkLogin } from "../../../../scripts/deploy/advice.ts";
import { readConfigs } from "../../../../scripts/deploy/configs.ts";
import { type Configs, type Deployment, deploymentOf } from "../../../../scripts/deploy/deployment.ts";
import { parseFlags } from "../../../../scripts/deploy/flags.ts";
import {
  type Account,
  type Area,
  bindingsOf,
  emptyAccount,
  isEmpty,
  type Right,
  secretOf,
} from "../../../../scripts/deploy/rehearsal/account.ts";
import {
  accountWithoutQueues,
  accountWithoutR2,
  freeAccount,
  installationAt,
  untouchedAccount,
} from "../../../../scripts/deploy/rehearsal/accounts.ts";
import { type Cloudflare, startCloudflare } from "../../../../scripts/deploy/rehearsal/cloudflare.ts";
import {
  type Deployed,
  deployTo,
  type Surroundings,
} from "../../../../scripts/deploy/rehearsal/deploy-here.ts";
import {
  accountWithFilesDomain,
  withFilesDomain,
} from "../../../../scripts/deploy/rehearsal/files-domain.ts";
import { rootTokenPlace } from "../../../../scripts/deploy/secrets.ts";

const EDGE = "silverprint";
const HOST = "files.example.com";
const LONG = "x".repeat(32);
const NOTHING_WAS_MADE = "Nothing was made. Mend this and run the deploy again.";

let configs: Configs;
let deployment: Deployment;
let directory: string;
const open: Cloudflare[] = [];

beforeAll(async () => {
  configs = await readConfigs(process.cwd());
  deployment = deploymentOf(configs, parseFlags([]));
});
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "silverprint-rehearsal-"));
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await Promise.all(open.splice(0).map((cloudflare) => cloudflare.close()));
});

async function deploy(account: Account, surroundings: Surroundings = {}): Promise<Deployed> {
  const cloudflare = await startCloudflare(account);
  open.push(cloudflare);
  return deployTo(cloudflare, configs, deployment, surroundings);
}

/** Returns the words of a deploy that has stopped before it made anything. */
async function stopped(account: Account, surroundings: Surroundings = {}): Promise<string> {
  const { error } = await deploy(account, surroundings);
  expect(isEmpty(account)).toBe(true);
  expect(error?.message).toContain(NOTHING_WAS_MADE);
  return error?.message ?? "";
}

it("an empty account on Workers Paid ends well", async () => {
  const account = emptyAccount();
  const { error, session } = await deploy(account);
  expect(error).toBeNull();
  expect(session.addresses).toEqual([`https://${EDGE}.rehearsal.workers.dev`]);
  expect([...account.workers.keys()].sort()).toEqual([EDGE, `${EDGE}-builder`]);
});

describe("several databases", () => {
  const MIGRATIONS = readdirSync("schema/migrations").filter((name) => name.endsWith(".sql")).length;

  async function deployWith(account: Account, ...flags: string[]): Promise<Deployed> {
    const cloudflare = await startCloudflare(account);
    open.push(cloudflare);
    return deployTo(cloudflare, configs, deploymentOf(configs, parseFlags(flags)));
  }
  const namesIn = (account: Account): string[] =>
    [...account.databases.values()].map(({ name }) => name).sort();
  /** Returns how many migrations each database has, by its name. */
  const migrated = (account: Account): Record<string, unknown> =>
    Object.fromEntries(
      [...account.databases.values()].map(({ name, sqlite }) => [
        name,
        sqlite.prepare("SELECT count(*) AS n FROM d1_migrations").get()?.["n"],
      ]),
    );
  const boundTo = (account: Account, { session }: Deployed): string[] =>
    session.databaseIds.map((id) => account.databases.get(id ?? "")?.name ?? "none");

  it("are made, migrated and replicated, and a deploy without the flag goes on with them", async () => {
    const account = emptyAccount();
    expect((await deployWith(account)).error).toBeNull();
    expect(namesIn(account)).toEqual(["silverprint"]);
    const three = ["silverprint", "silverprint_1", "silverprint_2"];
    for (const flags of [["--databases", "3"], [], ["--databases", "2"], ["--databases=3"]]) {
      const deployed = await deployWith(account, ...flags);
      expect(deployed.error).toBeNull();
      expect(namesIn(account)).toEqual(three);
      expect(boundTo(account, deployed)).toEqual(three);
    }
    expect(migrated(account)).toEqual(Object.fromEntries(three.map((name) => [name, MIGRATIONS])));
    for (const { read_replication: replication } of account.databases.values())
      expect(replication.mode).toBe("auto");
  });

  it("that an earlier deploy has left half made or half migrated are taken up", async () => {
    const account = emptyAccount();
    expect((await deployWith(account, "--databases=3")).error).toBeNull();
    const [, second] = [...account.databases.values()];
    second?.sqlite.exec(
      "DELETE FROM d1_migrations WHERE name LIKE '0017%'; DROP TABLE space_places; DROP TABLE this_shard",
    );
    second?.sqlite.exec("DROP INDEX space_names_claimed; ALTER TABLE space_names DROP COLUMN claimed_at");
    for (const [id, { name }] of account.databases)
      if (name === "silverprint_2") account.databases.delete(id);
    const deployed = await deployWith(account, "--databases=4");
    expect(deployed.error).toBeNull();
    const four = ["silverprint", "silverprint_1", "silverprint_2", "silverprint_3"];
    expect(boundTo(account, deployed)).toEqual(four);
    expect(migrated(account)).toEqual(Object.fromEntries(four.map((name) => [name, MIGRATIONS])));
  });

  it("of a deployment of a name are its own", async () => {
    const account = emptyAccount();
    await deployWith(account, "--databases=2");
    const deployed = await deployWith(account, "--name", "staging");
    expect(boundTo(account, deployed)).toEqual(["silverprint-staging"]);
  });
});

it("an account in which nobody has opened Workers or R2 is told of both at once", async () => {
  const said = await stopped(untouchedAccount());
  expect(said).toMatch(/no name under workers\.dev\. Open https:\S+\/workers-and-pages once/);
  expect(said).toMatch(/R2 is not enabled\. Open https:\S+\/r2 once/);
});

it("needs no name under workers.dev where the Worker does not answer there", async () => {
  const cloudflare = await startCloudflare({ ...emptyAccount(), subdomain: null });
  open.push(cloudflare);
  const edge = { ...configs.edge, workers_dev: false };
  const elsewhere = deploymentOf({ ...configs, edge }, parseFlags(["--domain", "images.example.com"]));
  expect((await deployTo(cloudflare, { ...configs, edge }, elsewhere)).error).toBeNull();
});

it("a free account is told to choose Workers Paid", async () => {
  expect(await stopped(freeAccount())).toMatch(
    /on the free plan.*\[100328\]\. Choose Workers Paid at https:/,
  );
});

it("an account without R2 is told to subscribe to it", async () => {
  expect(await stopped(accountWithoutR2())).toContain("R2 is not enabled. Open https://dash.cloudflare.com/");
});

it("an account without Queues is told so, before anything is made", async () => {
  expect(await stopped(accountWithoutQueues())).toMatch(
    /Queues are not enabled .*\[10026\].*https:\/\/dash\.cloudflare\.com\/ac.*\/workers\/queues/,
  );
});

it("the queues are made once, with one consumer; a named deployment has its own", async () => {
  const account = emptyAccount();
  const staging = deploymentOf(configs, parseFlags(["--name", "staging"]));
  for (const one of [deployment, deployment, staging]) {
    const cloudflare = await startCloudflare(account);
    open.push(cloudflare);
    expect((await deployTo(cloudflare, configs, one)).error).toBeNull();
  }
  const queues = [...account.queues.values()].map(({ queue_name, consumers }) => [
    queue_name,
    consumers.map(({ script, dead_letter_queue }) => [script, dead_letter_queue]),
  ]);
  expect(queues).toEqual([
    ["silverprint-webhooks", [[EDGE, "silverprint-webhooks-dead"]]],
    ["silverprint-webhooks-dead", []],
    ["silverprint-webhooks-staging", [[`${EDGE}-staging`, "silverprint-webhooks-dead-staging"]]],
    ["silverprint-webhooks-dead-staging", []],
  ]);
  const bound = bindingsOf(account.workers.get(`${EDGE}-staging`)).find(({ name }) => name === "WEBHOOKS");
  expect(bound?.["queue_name"]).toBe("silverprint-webhooks-staging");
});

describe("a token of too few rights", () => {
  const NAMES: Record<Exclude<Area, "zones">, string> = {
    workers: "Account, Workers Scripts, Edit",
    d1: "Account, D1, Edit",
    r2: "Account, Workers R2 Storage, Edit",
    queues: "Account, Queues, Edit",
  };
  const lacking = (area: Area, right: Right): Account => {
    const account = emptyAccount();
    account.rights[area] = right;
    return account;
  };
  const cases = (["workers", "d1", "r2", "queues"] as const).flatMap((area) =>
    (["none", "read"] as const).map((right) => ({ area, right })),
  );

  it.each(cases)("that has $right for $area is told which it lacks", async ({ area, right }) => {
    expect(await stopped(lacking(area, right))).toContain(`The token lacks a right: ${NAMES[area]}`);
  });

  it("is told of all of them at once, and of those that a token needs", async () => {
    const account = emptyAccount();
    account.rights = { workers: "none", d1: "none", r2: "read", queues: "read", zones: "none" };
    const said = await stopped(account);
    for (const name of Object.values(NAMES)) expect(said).toContain(`The token lacks a right: ${name} (`);
    expect(said).toContain("https://dash.cloudflare.com/profile/api-tokens");
    expect(said).toContain(Object.values(NAMES).join("\n    "));
  });

  it("that Workers Builds has made is told that it lacks D1", async () => {
    const account = lacking("d1", "none");
    expect(await stopped(account, { isWorkersBuilds: true })).toContain(
      "The token that Workers Builds makes lacks the right to D1",
    );
  });

  it("that may not see the rules of the files' zone is told so", async () => {
    const account = { ...accountWithFilesDomain(EDGE, HOST) };
    account.rights.zones = "none";
    account.buckets.set(EDGE, { name: EDGE, locationHint: null, rules: [], cors: null });
    const cloudflare = await startCloudflare(account);
    open.push(cloudflare);
    const files = withFilesDomain(configs, HOST);
    const { error } = await deployTo(cloudflare, files, deploymentOf(files, parseFlags([])));
    expect(error?.message).toContain("The token lacks a right: Zone, Transform Rules, Edit");
    expect(error?.message).toContain("The token lacks a right: Zone, Cache Rules, Edit");
    expect(account.workers.size + account.databases.size).toBe(0);
  });

  it("wrangler login is refused where CDN_BASE_URL needs rules of a zone, before any call", () => {
    const files = deploymentOf(withFilesDomain(configs, HOST), parseFlags([]));
    expect(() => checkLogin(true, files)).toThrow(
      /CDN_BASE_URL names files\.example\.com.*set CLOUDFLARE_API_TOKEN[\s\S]*Zone, Transform Rules, Edit\n\s+Zone, Cache Rules, Edit/,
    );
    expect(() => checkLogin(false, files)).not.toThrow();
    expect(() => checkLogin(true, deployment)).not.toThrow();
  });
});

describe("in CI without a terminal", () => {
  const place = (env: Record<string, string>, isTerminal = false) => ({
    rootToken: rootTokenPlace(env, isTerminal, directory),
  });

  it("the root token is the one in the environment, and is not printed", async () => {
    const account = emptyAccount();
    const { error, lines } = await deploy(account, place({ ROOT_TOKEN: LONG, CI: "true" }));
    expect(error).toBeNull();
    expect(secretOf(account, EDGE, "ROOT_TOKEN")).toBe(LONG);
    expect(lines.join("\n")).not.toContain(LONG);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    ["stdout is no terminal", {}, false],
    ["CI is set", { CI: "1" }, true],
  ])("the root token is written into a file of mode 0600 where %s", async (_, env, isTerminal) => {
    const account = emptyAccount();
    const { error, lines } = await deploy(account, place(env, isTerminal));
    expect(error).toBeNull();
    const file = join(directory, ".root-token.silverprint");
    const token = readFileSync(file, "utf8").trim();
    expect(secretOf(account, EDGE, "ROOT_TOKEN")).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(lines.join("\n")).toContain("ROOT_TOKEN was written into .root-token.silverprint");
    expect(lines.join("\n")).not.toContain(token);
  });

  it("a root token of 31 characters is refused before anything is made", async () => {
    expect(await stopped(emptyAccount(), place({ ROOT_TOKEN: LONG.slice(1) }))).toContain(
      "ROOT_TOKEN in the environment has 31 characters; it needs at least 32.",
    );
  });

  it("git ignores the file with the token", () => {
    expect(readFileSync(".gitignore", "utf8").split("\n")).toContain(".root-token.*");
  });
});

describe("an installation at migration 0006", () => {
  it("gets the migrations that it lacks and a cursor secret, and keeps its root token", async () => {
    const account = installationAt("0006", EDGE, "short");
    const [database] = account.databases.values();
    const ledger = () =>
      database?.sqlite
        .prepare("SELECT name FROM d1_migrations ORDER BY id")
        .all()
        .map(({ name }) => name);
    expect(ledger()?.at(-1)).toMatch(/^0006_/);
    const { error, tokens, lines } = await deploy(account);
    expect(error).toBeNull();
    expect(tokens).toEqual([]);
    const names = readdirSync("schema/migrations").filter((name) => name.endsWith(".sql"));
    expect(ledger()).toEqual(names.sort());
    expect(secretOf(account, EDGE, "ROOT_TOKEN")).toBe("short");
    expect(secretOf(account, EDGE, "CURSOR_SECRET")).toMatch(/^[\w-]{43}$/);
    expect(lines.join("\n")).toContain("refuses a ROOT_TOKEN of fewer than 32 characters");
    expect(lines.join("\n")).toMatch(/npx wrangler d1 time-travel restore silverprint --bookmark \S+/);
    expect((await deploy(account)).lines.join("\n")).toContain("as it was    migrations of silverprint");
  });

  it("an import that fails leaves the old version at work, names what was due, and is tried again", async () => {
    const account = installationAt("0006", EDGE, LONG);
    const [database] = account.databases.values();
    const before = account.workers.get(EDGE)?.deployed;
    database?.sqlite.exec("CREATE TABLE search_rebuilds (a)");
    const { error } = await deploy(account);
    expect(error?.message).toMatch(/^migrations of silverprint: .*search_rebuilds/);
    expect(error?.message).toMatch(/These were due: 0007_space_totals\.sql, 0008_/);
    expect(error?.message).toContain("npx wrangler d1 time-travel restore silverprint --bookmark");
    expect(account.workers.get(EDGE)?.deployed).toBe(before);
    expect(database?.sqlite.prepare("SELECT name FROM d1_migrations WHERE name > '0007'").all()).toEqual([]);
    database?.sqlite.exec("DROP TABLE search_rebuilds");
    expect((await deploy(account)).error).toBeNull();
  });

  it("an import whose answer is lost is found to be done", async () => {
    const account = installationAt("0006", EDGE, LONG);
    const cloudflare = await startCloudflare(account);
    open.push(cloudflare);
    let imports = 0;
    cloudflare.failing = ({ route }) => {
      if (route !== "POST /d1/database/:id/import") return null;
      imports += 1;
      return imports === 2 ? "cut after" : null;
    };
    const { error, lines } = await deployTo(cloudflare, configs, deployment);
    expect(error).toBeNull();
    expect(imports).toBe(2);
    expect(lines.join("\n")).toContain("applied      migrations of silverprint");
  });
});
