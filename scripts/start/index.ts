/**
 * `npm start`: both Workers on this machine, with their data under DATA_DIR.
 *
 * PORT        where the service answers (8787)
 * DATA_DIR    D1, R2 and Durable Object data (.wrangler/state); found again by the next start
 * LOG_SAMPLE  the share of requests that has a line in the log (0); above 0, everything the Workers print is shown
 * ROOT_TOKEN  the deployment's root token (else .dev.vars, made on the first start)
 * DEMO=0      leaves out the demo space
 * PUBLIC_BASE_URL  what absolute addresses in JSON begin with (the origin of the request)
 * LEASH=1     ends when its standard input does, for whoever holds the other end of a pipe and may be killed
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DEMO_SPACE, ensureDemo } from "./demo.ts";
import { workerOutput, type WorkerOutput } from "./output.ts";
import { freePort, runToEnd, startWorker, stopAll, waitUntilHealthy } from "./processes.ts";
import { rootToken, TOKEN_FILE } from "./root-token.ts";

const PORT = Number(process.env["PORT"] ?? 8787);
const DATA_DIR = resolve(process.env["DATA_DIR"] ?? ".wrangler/state");
const SWEEP_EVERY_MS = 60_000;
const PARENT_POLL_MS = 500;

const base = `http://localhost:${PORT}`;
const token = rootToken();
// A registry of dev servers of its own: all dev servers of a user share the default one, and a crash leaves dead entries.
const scratch = mkdtempSync(join(tmpdir(), "silverprint-"));
const registry = join(scratch, "registry");
const secrets = join(scratch, "secrets.env");
mkdirSync(registry);
writeFileSync(secrets, `ROOT_TOKEN="${token}"\n`, { mode: 0o600 });
const env = {
  WRANGLER_REGISTRY_PATH: registry,
  WRANGLER_SEND_METRICS: "false",
  // Wrangler's pages for developers. The traces that they show are written to disk by the thread that answers requests.
  X_LOCAL_EXPLORER: "false",
  X_LOCAL_OBSERVABILITY: "false",
  CI: "1",
};

let ending = false;

async function stop(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await stopAll();
  rmSync(scratch, { recursive: true, force: true });
  process.exit(code);
}
// A closed pipe, such as that of `npm start | head`, must not end this process before its children.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => void stop(1));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
// The parent process may be killed without a signal to us. The service must then end, to free its port.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) void stop(1);
}, PARENT_POLL_MS).unref();
if (process.env["LEASH"] === "1")
  process.stdin
    .on("end", () => void stop(1))
    .on("error", () => void stop(1))
    .resume();

async function startAll(): Promise<void> {
  const sample = process.env["LOG_SAMPLE"] ?? "0";
  if (Number(sample) > 0) console.log("Starting the builder and the edge Worker ...");
  const outputs: WorkerOutput[] = [];
  const start = (name: string, args: string[]): void => {
    const output = workerOutput(name, Number(sample) > 0, (line) => console.log(line));
    outputs.push(output);
    startWorker(args, env, output, (tail) => {
      console.error(`${tail}\nThe ${name} Worker ended; stopping.`);
      void stop(1);
    });
  };
  // Each process has its own state, because two processes must not open the same local R2 or D1.
  const builderData = join(DATA_DIR, "builder");
  const builder = [
    "-c",
    "src/builder/wrangler.toml",
    "--persist-to",
    builderData,
    "--port",
    String(await freePort()),
  ];
  start("builder", [...builder, "--inspector-port", String(await freePort())]);
  // Of no concern to the builder, which starts meanwhile.
  await runToEnd("scripts/start/migrate.ts", [DATA_DIR], env);
  const edge = ["--persist-to", DATA_DIR, "--port", String(PORT), "--env-file", secrets];
  // The local workerd has no edge cache.
  edge.push("--var", "EDGE_CACHE:off");
  edge.push("--var", `LOG_SAMPLE:${sample}`);
  const publicBase = process.env["PUBLIC_BASE_URL"];
  if (publicBase) edge.push("--var", `PUBLIC_BASE_URL:${publicBase}`);
  start("edge", [...edge, "--inspector-port", String(await freePort())]);
  await waitUntilHealthy(base, () => outputs.map((output) => output.tail()).join("\n"));

  // Cron triggers do not fire locally.
  setInterval(
    () => void fetch(`${base}/cdn-cgi/local/scheduled`).catch(() => undefined),
    SWEEP_EVERY_MS,
  ).unref();

  const hasDemo = process.env["DEMO"] !== "0";
  const picture = hasDemo ? await ensureDemo(base, token) : null;
  console.log(`The service: ${base}`);
  console.log(`The console: ${base}/console${hasDemo ? `/${DEMO_SPACE}/media` : ""}`);
  if (picture !== null) console.log(`A picture: ${picture}`);
  console.log(`The root token: in ${process.env["ROOT_TOKEN"] ? "the environment" : TOKEN_FILE}`);
  console.log(`Ready on ${base}`);
}

try {
  await startAll();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stop(1);
}
