/**
 * Rehearses deploys against an account on this machine:
 *
 *   node scripts/run.mjs scripts/deploy/rehearse.ts             three deploys, with every call that they made
 *   node scripts/run.mjs scripts/deploy/rehearse.ts --failures  every call fails in turn, and the next deploy mends it
 *   node scripts/run.mjs scripts/deploy/rehearse.ts --failures=/secrets  the same of calls that hold this text
 *   ... --stand-in                                                       with a stand-in for wrangler
 *
 * It runs what is committed, from fresh clones. All failures take two deploys per failure: hours with wrangler, minutes
 * with the stand-in, which makes the same calls (a test compares them) and runs what is in this folder. With the stand-in
 * the files come from a custom domain of the bucket, too.
 */
import { readConfigs } from "./configs.ts";
import { deploymentOf } from "./deployment.ts";
import { parseFlags } from "./flags.ts";
import { type Account, emptyAccount } from "./rehearsal/account.ts";
import { type Cloudflare, startCloudflare } from "./rehearsal/cloudflare.ts";
import { type Clone, newClone, runDeploy } from "./rehearsal/clone.ts";
import { rehearseHere } from "./rehearsal/deploy-here.ts";
import { accountWithFilesDomain, withFilesDomain } from "./rehearsal/files-domain.ts";
import { rehearseFailures, type Rehearsed, summaryOf, trialLine } from "./rehearsal/failures.ts";

const ROOT = process.cwd();

function printCalls(cloudflare: Cloudflare, start: number): void {
  for (const { line, outcome } of cloudflare.log.slice(start)) console.log(`    ${line} -> ${outcome}`);
}

/** @throws Error when a deploy has failed, or has changed the clone */
function check(clone: Clone, { exitCode }: Rehearsed): void {
  if (exitCode !== 0) throw new Error(`The deploy ended with ${exitCode}.`);
  const changes = clone.changes();
  if (changes !== "") throw new Error(`The deploy changed the tree:\n${changes}`);
}

/** Runs a deploy from a clone, or here with the stand-in. */
type Deploy = (clone: Clone, cloudflare: Cloudflare) => Promise<Rehearsed>;

async function rehearseThree(deploy: Deploy, first: Clone, second: Clone): Promise<void> {
  const cloudflare = await startCloudflare(newAccount());
  const runs: [title: string, clone: Clone][] = [
    ["A fresh clone, an empty account", first],
    ["The same clone again", first],
    ["Another fresh clone", second],
  ];
  for (const [title, clone] of runs) {
    const start = cloudflare.log.length;
    const run = await deploy(clone, cloudflare);
    console.log(`\n${title}\n${run.output}`);
    printCalls(cloudflare, start);
    check(clone, run);
  }
  await cloudflare.close();
}

async function rehearseEachFailure(deploy: Deploy, clone: Clone, among: string): Promise<boolean> {
  const trials = await rehearseFailures({
    edge: deployment.edge,
    account: newAccount,
    among,
    deploy: (cloudflare) => deploy(clone, cloudflare),
    report: (trial) => console.log(trialLine(trial)),
  });
  const changes = clone.changes();
  console.log(
    ["", ...summaryOf(trials), ...(changes === "" ? [] : [`The tree was changed:\n${changes}`])].join("\n"),
  );
  return changes === "" && trials.every(({ faults }) => faults.length === 0);
}

const FILES_HOST = "files.example.com";
const isStandIn = process.argv.includes("--stand-in");
const plain = await readConfigs(ROOT);
const configs = isStandIn ? withFilesDomain(plain, FILES_HOST) : plain;
const deployment = deploymentOf(configs, parseFlags([]));
const newAccount = (): Account =>
  isStandIn ? accountWithFilesDomain(deployment.bucket, FILES_HOST) : emptyAccount();
const deploy: Deploy = isStandIn
  ? (_, cloudflare) => rehearseHere(cloudflare, configs, deployment)
  : (clone, cloudflare) => runDeploy(clone, cloudflare);

const FLAG = /^--failures(?:=(.*))?$/;
const flag = process.argv.map((argument) => FLAG.exec(argument)).find((match) => match !== null);

const clones = [newClone(ROOT), newClone(ROOT)] as const;
try {
  if (flag) process.exitCode = (await rehearseEachFailure(deploy, clones[0], flag[1] ?? "")) ? 0 : 1;
  else await rehearseThree(deploy, ...clones);
} finally {
  for (const clone of clones) clone.remove();
}
