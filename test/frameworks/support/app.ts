/** An app of this folder, copied, installed as its users would, built and served. */
import { execFile, spawn } from "node:child_process";
import { cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { freePort } from "../../../scripts/start/ports.ts";

const APPS = fileURLToPath(new URL("..", import.meta.url));
const ENV = {
  ...process.env,
  NODE_ENV: undefined,
  CI: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
  ASTRO_TELEMETRY_DISABLED: "1",
};

export interface App {
  folder: string;
  /** Compiles types.ts against the framework's declarations. @throws Error with the compiler's words */
  checkTypes(): Promise<void>;
  /** Runs a program of its node_modules/.bin, or `node`, which is that of this test. @throws Error with all that it printed */
  run(command: string, ...args: string[]): Promise<string>;
}

function execute(command: string, args: string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env: ENV, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command} ${args.join(" ")}:\n${stdout}\n${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}

/** Returns the path of the Node that runs this test, or of a command that the app has installed. */
const pathOf = (folder: string, command: string): string =>
  command === "node" ? process.execPath : join(folder, "node_modules/.bin", command);

/** skipLibCheck as all frameworks set it: their own declarations do not pass. */
const COMPILER_FLAGS = [
  ...["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", "--target", "es2022"],
  ...["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2023,dom"],
];

/**
 * Makes a copy of the app with the packed package and the packages that its package.json names, and with the media
 * objects in media.json.
 */
export async function installApp(name: string): Promise<App> {
  const { folder: root, tarball, media } = inject("frameworks");
  const folder = join(root, name);
  cpSync(join(APPS, name), folder, { recursive: true });
  writeFileSync(join(folder, "media.json"), JSON.stringify(media));
  const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  await execute("npm", ["install", "--save-exact", tarball, ...quiet], folder);
  return appIn(folder);
}

function appIn(folder: string): App {
  const run: App["run"] = (command, ...args) => execute(pathOf(folder, command), args, folder);
  const checkTypes = async (): Promise<void> => {
    await run("tsc", ...COMPILER_FLAGS, "types.ts");
  };
  return { folder, run, checkTypes };
}

/** Copies an app with what it has built, so that it can be served while the app is built in another way. */
export function copyBuilt({ folder }: App, suffix: string): App {
  const copy = `${folder}-${suffix}`;
  const packages = join(folder, "node_modules");
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => path !== packages });
  symlinkSync(packages, join(copy, "node_modules"));
  return appIn(copy);
}

export interface Site {
  url: string;
  stop: () => Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** Starts a server of the app's own, told its port as PORT, and waits until it answers. */
export async function startServer(app: App, command: string, ...args: string[]): Promise<Site> {
  const port = await freePort();
  const env = { ...ENV, PORT: String(port), HOST: "127.0.0.1" };
  const child = spawn(pathOf(app.folder, command), args, {
    ...{ cwd: app.folder, env, detached: true, stdio: "ignore" },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && isRunning) process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  const url = `http://127.0.0.1:${port}/`;
  for (const start = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, stop };
    if (Date.now() - start < READY_WITHIN_MS && child.exitCode === null) continue;
    await stop();
    throw new Error(`${command} ${args.join(" ")} does not answer`);
  }
}

const TYPES: Record<string, string> = {
  ...{ ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" },
  ...{ ".webp": "image/webp", ".jpg": "image/jpeg" },
};

/**
 * Serves files: each path begins with one of the keys of `roots`, and leads into its folder. One without an extension is
 * that of a folder, whose index.html is served.
 */
export async function serveFiles(roots: Record<string, string>): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = extname(pathname) === "" ? posix.join(pathname, "index.html") : pathname;
    const root = Object.keys(roots).find((prefix) => path.startsWith(prefix)) ?? "/";
    readFile(join(roots[root] ?? "", path.slice(root.length))).then(
      (body) => response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/plain" }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, stop };
}
