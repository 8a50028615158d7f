/** Sizes of what a deploy uploads (each Worker, bundled by `wrangler deploy`), and the time that the edge takes to start. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ms, table } from "../figures.ts";
import { START_MAX_MS, startTimeMs } from "./start-time.ts";

const kb = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`;

/** The file of a bundle's folder that says which sources the script was made of, as esbuild writes it. */
const METAFILE = "bundle-meta.json";

/** Returns whether a deploy uploads a file of a bundle's folder. */
export const isUploaded = (file: string): boolean =>
  !file.endsWith(".map") && file !== "README.md" && file !== METAFILE;

/** Bundles a Worker into a new folder. @throws Error with wrangler's output */
export function bundle(config: string): string {
  const out = mkdtempSync(join(tmpdir(), "silverprint-bundle-"));
  const args = ["deploy", "-c", config, "--dry-run", "--outdir", out, "--metafile", join(out, METAFILE)];
  const { status, stdout, stderr } = spawnSync("node_modules/.bin/wrangler", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stdout + stderr);
  return out;
}

interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

/** Returns a package's name, or two folders of a path of ours: `src/edge/storage`. */
function partOf(source: string): string {
  const [, inPackage] = source.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/) ?? [];
  return inPackage ?? source.split("/").slice(0, 3).join("/");
}

/** Returns the parts of a bundled script with the most bytes, the largest first, as `drizzle-orm 70 KB`. */
export function largestParts(folder: string, count: number): string[] {
  const { outputs } = JSON.parse(readFileSync(join(folder, METAFILE), "utf8")) as Metafile;
  const bytesOf = new Map<string, number>();
  for (const { inputs } of Object.values(outputs))
    for (const [source, { bytesInOutput }] of Object.entries(inputs)) {
      const part = partOf(source);
      bytesOf.set(part, (bytesOf.get(part) ?? 0) + bytesInOutput);
    }
  const largestFirst = [...bytesOf].sort(([, a], [, b]) => b - a);
  return largestFirst.slice(0, count).map(([part, bytes]) => `${part} ${kb(bytes)}`);
}

export async function benchBundles(): Promise<void> {
  let edgeStartMs = NaN;
  const edgeWasm: string[] = [];
  const rows: string[][] = [["Worker", "script", "script, gzip", "WebAssembly and data", "all, gzip"]];
  for (const [name, config] of [
    ["edge", "wrangler.toml"],
    ["builder", "src/builder/wrangler.toml"],
  ] as const) {
    const out = bundle(config);
    if (name === "edge") {
      edgeWasm.push(...readdirSync(out).filter((file) => file.endsWith(".wasm")));
      edgeStartMs = await startTimeMs(out);
    }
    let script = 0;
    let scriptGzip = 0;
    let other = 0;
    let otherGzip = 0;
    for (const file of readdirSync(out)) {
      if (!isUploaded(file)) continue;
      const bytes = readFileSync(join(out, file));
      if (file.endsWith(".js")) {
        script += bytes.length;
        scriptGzip += gzipSync(bytes).length;
      } else {
        other += bytes.length;
        otherGzip += gzipSync(bytes).length;
      }
    }
    rows.push([name, kb(script), kb(scriptGzip), kb(other), kb(scriptGzip + otherGzip)]);
    rmSync(out, { recursive: true, force: true });
  }
  table(rows);
  console.log(`\nWebAssembly in the edge: ${edgeWasm.length === 0 ? "none" : edgeWasm.join(", ")}.`);
  console.log(
    `The edge's script takes ${ms(edgeStartMs)} of processor time to start (aim: ${ms(START_MAX_MS)} at most).`,
  );
}
