/**
 * Writes smaller copies of zod and Drizzle into src/generated/packages (not in the repository) for the edge Worker. The
 * copies lack zod's writers of JSON Schemas and Drizzle's relational queries. The Worker never calls these, but every
 * schema and every database refers to them, so the bundler cannot drop them. `alias` in wrangler.toml replaces the
 * packages by the copies. Scripts and tests in Node use the packages themselves.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OUT = join(ROOT, "src/generated/packages");
const MODULES = "node_modules/";
/** Written last, so that it exists only when all other files do. */
const MARK = join(OUT, "package.json");
const ENTRIES = ["zod", "drizzle-orm", "drizzle-orm/d1", "drizzle-orm/sqlite-core"];

/** Modules of which the Worker calls nothing. In the copy, their exports throw when they are called. */
const UNCALLED = [
  "zod/v4/core/to-json-schema.js",
  "zod/v4/core/json-schema-processors.js",
  "drizzle-orm/relations.js",
  "drizzle-orm/sqlite-core/query-builders/query.js",
  "drizzle-orm/sqlite-core/query-builders/count.js",
  "drizzle-orm/sqlite-core/columns/blob.js",
  "drizzle-orm/sqlite-core/columns/numeric.js",
];

/** Modules that are replaced, and why the Worker does not need them. */
const REPLACED: Record<string, string> = {
  // zod's own messages: every check gives its own (`src/edge/http/fault-message.ts`).
  "zod/v4/locales/en.js": 'export default () => ({ localeError: () => "is not valid" });',
  // Lets zod parse values that refer to themselves: those that come as JSON or in a query cannot.
  "zod/v4/core/memoizer.js": `
    export class $ZodCyclicError extends Error {}
    export const isRecursiveSchema = () => false;
    export const isBackEdge = () => false;
    export const memoizer = () => undefined;`,
  // Makes names of columns from those of properties: the tables name their columns as they are.
  "drizzle-orm/casing.js": `
    export const toSnakeCase = (name) => name;
    export const toCamelCase = (name) => name;
    export class CasingCache { getColumnCasing({ name }) { return name; } clearCache() {} }`,
  // Of Postgres: Drizzle's SQL asks of each value whether it is such an enum, which brings all columns of Postgres.
  "drizzle-orm/pg-core/columns/enum.js": "export const isPgEnum = () => false;",
};

/** Parts of modules that are cut out, and what stands there instead. */
const CUTS: [end: string, part: RegExp, instead: string][] = [
  // The method that writes relational queries, the last one of its class.
  ["drizzle-orm/sqlite-core/dialect.js", /^ {2}buildRelationalQuery\(\{[\s\S]*?(?=^\}$)/m, ""],
  // `z.string().email()` and its like, for which zod has `z.email()`: each brings a format and its pattern.
  [
    "zod/v4/classic/schemas.js",
    /(?<=^ {4}_ZodString\.init\(inst, def\);\n\}), \{\n {4}email[\s\S]*?^\}(?=\);$)/m,
    "",
  ],
  // Parses objects with code that it generates, which workerd forbids.
  [
    "zod/v4/core/schemas.js",
    /^export const \$ZodObjectJIT = [\s\S]*?^\}\);$/m,
    "export const $ZodObjectJIT = $ZodObject;",
  ],
];

/** The source of a module whose exports throw. Every schema calls `create…`, so these return functions that throw. */
const uncalled = (names: string[]): string => `
  const fail = () => { throw new Error("left out by scripts/build/packages.ts"); };
  const make = () => fail;
  ${names.map((name) => `export { ${name.startsWith("create") ? "make" : "fail"} as ${name} };`).join("\n")}`;

async function leanSource(path: string): Promise<string> {
  if (UNCALLED.some((end) => path.endsWith(end))) {
    return uncalled(Object.keys((await import(join(ROOT, path))) as object));
  }
  const replaced = Object.entries(REPLACED).find(([end]) => path.endsWith(end));
  if (replaced) return replaced[1];
  const source = readFileSync(join(ROOT, path), "utf8");
  const cut = CUTS.find(([end]) => path.endsWith(end));
  if (!cut) return source;
  const [end, part, instead] = cut;
  if (!part.test(source)) throw new Error(`${end} has changed: it lacks the part that is cut out`);
  return source.replace(part, () => instead);
}

/** The modules that the entries import, as paths from the repository's root. */
async function modules(): Promise<string[]> {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    stdin: { contents: ENTRIES.map((entry) => `export * from "${entry}";`).join("\n"), resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    logLevel: "error",
  });
  return Object.keys(metafile.inputs).filter((path) => path.startsWith(MODULES));
}

/** Copies each module to a file, so that the bundler still drops what is unused. */
async function write(): Promise<void> {
  for (const path of await modules()) {
    const target = join(OUT, path.slice(MODULES.length));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, await leanSource(path));
  }
  writeFileSync(MARK, JSON.stringify({ type: "module", sideEffects: false }));
}

function isStale(): boolean {
  if (!existsSync(MARK)) return true;
  const sources = [fileURLToPath(import.meta.url), join(ROOT, "package-lock.json")];
  return Math.max(...sources.map((file) => statSync(file).mtimeMs)) > statSync(MARK).mtimeMs;
}

if (isStale()) await write();
