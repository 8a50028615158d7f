import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { descendantsOf, survivorsOf } from "../../../../scripts/start/process-tree.mjs";
import { freePort } from "../../../../scripts/start/ports.ts";

const WITHIN_MS = 600_000;
const POLL_MS = 100;

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** Starts `npm ...` with data and a port of its own, and returns once it has printed `sign`. */
async function npmThatPrints(sign: string, ...args: string[]): Promise<ChildProcess> {
  const directory = mkdtempSync(join(tmpdir(), "silverprint-interrupted-"));
  directories.push(directory);
  // With requests in the log, it says how far it is.
  const service = {
    PORT: String(await freePort()),
    DATA_DIR: directory,
    ROOT_TOKEN: "root-of-an-interrupted-start-0123",
    DEMO: "0",
    LOG_SAMPLE: "1",
  };
  const npm = spawn("npm", args, {
    env: { ...process.env, ...service },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const look = (data: Buffer): void => {
      output += data.toString();
      if (output.includes(sign)) resolve();
    };
    npm.stdout.on("data", look);
    npm.stderr.on("data", look);
    npm.on("exit", () => reject(new Error(`npm ended before it printed "${sign}":\n${output}`)));
  });
  return npm;
}

const programs = (pid: number): number => descendantsOf(pid).size;

/** Signals npm alone, or as Ctrl-C does its whole group, and waits until nothing is left of what it started. The test's time limit says that it took too long. */
async function expectNothingLeft(npm: ChildProcess, signal: NodeJS.Signals, atLeast: number): Promise<void> {
  const pid = npm.pid ?? 0;
  expect(programs(pid)).toBeGreaterThanOrEqual(atLeast);
  const tree = descendantsOf(pid);
  const isOver = new Promise((resolve) => npm.on("exit", resolve));
  process.kill(signal === "SIGINT" ? -pid : pid, signal);
  await isOver;
  while (survivorsOf(tree).length > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  expect(survivorsOf(tree)).toEqual([]);
}

/** A shell, run.mjs, the start script, and a runtime per Worker. */
const SERVICE_PROCESSES = 5;

it.each<NodeJS.Signals>(["SIGTERM", "SIGINT", "SIGKILL"])(
  "npm start ended by %s leaves nothing",
  { timeout: WITHIN_MS },
  async (signal) => {
    const npm = await npmThatPrints("Ready on ", "start");
    await expectNothingLeft(npm, signal, SERVICE_PROCESSES);
  },
);

it("npm start ended before it is ready leaves nothing", { timeout: WITHIN_MS }, async () => {
  const npm = await npmThatPrints("Starting the builder", "start");
  await expectNothingLeft(npm, "SIGKILL", 2);
});

it.each<NodeJS.Signals>(["SIGTERM", "SIGKILL"])(
  "npm test ended by %s leaves nothing, its service included",
  { timeout: WITHIN_MS },
  async (signal) => {
    const npm = await npmThatPrints(
      "The endless test runs",
      "test",
      "--",
      "--config",
      "test/support/interrupted/vitest.config.ts",
    );
    await expectNothingLeft(npm, signal, SERVICE_PROCESSES + 3);
  },
);
