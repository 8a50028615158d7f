/**
 * `npm start`: both Workers on this machine, with their data under DATA_DIR. It bundles them as a deploy does, and again
 * when a source changes.
 *
 * PORT        where the service answers (8787)
 * DATA_DIR    D1, R2 and Durable Object data (.wrangler/state); found again by the next start
 * DATABASES   how many D1 databases there are, 1 to 32 (1); those of earlier starts are found again
 * LOG_SAMPLE  the share of requests that has a line in the log (0); above 0, everything the Workers print is shown
 * API_RATE    the reads that a key may make in a minute (6000)
 * ROOT_TOKEN  the deployment's root token, 32 characters or more (else .dev.vars, made on the first start)
 * DEMO=0      leaves out the demo space
 * OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_TRUST_EMAIL, ROOT_MEMBERS
 *             how people sign in (README, Deploy)
 * REMOTE_TEST_ORIGINS=1  takes addresses of this machine among the origins of spaces, for tests
 * PUBLIC_BASE_URL  what absolute addresses in JSON begin with (the origin of the request)
 * INSPECTOR_PORT   where DevTools find the edge Worker; the builder is at the next port (no inspector)
 * LEASH=1     ends when its standard input does, for whoever holds the other end of a pipe and may be killed; sources
 *             are not watched
 */
import { watch } from "node:fs";
import { resolve } from "node:path";
import { databaseCountOf } from "./databases.ts";
import { DEMO_SPACE, ensureDemo } from "./demo.ts";
import { LocalWorkers } from "./local-workers.ts";
import { workerOutput } from "./output.ts";
import { waitUntilHealthy } from "./ports.ts";
import { cursorSecret, rootToken, TOKEN_FILE } from "./secrets.ts";

const PORT = Number(process.env["PORT"] ?? 8787);
const DATA_DIR = resolve(process.env["DATA_DIR"] ?? ".wrangler/state");
const INSPECTOR_PORT = Number(process.env["INSPECTOR_PORT"] ?? 0);
const LOG_SAMPLE = process.env["LOG_SAMPLE"] ?? "0";
const IS_ON_LEASH = process.env["LEASH"] === "1";
const SWEEP_EVERY_MS = 60_000;
const PARENT_POLL_MS = 500;
/** An editor writes a file in steps, and several files at once. */
const CHANGES_SETTLE_MS = 200;

/** Ends the start when a setting is refused. */
function orEnd<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

const base = `http://localhost:${PORT}`;
const token = orEnd(rootToken);
const databases = orEnd(() => databaseCountOf(process.env["DATABASES"]));

const isWhole = Number(LOG_SAMPLE) > 0;
const outputOf = (name: string): ReturnType<typeof workerOutput> =>
  workerOutput(name, isWhole, (line) => console.log(line));
const outputs = { builder: outputOf("builder"), edge: outputOf("edge") };
/** Returns the variables of sign-ins that the environment sets. */
const signInVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value && (name.startsWith("OIDC_") || name === "ROOT_MEMBERS") ? [[name, value]] : [],
    ),
  );
const { PUBLIC_BASE_URL, API_RATE, BACKUPS, REMOTE_TEST_ORIGINS } = process.env;

const workers = new LocalWorkers({
  port: PORT,
  inspectorPorts: INSPECTOR_PORT > 0 ? { edge: INSPECTOR_PORT, builder: INSPECTOR_PORT + 1 } : null,
  dataDir: DATA_DIR,
  databases,
  variables: {
    ROOT_TOKEN: token,
    CURSOR_SECRET: cursorSecret(DATA_DIR),
    LOG_SAMPLE,
    // The local workerd has no edge cache.
    EDGE_CACHE: "off",
    BACKUPS: BACKUPS ?? "off",
    ...(PUBLIC_BASE_URL && { PUBLIC_BASE_URL }),
    ...(API_RATE && { API_RATE }),
    // Webhooks, and the provider of sign-ins, may be on this machine.
    LOCAL: "1",
    ...signInVariables(),
    ...(REMOTE_TEST_ORIGINS && { REMOTE_TEST_ORIGINS }),
  },
  outputs,
  onLost: (name) => {
    console.error(`${outputs[name].tail()}\nThe ${name} Worker ended; stopping.`);
    void stop(1);
  },
});

let ending = false;

async function stop(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await workers.stop();
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
if (IS_ON_LEASH)
  process.stdin
    .on("end", () => void stop(1))
    .on("error", () => void stop(1))
    .resume();

/** Starts a Worker again when one of its sources has changed. One that cannot be bundled runs on as it was. */
function watchSources(): void {
  let last = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const restart = async (): Promise<void> => {
    try {
      for (const name of await workers.restartChanged())
        console.log(`The ${name} Worker was started again with its new sources.`);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  };
  watch("src", { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void (last = last.then(restart)), CHANGES_SETTLE_MS);
  }).unref();
}

async function startAll(): Promise<void> {
  if (isWhole) console.log("Starting the builder and the edge Worker ...");
  const builder = await workers.start();
  if (isWhole) console.log(`The builder: ${builder.origin}`);
  await waitUntilHealthy(base, () => `${outputs.builder.tail()}\n${outputs.edge.tail()}`);
  // Cron triggers do not fire locally.
  setInterval(
    () => void fetch(`${base}/cdn-cgi/local/scheduled`).catch(() => undefined),
    SWEEP_EVERY_MS,
  ).unref();
  if (!IS_ON_LEASH) watchSources();

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
  // Miniflare names its own flag.
  console.error(error instanceof Error ? error.message.replace("with --port", "with PORT") : error);
  await stop(1);
}
