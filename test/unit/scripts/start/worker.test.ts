/** What happens when wrangler ends while a service starts. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { workerOutput } from "../../../../scripts/start/output.ts";
import { startWorker } from "../../../../scripts/start/processes.ts";

const folder = mkdtempSync(join(tmpdir(), "silverprint-wrangler-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a stand-in for wrangler that fails with these words, until it is no longer tried. @returns how often it ran */
async function triesOf(words: string): Promise<number> {
  const [command, runs] = [join(folder, "wrangler"), join(folder, "runs")];
  writeFileSync(runs, "");
  writeFileSync(command, `#!/bin/sh\necho run >> '${runs}'\necho '${words}' >&2\nexit 1\n`);
  chmodSync(command, 0o755);
  const output = workerOutput("edge", false, () => undefined);
  const tail = await new Promise<string>((resolve) => startWorker([], {}, output, resolve, { command }));
  expect(tail).toContain(words);
  return readFileSync(runs, "utf8").split("\n").length - 1;
}

it("starts wrangler again, twice at most, when it lost a port that it had chosen itself", async () => {
  expect(await triesOf('Address already in use (socket "direct:1:default").')).toBe(3);
});

it("does not start wrangler again when the port of the service is taken, or for other faults", async () => {
  expect(await triesOf('Address already in use (socket "entry").')).toBe(1);
  expect(await triesOf("No such binding")).toBe(1);
});
