/**
 * Runs the deployed bundle of the edge Worker in a separate workerd, without wrangler's proxy. D1, R2 and the queue are
 * real, and the builder is a stub. The same workerd runs a bare Hono route for comparison.
 */
import { buildSync } from "esbuild";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { variantFile } from "../../../src/image/model/variant.ts";
import { jpegFacts } from "../../samples/facts.ts";
import { bundle } from "./bundles.ts";
import { descendants } from "../../harness/processes.ts";

const SECRET = "secret-of-the-bench-of-redirects-01";
const EDGE = "edge";
const LOOPBACK = "loopback";
const BARE = "bare";
const COUNTING = "counting";
const MIGRATIONS = "schema/migrations";
const MEDIA_ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const BARE_SOURCE = `import { Hono } from "hono";
const app = new Hono();
app.get("/api/v1/:spaceName/pictures/:mediaId", (c) =>
  c.body(null, 302, { Location: "https://example.com/" + c.req.param("mediaId") }));
export default app;`;

const BUILDER_SOURCE = `import { DurableObject } from "cloudflare:workers";
export class BuildRoom extends DurableObject {}
export default { fetch: () => new Response(null, { status: 404 }) };`;

/**
 * The edge Worker without two costs that it has on this machine alone: printed log lines, and Miniflare's rate limit, an
 * object that is called over HTTP. Deployed, a rate limit is a counter in memory on the same machine.
 */
const DEPLOYED_SOURCE = `import edge from "./index.js";
export * from "./index.js";
console.log = () => {};
const open = { limit: async () => ({ success: true }) };
const floods = { IMAGE_FLOOD: open, FILE_FLOOD: open, DIRECT_FLOOD: open };
let bound;
export default {
  fetch: (request, env, context) => edge.fetch(request, (bound ??= { ...env, ...floods }), context),
};`;

const NO_CEILING = { simple: { limit: 1e9, period: 60 as const } };

/** The edge Worker with its D1 binding wrapped to count round trips. The count goes into a header. */
const COUNTING_SOURCE = `import edge from "./index.js";
export * from "./index.js";
console.log = () => {};
const counted = (target, runs, count) => new Proxy(target, {
  get(inner, name) {
    const value = inner[name];
    if (typeof value !== "function") return value;
    return (...given) => {
      if (runs.includes(name)) count.queries += 1;
      const answer = value.apply(inner, given.map((one) => one?.unwrapped ?? one));
      if (!["prepare", "bind", "withSession"].includes(name)) return answer;
      if (name === "withSession") return counted(answer, runs, count);
      return Object.assign(counted(answer, ["all", "first", "run", "raw"], count), { unwrapped: answer });
    };
  },
});
export default {
  async fetch(request, env, context) {
    const count = { queries: 0 };
    const answer = await edge.fetch(request, { ...env, DB: counted(env.DB, ["batch", "exec"], count) }, context);
    const headers = new Headers(answer.headers);
    headers.set("X-D1-Queries", String(count.queries));
    return new Response(answer.body, { status: answer.status, headers });
  },
};`;

export interface EdgeWorker {
  /** A cached hit of the image endpoint, answered in place. */
  hit: URL;
  /** The same hit through the entrypoint `Cached`. It runs each time, because no cache stands before it here. */
  loopback: URL;
  /** The same path on the bare Hono route. */
  bare: URL;
  /** The same hit on a Worker whose D1 round trips are counted in `X-D1-Queries`. */
  counting: URL;
  /** The workerd process that runs all of these Workers. */
  pid: number;
  stop(): Promise<void>;
}

const direct = { unsafeDirectSockets: [{ port: 0 }], stripCfConnectingIp: false };
const module = (path: string, contents: string) => ({ type: "ESModule" as const, path, contents });

/** Returns the bundle that wrangler wrote. */
const modulesOf = (dir: string) =>
  readdirSync(dir)
    .filter((file) => file.endsWith(".js"))
    .map((file) => module(file, readFileSync(join(dir, file), "utf8")));

function workersOf(edgeDir: string): V4WorkerOptions[] {
  const workerOptions: Partial<V4WorkerOptions> = {
    ...unstable_getMiniflareWorkerOptions("wrangler.toml").workerOptions,
  };
  // Miniflare calls three Workers before one with static files. Deployed, `run_worker_first` calls none.
  delete workerOptions.assets;
  // A queue has one consumer, and no redirect sends to one.
  delete workerOptions.queueConsumers;
  const edge = modulesOf(edgeDir);
  const stdin = { contents: BARE_SOURCE, resolveDir: process.cwd() };
  const bare = buildSync({ stdin, bundle: true, format: "esm", minify: true, write: false });
  const compatibilityDate = workerOptions.compatibilityDate as string;
  const bound = {
    ...workerOptions,
    ...direct,
    ratelimits: Object.fromEntries(
      ["IMAGE_FLOOD", "FILE_FLOOD", "DIRECT_FLOOD"].map((name, n) => [
        name,
        { ...NO_CEILING, namespace_id: String(n) },
      ]),
    ),
    bindings: {
      ...(workerOptions.bindings as object),
      ...{ ROOT_TOKEN: SECRET, CURSOR_SECRET: SECRET, EDGE_CACHE: "off", ASSETS: "none" },
    },
  };
  const loopback = { ...bound.bindings, EDGE_CACHE: "on" };
  return [
    {
      ...bound,
      name: EDGE,
      modules: [module("deployed.js", DEPLOYED_SOURCE), ...edge],
    },
    {
      ...bound,
      name: LOOPBACK,
      bindings: loopback,
      modules: [module("deployed.js", DEPLOYED_SOURCE), ...edge],
    },
    {
      ...bound,
      name: COUNTING,
      modules: [module("counting.js", COUNTING_SOURCE), ...edge],
    },
    {
      ...direct,
      compatibilityDate,
      name: BARE,
      modules: [module("bare.js", bare.outputFiles[0]?.text ?? "")],
    },
    {
      compatibilityDate,
      name: "silverprint-builder",
      modules: [module("builder.js", BUILDER_SOURCE)],
      durableObjects: { BUILD_ROOM: { className: "BuildRoom", useSQLite: true } },
    },
  ];
}

/** Makes a space with one picture of 12 megapixels and one variant of it. */
async function fill(db: Awaited<ReturnType<Miniflare["getD1Database"]>>): Promise<void> {
  for (const file of readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort()) {
    const statements = readFileSync(join(MIGRATIONS, file), "utf8").split("--> statement-breakpoint");
    for (const statement of statements) await db.prepare(statement).run();
  }
  const insert = (into: string, row: Record<string, string | number>) =>
    db
      .prepare(
        `INSERT INTO ${into} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
          .map(() => "?")
          .join()})`,
      )
      .bind(...Object.values(row));
  const id = MEDIA_ID;
  const spec = { width: 1000, format: "webp", quality: 80 } as const;
  await db.batch([
    insert("spaces", { id, name: "bench", trash_retention_days: 30, created_at: 0 }),
    insert("space_names", { name: "bench", space_id: id }),
    insert("media", {
      id,
      space_id: id,
      filename: "photo.jpg",
      master_version: 1,
      last_version: 1,
      created_at: 0,
      updated_at: 0,
    }),
    insert("masters", {
      media_id: id,
      version: 1,
      space_id: id,
      file: "master.jpg",
      size_bytes: 4e6,
      sha256: "",
      facts: JSON.stringify(jpegFacts(4000, 3000)),
      created_at: 0,
    }),
    insert("variants", {
      media_id: id,
      version: 1,
      file: variantFile(spec),
      space_id: id,
      encoder_version: 1,
      size_bytes: 1,
      created_at: 0,
      expires_at: 9e15,
    }),
  ]);
}

export async function startEdgeWorker(): Promise<EdgeWorker> {
  const edgeDir = bundle("wrangler.toml");
  const mf = new Miniflare(convertV4MiniflareOptions({ workers: workersOf(edgeDir) }));
  rmSync(edgeDir, { recursive: true, force: true });
  await mf.ready;
  await fill(await mf.getD1Database("DB", EDGE));
  const path = `/api/v1/bench/pictures/${MEDIA_ID}?w=1000&auto=format`;
  const at = async (name: string): Promise<URL> => new URL(path, await mf.unsafeGetDirectURL(name));
  const [pid] = descendants(process.pid, "workerd");
  if (pid === undefined) throw new Error("workerd is not running");
  return {
    hit: await at(EDGE),
    loopback: await at(LOOPBACK),
    bare: await at(BARE),
    counting: await at(COUNTING),
    pid,
    stop: () => mf.dispose(),
  };
}
