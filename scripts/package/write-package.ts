/** The publishable package: its entry points, built JavaScript, declarations and manifest. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import * as limits from "../../src/limits.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The entry points that users import as `silverprint/NAME`, and their sources. */
const ENTRIES = {
  client: "src/client/index.ts",
  html: "src/client/html.ts",
  next: "src/client/next.ts",
  nuxt: "src/client/nuxt.ts",
  astro: "src/client/astro.ts",
  unpic: "src/client/unpic.ts",
  config: "src/command/config/index.ts",
} as const;

/** The program, in a folder of its own. Node alone runs it, so it is built for Node. */
const PROGRAM = {
  name: "silverprint",
  source: "src/command/index.ts",
  folder: "command",
  /** Modules that Node loads by their address. */
  beside: { "typescript-hooks": "src/command/config/typescript-hooks.ts" },
} as const;

/** A `require` for the packages in the program that are no modules. Names that are minified are shorter than these. */
const REQUIRE =
  'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);';

/** Packages that the built code imports. Every other package is bundled into it. */
const DEPENDENCIES = ["openapi-fetch"] as const;

/** Frameworks whose types the declarations of the loaders import. A user needs at most one of them. */
const FRAMEWORKS = ["next", "@nuxt/image", "astro", "unpic"] as const;

/** The oldest Node with everything that the code uses: `fetch`, `Request`, async generators, private fields. */
const NODE_MIN = ">=20";
const TARGET = "es2022";

const DESCRIPTION =
  "Responsive, cropped, blurred-up pictures from Silverprint in HTML, Next, Nuxt, Astro and Unpic; and its typed client.";

interface Manifest {
  version: string;
  license: string;
  dependencies: Record<string, string>;
}

/** Writes the package into `folder`, which is emptied first. @throws Error with the compiler's output */
export async function writePackage(folder: string): Promise<{ files: string[] }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await writeCode(folder);
  const bundled = await writeProgram(folder);
  writeDeclarations(folder);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(ROOT, "src/client/README.md"), join(folder, "README.md"));
  writeFileSync(join(folder, "LICENSE"), readFileSync(join(ROOT, "LICENSE"), "utf8") + BUNDLED_LICENCES);
  writeFileSync(join(folder, PROGRAM.folder, "LICENSES"), licencesOf(bundled));
  return { files: readdirSync(folder, { recursive: true }).map(String).sort() };
}

/**
 * Replaces each limit by its value. esbuild keeps a product even if nothing uses it, because it may have side effects.
 */
const limitsAsNumbers: Plugin = {
  name: "limits-as-numbers",
  setup(build) {
    build.onLoad({ filter: /\/src\/limits\.ts$/ }, () => {
      const constants = Object.entries(limits).filter(([, value]) => typeof value !== "function");
      const lines = constants.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
      return { contents: lines.join("\n"), loader: "js" };
    });
  },
};

async function writeCode(folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: { ...ENTRIES },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: TARGET,
    plugins: [limitsAsNumbers],
    external: [...DEPENDENCIES],
    chunkNames: "shared/[hash]",
  });
}

/**
 * Writes the program, with every package that it uses. @returns the folders of the packages that were bundled
 */
export async function writeProgram(folder: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { [PROGRAM.name]: PROGRAM.source, ...PROGRAM.beside },
    outdir: join(folder, PROGRAM.folder),
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    banner: { js: REQUIRE },
    // Beside the program, so that each finds what it loads by its address.
    chunkNames: "[name]-[hash]",
    plugins: [limitsAsNumbers],
    legalComments: "none",
    metafile: true,
  });
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  return [...new Set(packages)].sort();
}

/** Returns the licence that a package without the text of one states. @throws Error if it states none */
function statedLicence(path: string): string {
  const { license, author } = JSON.parse(readFileSync(join(ROOT, path, "package.json"), "utf8")) as {
    license?: string;
    author?: string | { name: string };
  };
  if (license === undefined || author === undefined) {
    throw new Error(`${path} has no licence that could be passed on.`);
  }
  return `${license}. Copyright ${typeof author === "string" ? author : author.name}`;
}

/** Returns the licences of bundled packages. @throws Error if one has none */
function licencesOf(packages: readonly string[]): string {
  const texts = packages.map((path) => {
    const file = readdirSync(join(ROOT, path)).find((name) => /^licen[cs]e/i.test(name));
    const text =
      file === undefined ? statedLicence(path) : readFileSync(join(ROOT, path, file), "utf8").trim();
    return `${path.replace(/^.*node_modules\//, "")}\n\n${text}\n`;
  });
  return `The program contains these packages:\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** Writes the declarations that the entry points need, as `tsc` emits them. Other declarations are left out. */
function writeDeclarations(folder: string): void {
  const all = mkdtempSync(join(tmpdir(), "silverprint-types-"));
  try {
    const args = ["-p", join(ROOT, "scripts/package/tsconfig.json"), "--outDir", all];
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const run = spawnSync(process.execPath, [tsc, ...args], { encoding: "utf8" });
    if (run.status !== 0) throw new Error(`tsc failed:\n${run.stdout}${run.stderr}`);
    const found = new Map<string, string>();
    for (const source of Object.values(ENTRIES)) {
      collectDeclarations(join(all, source.replace("src/", "").replace(/\.ts$/, ".d.ts")), found);
    }
    for (const [path, text] of found) {
      const target = join(folder, "types", relative(all, path));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

const LOCAL_IMPORT = /((?:from |import\()"(\.[^"]*))\.ts"/g;

/** Collects a declaration file and all that it imports. Their imports are renamed to the JavaScript files. */
function collectDeclarations(path: string, found: Map<string, string>): void {
  if (found.has(path)) return;
  const text = readFileSync(path, "utf8");
  found.set(path, text.replaceAll(LOCAL_IMPORT, '$1.js"'));
  for (const [, , imported] of text.matchAll(LOCAL_IMPORT)) {
    collectDeclarations(resolve(dirname(path), `${imported}.d.ts`), found);
  }
}

function manifest(): object {
  const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  const { version, license, dependencies } = own;
  const declarationOf = (source: string): string =>
    source.replace("src/", "./types/").replace(/\.ts$/, ".d.ts");
  const anyOf = <T>(value: T): Record<string, T> =>
    Object.fromEntries(FRAMEWORKS.map((name) => [name, value]));
  return {
    name: "silverprint",
    version,
    description: DESCRIPTION,
    license,
    type: "module",
    sideEffects: false,
    bin: { [PROGRAM.name]: `./${PROGRAM.folder}/${PROGRAM.name}.js` },
    engines: { node: NODE_MIN },
    exports: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, source]) => [
        `./${name}`,
        { types: declarationOf(source), default: `./${name}.js` },
      ]),
    ),
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, `^${dependencies[name] ?? "0"}`])),
    // Package managers that isolate packages let the declarations import only what is listed, so these are optional.
    peerDependencies: anyOf("*"),
    peerDependenciesMeta: anyOf({ optional: true }),
  };
}

/** The licences of packages whose code is bundled. */
const BUNDLED_LICENCES = `
This package contains ThumbHash (https://github.com/evanw/thumbhash), Copyright (c) 2023 Evan Wallace, under the same
licence.
`;
