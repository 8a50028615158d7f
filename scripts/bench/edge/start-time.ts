/**
 * The processor time that the edge bundle takes to start: workerd compiles it and runs its top level. A process with the
 * bundle and one with an empty Worker start in turns, and answer one request each. The difference is the bundle's.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { descendants, runMs } from "../../harness/processes.ts";
import { median } from "../figures.ts";

/** The aim, in milliseconds of processor time. Cloudflare allows a Worker 1000 ms. */
export const START_MAX_MS = 60;
const ROUNDS = 9;

const EMPTY = `export default { fetch: () => new Response("started") };`;
/** Runs the top level of the bundle, and none of its routes. */
const STARTED = `import "./index.js";
${EMPTY}`;

type Module = { type: "ESModule"; path: string; contents: string };

async function startMs(modules: Module[]): Promise<number> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions("wrangler.toml");
  const { compatibilityDate, compatibilityFlags } = workerOptions as Pick<
    V4WorkerOptions,
    "compatibilityDate" | "compatibilityFlags"
  >;
  const before = new Set(descendants(process.pid, "workerd"));
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          name: "started",
          modules,
          ...(compatibilityDate !== undefined && { compatibilityDate }),
          ...(compatibilityFlags && { compatibilityFlags }),
        },
      ],
    }),
  );
  try {
    await runtime.ready;
    await (await runtime.dispatchFetch("http://edge/")).arrayBuffer();
    const [pid] = descendants(process.pid, "workerd").filter((one) => !before.has(one));
    if (pid === undefined) throw new Error("workerd is not running");
    return runMs(pid);
  } finally {
    await runtime.dispose();
  }
}

/** Returns the processor time that the bundle in `folder` takes to start, in milliseconds: the median of some rounds. */
export async function startTimeMs(folder: string): Promise<number> {
  const module = (path: string, contents: string): Module => ({ type: "ESModule", path, contents });
  const scripts = readdirSync(folder).filter((file) => file.endsWith(".js"));
  const bundled = [
    module("started.js", STARTED),
    ...scripts.map((file) => module(file, readFileSync(join(folder, file), "utf8"))),
  ];
  const empty = [module("started.js", EMPTY)];
  const differences: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const emptyMs = await startMs(empty);
    differences.push((await startMs(bundled)) - emptyMs);
  }
  return median(differences);
}
