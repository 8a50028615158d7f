/**
 * The cached-variant redirect against a bare Hono route, both in one workerd without a dev proxy between:
 * requests a second, and D1 queries a hit, cold and warm.
 */
import { buildSync } from "esbuild";
import { readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { Miniflare, type WorkerOptions } from "miniflare";
import { bundle } from "./bundles.ts";
import { median, table } from "./figures.ts";

const ROUNDS = 7;
const REQUESTS_A_ROUND = 6000;
const CONNECTIONS = 32;
const DATE = "2026-11-01";

const BARE = `import { Hono } from "hono";
const app = new Hono();
app.get("/api/v1/:spaceName/pictures/:mediaId", (c) => c.body(null, 302, { Location: "https://example.com/" + c.req.param("mediaId") }));
export default app;`;

const STUB_BUILDER = `import { DurableObject } from "cloudflare:workers";
export class BuildRoom extends DurableObject {}
export default { fetch: () => new Response(null, { status: 404 }) };`;

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const FACTS = {
  format: "jpeg", width: 4000, height: 3000, codedWidth: 4000, codedHeight: 3000, orientation: 1, frames: 1,
  animated: false, hasAlpha: false, bitDepth: 8, colour: "rgb", profile: "none", process: "baseline",
  unsupported: null, components: 3, sampling: [2, 2], scans: 1,
};

function workers(edgeDir: string): WorkerOptions[] {
  const bare = buildSync({ stdin: { contents: BARE, resolveDir: process.cwd() }, bundle: true, format: "esm", write: false });
  const edge = readFileSync(join(edgeDir, "index.js"), "utf8");
  return [
    {
      name: "edge",
      modules: [{ type: "ESModule", path: "index.js", contents: edge }],
      compatibilityDate: DATE,
      d1Databases: ["DB"],
      r2Buckets: ["BUCKET"],
      durableObjects: {
        SPACE_QUEUE: { className: "SpaceQueue", useSQLite: true },
        BUILD_ROOM: { className: "BuildRoom", scriptName: "builder", useSQLite: true },
      },
      ratelimits: { IMAGE_FLOOD: { simple: { limit: 100_000_000, period: 60 } } },
      bindings: { ROOT_TOKEN: "bench", VERSION: "bench" },
      routes: ["edge.test/*"],
    },
    { name: "bare", modules: [{ type: "ESModule", path: "b.js", contents: bare.outputFiles[0]?.text ?? "" }], compatibilityDate: DATE, routes: ["bare.test/*"] },
    {
      name: "builder",
      modules: [{ type: "ESModule", path: "s.js", contents: STUB_BUILDER }],
      compatibilityDate: DATE,
      durableObjects: { BUILD_ROOM: { className: "BuildRoom", useSQLite: true } },
    },
  ];
}

async function prepare(mf: Miniflare): Promise<void> {
  const db = await mf.getD1Database("DB", "edge");
  for (const file of ["0000_start.sql"]) {
    const text = readFileSync(join("schema/migrations", file), "utf8");
    for (const statement of text.split("--> statement-breakpoint")) await db.prepare(statement).run();
  }
  await db.batch([
    db.prepare("INSERT INTO spaces (id, name, trash_retention_days, created_at) VALUES (?, 'bench', 30, 0)").bind(ID),
    db.prepare("INSERT INTO space_names VALUES ('bench', ?)").bind(ID),
    db.prepare("INSERT INTO media (id, space_id, filename, master_version, last_version, created_at, updated_at) VALUES (?1, ?1, 'x', 1, 1, 0, 0)").bind(ID),
    db.prepare("INSERT INTO masters (media_id, version, space_id, file, size_bytes, sha256, facts, created_at) VALUES (?1, 1, ?1, 'master.jpg', 1, '', ?2, 0)").bind(ID, JSON.stringify(FACTS)),
    db.prepare("INSERT INTO variants VALUES (?1, 1, 'w1000-q80-e1.webp', ?1, 1, 1, 0, 9e15)").bind(ID),
  ]);
}

/** One request; its status and headers. */
function get(agent: Agent, url: URL, host: string): Promise<{ status: number; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host, Accept: "image/webp,*/*", "CF-Connecting-IP": "203.0.113.1" };
    request(url, { agent, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    })
      .on("error", reject)
      .end();
  });
}

/** Requests a second, over some connections that are kept. @throws Error for any answer but 302 */
async function rate(agent: Agent, url: URL, host: string): Promise<number> {
  let left = REQUESTS_A_ROUND;
  const started = performance.now();
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const { status } = await get(agent, url, host);
      if (status !== 302) throw new Error(`${host} answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return REQUESTS_A_ROUND / ((performance.now() - started) / 1000);
}

export async function benchRedirects(): Promise<void> {
  const edgeDir = bundle("wrangler.toml");
  const mf = new Miniflare({ workers: workers(edgeDir) });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const base = await mf.ready;
    await prepare(mf);
    const url = new URL(`/api/v1/bench/pictures/${ID}?w=1000&auto=format`, base);
    const first = await get(agent, url, "edge.test");
    if (first.headers["x-service-transform"] !== "hit") throw new Error(`not a hit: ${JSON.stringify(first)}`);
    const hits: number[] = [];
    const bare: number[] = [];
    await rate(agent, url, "bare.test");
    for (let round = 0; round < ROUNDS; round++) {
      hits.push(await rate(agent, url, "edge.test"));
      bare.push(await rate(agent, url, "bare.test"));
    }
    table([
      ["route", "requests a second, median", "ratio"],
      ["bare Hono route", median(bare).toFixed(0), "1"],
      ["cached-variant redirect", median(hits).toFixed(0), median(hits.map((hit, i) => hit / (bare[i] ?? NaN))).toFixed(2)],
    ]);
  } finally {
    agent.destroy();
    await mf.dispose();
    rmSync(edgeDir, { recursive: true, force: true });
  }
}
