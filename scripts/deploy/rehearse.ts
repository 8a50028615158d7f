/**
 * Rehearses deploys against an account on this machine and prints every call that it saw:
 *
 *   node scripts/run.mjs scripts/deploy/rehearse.ts             three deploys: a fresh clone, the same, another one
 *   node scripts/run.mjs scripts/deploy/rehearse.ts --failures  each call of a first deploy fails, the next run mends
 *
 * It runs what is committed. The second takes two deploys per call, three quarters of an hour in all; the tests do the
 * same in seconds with a stand-in for wrangler.
 */
import { type Cloudflare, type Failure, startCloudflare } from "./rehearsal/cloudflare.ts";
import { type Clone, newClone, type Rehearsed, runDeploy } from "./rehearsal/clone.ts";

const ROOT = process.cwd();
const FAILURES: Failure[] = ["500", "cut after"];

function printCalls(cloudflare: Cloudflare, start: number): void {
  for (const { line, outcome } of cloudflare.log.slice(start)) console.log(`    ${line} -> ${outcome}`);
}

function check(clone: Clone, { exitCode, output }: Rehearsed): void {
  const changes = clone.changes();
  if (exitCode === 0 && changes === "") return;
  console.error(output);
  throw new Error(
    exitCode === 0 ? `The deploy changed the tree:\n${changes}` : `The deploy ended with ${exitCode}.`,
  );
}

async function rehearseThree(clones: Clone[]): Promise<void> {
  const cloudflare = await startCloudflare();
  const [first, second] = clones as [Clone, Clone];
  const runs: [title: string, clone: Clone][] = [
    ["A fresh clone, an empty account", first],
    ["The same clone again", first],
    ["Another fresh clone", second],
  ];
  for (const [title, clone] of runs) {
    const start = cloudflare.log.length;
    const run = await runDeploy(clone, cloudflare);
    console.log(`\n${title}\n${run.output}`);
    printCalls(cloudflare, start);
    check(clone, run);
  }
  await cloudflare.close();
}

/** One deploy in which the call at `index`, and every later one of its route, fails; then one that mends it. */
async function rehearseFailure(clone: Clone, index: number, failure: Failure): Promise<boolean> {
  const cloudflare = await startCloudflare();
  let route: string | null = null;
  cloudflare.failing = (call) => {
    if (call.index === index) route = call.route;
    return call.route === route ? failure : null;
  };
  const broken = await runDeploy(clone, cloudflare);
  cloudflare.failing = null;
  const calls = cloudflare.log.length;
  if (calls > index) {
    console.log(`\nCall ${index + 1} fails (${failure}): exit code ${broken.exitCode}`);
    printCalls(cloudflare, index);
    const mended = await runDeploy(clone, cloudflare);
    console.log(`  The next run: exit code ${mended.exitCode}, ${cloudflare.log.length - calls} calls`);
    check(clone, mended);
    const { databases, buckets, workers } = cloudflare.account;
    if (databases.size !== 1 || buckets.size !== 1 || workers.size !== 2)
      throw new Error("Something was made twice.");
  }
  await cloudflare.close();
  return calls > index;
}

async function rehearseFailures(clone: Clone): Promise<void> {
  for (const failure of FAILURES) {
    for (let index = 0; await rehearseFailure(clone, index, failure); index += 1);
  }
}

const clones = [newClone(ROOT), newClone(ROOT)];
try {
  await (process.argv.includes("--failures") ? rehearseFailures(clones[0] as Clone) : rehearseThree(clones));
} finally {
  for (const clone of clones) clone.remove();
}
