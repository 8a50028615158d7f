/** The child processes of a local start. They stay in our process group, so that a signal to the group ends all. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { WorkerOutput } from "./output.ts";
import { endTree } from "./process-tree.mjs";

const WRANGLER = "node_modules/.bin/wrangler";
/** Looks and not seconds: on a busy machine each takes as much longer as the start does. */
const HEALTHY_LOOKS_MAX = 1000;
const POLL_MS = 250;
const KILL_AFTER_MS = 5000;

type Environment = Record<string, string>;

const children = new Set<ChildProcess>();
let stopping = false;

/** A range of ports below those that systems assign to outgoing connections and to port 0 (32,768 and higher). */
const PORTS = { first: 20_000, count: 12_000 };

/** A port that is free now, and that no other program is likely to take before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}

/** Runs one of our scripts. @throws Error with its output when it fails */
export async function runToEnd(script: string, args: string[], env: Environment): Promise<void> {
  const child = startChild(process.execPath, [script, ...args], env);
  let output = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  children.delete(child);
  if (code !== 0) throw new Error(`${script} failed:\n${output}`);
}

/** Starts a child process. @throws Error while all children are being ended, because it would be left behind */
function startChild(
  command: string,
  args: string[],
  env: Environment,
): ChildProcessByStdio<null, Readable, Readable> {
  if (stopping) throw new Error("The service is being stopped.");
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  return child;
}

/** What wrangler says when another program took a port after it had found it free and before it could use it. */
const LOST_PORT = /Address already in use \(socket "direct:/;
const START_TRIES = 3;
const LAST_WORDS_MS = 5000;

/**
 * Starts `wrangler dev`. It is started again when it lost a port that it had chosen itself.
 *
 * @param onExit called with the last lines that it printed
 */
export function startWorker(
  args: string[],
  env: Environment,
  output: WorkerOutput,
  onExit: (tail: string) => void,
  { command = WRANGLER, tries = START_TRIES } = {},
): void {
  const flags = [
    "dev",
    "--ip",
    "127.0.0.1",
    "--show-interactive-dev-session=false",
    "--log-level",
    "log",
    ...args,
  ];
  const child = startChild(command, flags, env);
  let hasLostPort = false;
  const take = (text: string, isError: boolean): void => {
    hasLostPort ||= LOST_PORT.test(text);
    output.take(text, isError);
  };
  child.stdout.on("data", (data: Buffer) => take(data.toString(), false));
  child.stderr.on("data", (data: Buffer) => take(data.toString(), true));
  child.on("exit", () => {
    children.delete(child);
    void lastWords(child).then(() => {
      if (stopping) return;
      if (hasLostPort && tries > 1) startWorker(args, env, output, onExit, { command, tries: tries - 1 });
      else onExit(output.tail());
    });
  });
}

/** Waits for the output of a process that has ended, unless something that it has left running holds it open. */
async function lastWords(child: ChildProcess): Promise<void> {
  await Promise.race([once(child, "close"), setTimeout(LAST_WORDS_MS, undefined, { ref: false })]);
}

/**
 * @param tail the last lines that the Workers printed
 * @param looksMax how often the service is asked whether it is healthy
 * @throws Error when the service does not become healthy, with those lines and its last answer
 */
export async function waitUntilHealthy(
  base: string,
  tail: () => string,
  looksMax = HEALTHY_LOOKS_MAX,
): Promise<void> {
  let last = "no answer";
  for (let looks = 0; looks < looksMax; looks++) {
    try {
      const response = await fetch(`${base}/healthz`);
      last = await response.text();
      if (response.ok) return;
    } catch {
      // Not listening yet.
    }
    await setTimeout(POLL_MS);
  }
  throw new Error(`${tail()}\nNot healthy after ${looksMax} looks: ${last}`);
}

/** Ends all children and their descendants, by force if necessary. */
export async function stopAll(): Promise<void> {
  stopping = true;
  while (children.size > 0) {
    const ending = [...children];
    await Promise.all(ending.map((child) => endTree(child, "SIGTERM", KILL_AFTER_MS)));
    for (const child of ending) children.delete(child);
  }
}
