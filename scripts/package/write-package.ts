/** The publishable package: its entry points, built JavaScript, declarations and manifest. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What can be imported, `silverprint/NAME`, and the source of each. */
const ENTRIES = { client: "src/client/index.ts" } as const;

/** Packages that the built code imports. Everything else is part of it. */
const DEPENDENCIES = ["openapi-fetch"] as const;

/** The oldest that has what the code uses: `fetch`, `Request`, async generators, private fields. */
const NODE_MIN = ">=20";
const TARGET = "es2022";

interface Manifest {
  version: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
}

/** Writes the package into `folder`, which is emptied first. @throws Error with the compiler's words */
export async function writePackage(folder: string): Promise<{ files: string[] }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await writeCode(folder);
  writeDeclarations(folder);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  writeFileSync(join(folder, "README.md"), README);
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  return { files: readdirSync(folder, { recursive: true }).map(String).sort() };
}

async function writeCode(folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: { ...ENTRIES },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: TARGET,
    external: [...DEPENDENCIES],
    chunkNames: "shared/[hash]",
  });
}

/** Types as `tsc` emits them, which import each other by the name of the JavaScript file. */
function writeDeclarations(folder: string): void {
  const types = join(folder, "types");
  const args = ["-p", join(ROOT, "scripts/package/tsconfig.json"), "--outDir", types];
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const run = spawnSync(process.execPath, [tsc, ...args], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`tsc failed:\n${run.stdout}${run.stderr}`);
  for (const name of readdirSync(types)) {
    const path = join(types, name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
}

function manifest(): object {
  const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  const { version, description, license, dependencies } = own;
  const declarationOf = (source: string): string =>
    source.replace("src/client/", "./types/").replace(/\.ts$/, ".d.ts");
  return {
    name: "silverprint",
    version,
    description,
    license,
    type: "module",
    sideEffects: false,
    engines: { node: NODE_MIN },
    exports: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, source]) => [
        `./${name}`,
        { types: declarationOf(source), default: `./${name}.js` },
      ]),
    ),
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, `^${dependencies[name] ?? "0"}`])),
  };
}

const README = `# silverprint

The typed client of [Silverprint](https://www.npmjs.com/package/silverprint), a headless content API and image delivery
service on Cloudflare Workers.

\`\`\`ts
import { createClient } from "silverprint/client";

const client = createClient({ baseUrl: "https://content.example.com", space: "my-site", key: process.env.KEY });
const { data } = await client.collection("articles").list({ sort: ["-createdAt"], populate: ["cover"] });
\`\`\`

\`npm run types -- --space my-site --out my-site.ts\` in a checkout of the service writes the types of a space's models:
\`createClient<import("./my-site.ts").Space>(…)\`.
`;
