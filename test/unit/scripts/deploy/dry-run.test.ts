/** A dry run of a deploy, with the real wrangler, from a clone. */
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { startCloudflare } from "../../../../scripts/deploy/rehearsal/cloudflare.ts";
import { newClone, runDeploy } from "../../../../scripts/deploy/rehearsal/clone.ts";

const WITHIN_MS = 600_000;

/** A clone needs a repository; an unpacked archive is none. */
it.skipIf(!existsSync(".git"))("sends nothing", { timeout: WITHIN_MS }, async () => {
  const cloudflare = await startCloudflare();
  const clone = newClone(process.cwd());
  const dry = await runDeploy(clone, cloudflare, ["--dry-run", "--name", "staging"]);
  expect(dry.exitCode, dry.output).toBe(0);
  expect(dry.output).toContain("Bundled silverprint-staging: ");
  expect(cloudflare.log).toEqual([]);
  clone.remove();
  await cloudflare.close();
});
