/** `--dry-run`: bundles both Workers and prints the plan. It has no credentials, so that it cannot send anything. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builderConfig, type Configs, type Deployment, edgeConfig } from "./deployment.ts";
import { stepsOf } from "./plan.ts";
import { newWranglerRunner } from "./wrangler.ts";

export async function rehearseBundles(
  root: string,
  configs: Configs,
  deployment: Deployment,
  print: (line: string) => void,
): Promise<void> {
  print("A dry run: nothing is looked up and nothing is sent. A deploy sees to these, in this order:");
  for (const { subject } of stepsOf(deployment)) print(`  ${subject(deployment)}`);
  for (const fault of deployment.signInFaults) print(`A deploy would stop: ${fault}`);
  const bundles = {
    builder: builderConfig(configs.builder, deployment),
    edge: edgeConfig(configs, deployment, Array<null>(deployment.databases).fill(null)),
  };
  const wrangler = newWranglerRunner({ root, env: {}, configOf: (worker) => bundles[worker] });
  for (const worker of ["builder", "edge"] as const) {
    const out = mkdtempSync(join(tmpdir(), "silverprint-bundle-"));
    try {
      const { output } = await wrangler(worker, ["deploy", "--dry-run", "--outdir", out]);
      print(`Bundled ${deployment[worker]}: ${/Total Upload: (.*)/.exec(output)?.[1] ?? "no size given"}`);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  }
}
