/** Finds and loads the document of models: `silverprint.config.json`, or `.ts` with `defineModels`. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
// As a whole: Node 20 has no `registerHooks` that could be imported by its name.
import * as nodeModule from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Failure } from "../base/failure.ts";
import { CONFIG_MODULE, isTypeScript, mayLackExtension } from "./hooks.ts";
import type { ModelsDocument } from "./index.ts";

/** The names that are looked for without `--config`. */
export const CONFIG_FILES = [
  "silverprint.config.json",
  "silverprint.config.ts",
  "silverprint.config.mts",
] as const;

/** Returns the files of these names that are in a folder. */
export const configsIn = (folder: string): string[] =>
  CONFIG_FILES.map((name) => resolve(folder, name)).filter((path) => existsSync(path));

/** Returns the path of the document. @throws Failure without a file, or for more than one */
export function findConfig(folder: string, given: string | undefined): string {
  if (given !== undefined) {
    const path = resolve(folder, given);
    if (existsSync(path)) return path;
    throw new Failure(`${path} is not there.`, { next: "Check --config." });
  }
  const [first, ...others] = configsIn(folder);
  if (first === undefined)
    throw new Failure(`There is no ${CONFIG_FILES.join(" or ")} in ${folder}.`, {
      next: "'silverprint pull' writes one from a space, and --config names another file.",
    });
  if (others.length > 0)
    throw new Failure(`There is more than one document of models: ${[first, ...others].join(", ")}.`, {
      next: "Remove one, or name the one that counts by --config.",
    });
  return first;
}

let areHooksThere = false;

/** Makes Node import TypeScript: with its own stripping of types where it has that, else by sucrase. */
function prepareTypeScript(): void {
  if (areHooksThere) return;
  areHooksThere = true;
  if (!process.features.typescript) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- these versions of Node have no other way
    nodeModule.register("./typescript-hooks.js", import.meta.url);
    return;
  }
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      if (specifier === CONFIG_MODULE.name) return { url: CONFIG_MODULE.url, shortCircuit: true };
      try {
        return next(specifier, context);
      } catch (error) {
        if (!mayLackExtension(specifier)) throw error;
        return next(`${specifier}.ts`, context);
      }
    },
    // A config is a module, whatever the nearest package.json says about files of its extension.
    load: (url, context, next) =>
      next(url, isTypeScript(url) ? { ...context, format: "module-typescript" } : context),
  });
}

/** Imports a file of code anew, and returns its default export. */
async function importDefault(path: string): Promise<unknown> {
  prepareTypeScript();
  const module = (await import(`${pathToFileURL(path).href}?at=${Date.now()}`)) as { default?: unknown };
  return module.default;
}

const isDocument = (value: unknown): value is ModelsDocument =>
  typeof value === "object" && value !== null && "models" in value && Array.isArray(value.models);

/** Loads a document. @throws Failure with the place of a fault */
export async function loadConfig(path: string): Promise<ModelsDocument> {
  const isCode = !path.endsWith(".json");
  let value: unknown;
  try {
    value = isCode ? await importDefault(path) : JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`${path} cannot be read: ${reason}.`, { next: "Mend the file.", cause: error });
  }
  if (isDocument(value)) return value;
  const form = isCode ? "export default defineModels({ models: [...] })" : '{"models": [...]}';
  throw new Failure(`${path} is no document of models.`, { next: `Write it as ${form}.` });
}
