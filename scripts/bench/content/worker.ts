/**
 * The edge Worker in a workerd of its own for the bench of the content API, and beside it a bare Worker that runs one D1
 * query by primary key.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { bundle } from "../edge/bundles.ts";
import type { BenchDatabase } from "./data.ts";

export const TOKEN = "root-of-the-bench-of-the-content-api";
const MIGRATIONS = "schema/migrations";

/** The edge Worker without printed log lines; on demand, D1's rows read are counted into a header. */
const EDGE_SOURCE = `import edge from "./index.js";
export * from "./index.js";
console.log = () => {};
const INNER = Symbol("inner");
const counted = (target, total) => new Proxy(target, {
  get(inner, name) {
    if (name === INNER) return inner;
    const value = inner[name];
    if (typeof value !== "function") return value;
    if (name === "bind") return (...given) => counted(value.apply(inner, given), total);
    return async (...given) => {
      // The other ways to run a statement do not say what was read: asked once more, for the figure.
      const { meta } = await inner.all();
      total.rows += meta.rows_read;
      total.queries += 1;
      return value.apply(inner, given);
    };
  },
});
export default {
  async fetch(request, env, context) {
    if (!request.headers.has("X-Count")) return edge.fetch(request, env, context);
    const total = { rows: 0, queries: 0 };
    const DB = {
      prepare: (query) => counted(env.DB.prepare(query), total),
      async batch(statements) {
        const results = await env.DB.batch(statements.map((one) => one[INNER] ?? one));
        for (const { meta } of results) total.rows += meta.rows_read;
        total.queries += 1;
        return results;
      },
    };
    const answer = await edge.fetch(request, { ...env, DB }, context);
    const headers = new Headers(answer.headers);
    headers.set("X-Rows", String(total.rows));
    headers.set("X-Queries", String(total.queries));
    return new Response(answer.body, { status: answer.status, headers });
  },
};`;

const BARE_SOURCE = `export default {
  async fetch(request, env) {
    const id = new URL(request.url).searchParams.get("id");
    return Response.json(await env.DB.prepare("SELECT * FROM records WHERE seq = ?").bind(Number(id)).first());
  },
};`;

const BUILDER_SOURCE = `import { DurableObject } from "cloudflare:workers";
export class BuildRoom extends DurableObject {}
export default { fetch: () => new Response(null, { status: 404 }) };`;

const module = (path: string, contents: string) => ({ type: "ESModule" as const, path, contents });
const direct = { unsafeDirectSockets: [{ port: 0 }] };

/** Returns the files of a bundle: the script, and the texts that it imports. */
const modulesIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => !file.endsWith(".map") && file !== "README.md")
    .map((file) => ({
      type: file.endsWith(".js") ? ("ESModule" as const) : ("Text" as const),
      path: file,
      contents: readFileSync(join(folder, file), "utf8"),
    }));

function workers(edge: ReturnType<typeof modulesIn>): V4WorkerOptions[] {
  // Miniflare calls three Workers before one with static files. Deployed, `run_worker_first` calls none.
  const options: Partial<V4WorkerOptions> = {
    ...unstable_getMiniflareWorkerOptions("wrangler.toml").workerOptions,
  };
  delete options.assets;
  const compatibilityDate = options.compatibilityDate as string;
  const bindings = {
    ...(options.bindings as object),
    ROOT_TOKEN: TOKEN,
    CURSOR_SECRET: TOKEN,
    ASSETS: "none",
  };
  const d1 = options.d1Databases ? { d1Databases: options.d1Databases } : {};
  return [
    {
      ...options,
      ...direct,
      bindings,
      name: "edge",
      modules: [module("edge.js", EDGE_SOURCE), ...edge],
    },
    { ...direct, ...d1, compatibilityDate, name: "bare", modules: [module("bare.js", BARE_SOURCE)] },
    {
      compatibilityDate,
      name: "silverprint-builder",
      modules: [module("builder.js", BUILDER_SOURCE)],
      durableObjects: { BUILD_ROOM: { className: "BuildRoom", useSQLite: true } },
    },
  ];
}

/** Returns the names of the migrations, in order. */
export const migrationFiles = (): string[] =>
  readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort();

export interface Service {
  edge: URL;
  bare: URL;
  db: BenchDatabase;
  stop(): Promise<void>;
}

/**
 * Starts both Workers, without `kept` on an empty database.
 * @param kept a folder for the data, which the next run with it finds, and the last migration that these have had
 */
export async function start(kept?: { folder: string; after: string }): Promise<Service> {
  const folder = bundle("wrangler.toml");
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      workers: workers(modulesIn(folder)),
      ...(kept && { resourcePersistencePath: kept.folder }),
    }),
  );
  rmSync(folder, { recursive: true, force: true });
  await mf.ready;
  const db = (await mf.getD1Database("DB", "edge")) as unknown as BenchDatabase;
  for (const file of migrationFiles().filter((name) => name > (kept?.after ?? ""))) {
    for (const statement of readFileSync(join(MIGRATIONS, file), "utf8").split("--> statement-breakpoint")) {
      await db.prepare(statement).run();
    }
  }
  const [edge, bare] = [await mf.unsafeGetDirectURL("edge"), await mf.unsafeGetDirectURL("bare")];
  return { edge, bare, db, stop: () => mf.dispose() };
}
