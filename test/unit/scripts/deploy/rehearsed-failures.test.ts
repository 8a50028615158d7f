/** `rehearse.ts --failures`: the calls that it makes and the lines that it prints, with a stand-in for wrangler. */
import { expect, it } from "vitest";
import { readConfigs } from "../../../../scripts/deploy/configs.ts";
import { deploymentOf } from "../../../../scripts/deploy/deployment.ts";
import { parseFlags } from "../../../../scripts/deploy/flags.ts";
import type { Cloudflare } from "../../../../scripts/deploy/rehearsal/cloudflare.ts";
import {
  indexesToTry,
  type Rehearsed,
  rehearseFailures,
  summaryOf,
  type Trial,
  trialLine,
} from "../../../../scripts/deploy/rehearsal/failures.ts";
import { rehearseHere } from "../../../../scripts/deploy/rehearsal/deploy-here.ts";

const configs = await readConfigs(process.cwd());
const deployment = deploymentOf(configs, parseFlags([]));
const EDGE = deployment.edge;

const deploy = (cloudflare: Cloudflare): Promise<Rehearsed> => rehearseHere(cloudflare, configs, deployment);

it("fails each call of a first deploy and of a later one, and finds that the next deploy completes it", async () => {
  const reported: Trial[] = [];
  const report = (trial: Trial): void => void reported.push(trial);
  const trials = await rehearseFailures({ edge: EDGE, deploy, among: "/r2/", report });
  expect(reported).toEqual(trials);
  expect(trials.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(trials.every(({ call }) => /^(?:GET|PUT|POST|PATCH) \//.test(call))).toBe(true);
  expect(trials.filter((trial) => trial.deploy === "first").length).toBeGreaterThan(8);
  expect(trials.filter((trial) => trial.deploy === "later").length).toBeGreaterThan(2);
  const look = trials.find(
    (trial) =>
      trial.deploy === "later" && trial.failure === "403" && trial.call === `GET /r2/buckets/${EDGE}`,
  );
  expect(look?.stopped).toContain(
    "The token lacks a right: Account, Workers R2 Storage, Edit (GET /r2/buckets/silverprint answered 403",
  );
  expect(summaryOf(trials)).toEqual([
    expect.stringMatching(
      /^A first deploy: \d+ failures of \d+ calls; \d+ stopped it, it went on after \d+\.$/,
    ),
    expect.stringMatching(
      /^A later deploy: \d+ failures of \d+ calls; \d+ stopped it, it went on after \d+\.$/,
    ),
    "The next deploy mended every one: nothing was made twice, and no root token changed.",
  ]);
});

it("detects a deploy that replaces its token, and one that makes a database twice", async () => {
  let deploys = 0;
  const careless = async (cloudflare: Cloudflare): Promise<Rehearsed> => {
    const run = await deploy(cloudflare);
    deploys += 1;
    if (deploys > 2) {
      const [database] = cloudflare.account.databases.values();
      if (database) cloudflare.account.databases.set(`again-${deploys}`, database);
      return { ...run, tokens: [...run.tokens, "another"] };
    }
    return run;
  };
  const trials = await rehearseFailures({
    edge: EDGE,
    deploy: careless,
    among: "/versions",
    report: () => undefined,
  });
  const later = trials.filter((trial) => trial.deploy === "later");
  for (const { faults } of later) expect(faults).toContain("a root token was made anew");
  expect(later.at(-1).faults).toContainEqual(expect.stringMatching(/^\d+ databases instead of 1$/));
  expect(summaryOf(trials).join("\n")).toContain("The next deploy did not mend");
});

it("a line says which call failed how, what stopped the deploy, and what mended it", () => {
  const trial: Trial = {
    deploy: "first",
    call: "GET /d1/database/5e927488-4bca-439c-9ab3-baf6b2148658",
    failure: "500",
    stopped: "read replicas of silverprint: it did not answer",
    callsToMend: 44,
    faults: [],
  };
  expect(trialLine(trial)).toBe(
    [
      "first deploy, GET /d1/database/:id, 500",
      "    stopped: read replicas of silverprint: it did not answer",
      "    mended by 44 calls",
    ].join("\n"),
  );
  expect(trialLine({ ...trial, stopped: null, faults: ["2 databases instead of 1"] })).toContain(
    "went on without it\n    NOT MENDED: 2 databases instead of 1",
  );
});

it("of calls that repeat themselves, the first, the second and the last are tried", () => {
  expect(indexesToTry(["a", "b", "b", "b", "b", "c", "b"])).toEqual([0, 1, 2, 4, 5, 6]);
});
