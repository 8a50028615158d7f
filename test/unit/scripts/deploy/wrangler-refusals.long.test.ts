/** Refusals that only wrangler sees: its words are read for what to do. */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Account, emptyAccount, isEmpty } from "../../../../scripts/deploy/rehearsal/account.ts";
import { freeAccount } from "../../../../scripts/deploy/rehearsal/accounts.ts";
import { startCloudflare } from "../../../../scripts/deploy/rehearsal/cloudflare.ts";
import { type Clone, newClone, runDeploy } from "../../../../scripts/deploy/rehearsal/clone.ts";

const WITHIN_MS = 600_000;

/** A clone needs a repository; an unpacked archive is none. */
const test = it.skipIf(!existsSync(".git"));

let clone: Clone | null = null;
beforeAll(() => {
  if (existsSync(".git")) clone = newClone(process.cwd());
});
afterAll(() => clone?.remove());

const readOnly = (): Account => {
  const account = emptyAccount();
  account.rights.workers = "read";
  return account;
};

test.each([
  ["a free account", freeAccount, "Choose Workers Paid at https://dash.cloudflare.com/"],
  [
    "a token that may only read Workers",
    readOnly,
    "The token lacks a right: Account, Workers Scripts, Edit.",
  ],
])("%s stops the first Worker before anything is made", { timeout: WITHIN_MS }, async (_, account, said) => {
  const cloudflare = await startCloudflare(account());
  const run = await runDeploy(clone as Clone, cloudflare);
  expect(run.exitCode).toBe(1);
  expect(run.output).toContain(said);
  expect(run.output).toContain("Nothing was made. Mend this and run the deploy again.");
  expect(run.tokens).toEqual([]);
  expect(isEmpty(cloudflare.account)).toBe(true);
  await cloudflare.close();
});
