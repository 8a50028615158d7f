/**
 * Both Workers as a local start runs them, in dist/workers (not in the repository): the bundle that `wrangler deploy`
 * would upload, but not minified, and the bindings of its configuration in Miniflare's terms. They are bundled again when
 * a file that went into them has changed.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { V4WorkerOptions } from "miniflare";
import { CONFIG_FILES, execWrangler } from "../deploy/wrangler.ts";

const ROOT = process.cwd();
const DIST = "dist/workers";
const WASM = "src/builder/wasm";
const SCRIPT = "index.js";
/** Describes a bundle. It is in the folder only when all other files are. */
const DESCRIPTION = "worker.json";

export type WorkerName = keyof typeof CONFIG_FILES;

type Bindings = Omit<V4WorkerOptions, "modules" | "script" | "scriptPath">;

interface Description {
  /** The checkout that it was made in: bindings name folders of it. */
  root: string;
  bindings: Bindings;
  /** The files that the bundle was made of, with the time of their last change in milliseconds. */
  inputs: Record<string, number>;
}

export interface LocalWorker {
  options: V4WorkerOptions;
  /** The JSON of the source map of the script. */
  sourceMap: string;
}

const folderOf = (name: WorkerName): string => join(DIST, name);

const descriptionOf = (name: WorkerName): Description =>
  JSON.parse(readFileSync(join(folderOf(name), DESCRIPTION), "utf8")) as Description;

/**
 * Returns whether files are there and have not changed since. @param files the time of the last change of each, in
 * milliseconds
 */
export const areUnchanged = (files: Record<string, number>): boolean =>
  Object.entries(files).every(
    ([path, changed]) => statSync(path, { throwIfNoEntry: false })?.mtimeMs === changed,
  );

/** Returns whether the Worker is bundled and none of its files has changed since. */
export function isFresh(name: WorkerName): boolean {
  if (!existsSync(join(folderOf(name), DESCRIPTION))) return false;
  const { root, inputs } = descriptionOf(name);
  return root === ROOT && areUnchanged(inputs);
}

async function bindingsOf(config: string): Promise<Bindings> {
  process.env["WRANGLER_LOG"] ??= "error";
  // Takes longer to load than all the rest of a start.
  const { unstable_getMiniflareWorkerOptions: optionsOf, unstable_readConfig: read } =
    await import("wrangler");
  const bindings: Bindings & { modulesRules?: unknown } = optionsOf(config).workerOptions;
  // Wrangler has applied them.
  delete bindings.modulesRules;
  const { name, vars } = read({ config }) as { name: string; vars: Record<string, string> };
  // The variables alone: secrets of .dev.vars are among wrangler's bindings, and do not belong into a file of the bundle.
  return { ...bindings, bindings: vars, name, rootPath: resolve(dirname(config)) };
}

/** Builds beside the target and then renames the result, so that two starts at once never mix their files. */
async function bundle(name: WorkerName): Promise<void> {
  mkdirSync(DIST, { recursive: true });
  const [config, target] = [CONFIG_FILES[name], folderOf(name)];
  const [fresh, old] = [mkdtempSync(join(DIST, ".new-")), mkdtempSync(join(DIST, ".old-"))];
  try {
    const [built, metafile] = [join(fresh, name), join(fresh, "metafile.json")];
    // A file that changes from here on makes the bundle stale.
    const started = Date.now();
    const flags = [
      "--dry-run",
      "--minify=false",
      "--outdir",
      resolve(built),
      "--metafile",
      resolve(metafile),
    ];
    const [bindings] = await Promise.all([
      bindingsOf(config),
      execWrangler(ROOT, ["deploy", "-c", config, ...flags]),
    ]);
    const { inputs } = JSON.parse(readFileSync(metafile, "utf8")) as { inputs: Record<string, unknown> };
    const sources = Object.keys(inputs).map((path) => join(dirname(config), path));
    // The bundler names no WebAssembly, and wrangler's own modules have no file.
    const modules = readdirSync(WASM).map((file) => join(WASM, file));
    const files = [config, "package-lock.json", ...modules, ...sources].filter((path) => existsSync(path));
    const changed = files.map((path) => [path, Math.min(statSync(path).mtimeMs, started)]);
    const inputTimes = Object.fromEntries(changed) as Record<string, number>;
    const description: Description = { root: ROOT, bindings, inputs: inputTimes };
    writeFileSync(join(built, DESCRIPTION), JSON.stringify(description));
    try {
      if (existsSync(target)) renameSync(target, join(old, name));
      renameSync(built, target);
    } catch (error) {
      // Another start has put the same there meanwhile.
      if (!isFresh(name)) throw error;
    }
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
}

const MODULE_TYPES = { js: "ESModule", wasm: "CompiledWasm" } as const;

/**
 * Returns the Worker, bundled now unless nothing has changed. @throws Error with the bundler's words when that fails
 */
export async function localWorker(name: WorkerName): Promise<LocalWorker> {
  if (!isFresh(name)) await bundle(name);
  const folder = folderOf(name);
  const read = (file: string): Buffer => readFileSync(join(folder, file));
  const files = readdirSync(folder).filter((file) => /\.(?:js|wasm)$/.test(file) && file !== SCRIPT);
  const modules = [SCRIPT, ...files].map((path) => ({
    type: MODULE_TYPES[path.endsWith(".js") ? "js" : "wasm"],
    path,
    contents: read(path),
  }));
  const options = { ...descriptionOf(name).bindings, modules } as V4WorkerOptions;
  return { options, sourceMap: read(`${SCRIPT}.map`).toString() };
}
