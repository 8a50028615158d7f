/**
 * Hooks by which Node imports `silverprint.config.ts`, and what it imports, where Node itself knows no TypeScript: before
 * 22.18 and 23.6. Node runs them in a thread of their own.
 */
import { readFile } from "node:fs/promises";
import type { LoadHook, ResolveHook } from "node:module";
import { fileURLToPath } from "node:url";
import { transform } from "sucrase";
import { CONFIG_MODULE, isTypeScript, mayLackExtension } from "./hooks.ts";

export const resolve: ResolveHook = async (specifier, context, next) => {
  if (specifier === CONFIG_MODULE.name) return { url: CONFIG_MODULE.url, shortCircuit: true };
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!mayLackExtension(specifier)) throw error;
    return next(`${specifier}.ts`, context);
  }
};

export const load: LoadHook = async (url, context, next) => {
  if (!isTypeScript(url)) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = transform(await readFile(path, "utf8"), {
    transforms: ["typescript"],
    disableESTransforms: true,
    filePath: path,
  });
  return { format: "module", source: code, shortCircuit: true };
};
