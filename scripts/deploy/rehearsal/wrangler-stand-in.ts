/**
 * Makes the calls that wrangler makes for a deploy, in a fraction of its time, so that a failure of each can be tried.
 * `three-deploys.test.ts` holds the calls to those of wrangler itself.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { WranglerConfig } from "../deployment.ts";
import type { RunWrangler } from "../wrangler.ts";

const MIGRATIONS = "schema/migrations";
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "d1_migrations"(id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);`;

interface Options {
  baseUrl: string;
  accountId: string;
  configOf: (worker: "edge" | "builder") => WranglerConfig;
}

interface Migration {
  tag: string;
  new_sqlite_classes: string[];
}

/** The metadata of an upload, as far as the account checks it. */
function metadataOf(config: WranglerConfig, isKnown: boolean, assetsToken: string | null): unknown {
  const objects = config.durable_objects?.bindings ?? [];
  const databases = config.d1_databases ?? [];
  const migrations = config["migrations"] as Migration[];
  const steps = migrations.map(({ new_sqlite_classes }) => ({ new_sqlite_classes }));
  return {
    bindings: [
      ...objects.map(({ name, ...rest }) => ({ type: "durable_object_namespace", name, ...rest })),
      ...databases.map(({ binding, database_id }) => ({ type: "d1", name: binding, id: database_id })),
      ...(config.r2_buckets ?? []).map(({ binding, bucket_name }) => ({
        type: "r2_bucket",
        name: binding,
        bucket_name,
      })),
      ...(assetsToken === null ? [] : [{ type: "assets", name: config.assets?.binding }]),
    ],
    ...(assetsToken !== null && { assets: { jwt: assetsToken } }),
    keep_bindings: ["secret_text", "secret_key"],
    ...(!isKnown && { migrations: { new_tag: migrations.map(({ tag }) => tag).pop(), steps } }),
  };
}

/** As wrangler's `fetchResult`, with its rule that some failures do not matter. */
class Calls {
  readonly #base: string;

  constructor({ baseUrl, accountId }: Options) {
    this.#base = `${baseUrl}/accounts/${accountId}`;
  }

  async send(method: string, path: string, body?: unknown): Promise<unknown> {
    const form = body instanceof FormData ? body : JSON.stringify(body);
    const response = await fetch(`${this.#base}${path}`, {
      method,
      ...(body !== undefined && { body: form }),
    });
    const { result } = (await response.json()) as { result: unknown };
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return result;
  }

  /** Null when Cloudflare says that it is not there. */
  async find(path: string): Promise<unknown> {
    const response = await fetch(`${this.#base}${path}`);
    const { result, errors } = (await response.json()) as { result: unknown; errors: { code: number }[] };
    if (response.ok) return result;
    if (response.status === 404 && [10007, 10090, 10006].includes(errors[0]?.code ?? 0)) return null;
    throw new Error(`GET ${path} answered ${response.status}`);
  }

  async ignoringFailure(call: Promise<unknown>): Promise<void> {
    await call.catch(() => undefined);
  }
}

/** Sends the files that the account lacks. The token by which the Worker's upload names them all. */
async function sendAssets(calls: Calls, path: string, worker: "edge" | "builder"): Promise<string> {
  const hash = (worker === "edge" ? "0" : "1").repeat(32);
  const manifest = { "/a-file": { hash, size: 1 } };
  const { jwt, buckets } = (await calls.send("POST", `${path}/assets-upload-session`, { manifest })) as {
    jwt: string;
    buckets: string[][];
  };
  if (buckets.length === 0) return jwt;
  const form = new FormData();
  for (const hash of buckets.flat()) form.set(hash, "");
  return ((await calls.send("POST", "/workers/assets/upload", form)) as { jwt: string }).jwt;
}

async function deploy(calls: Calls, worker: "edge" | "builder", config: WranglerConfig): Promise<string[]> {
  const path = `/workers/scripts/${config.name}`;
  const service = await calls.find(`/workers/services/${config.name}`);
  await calls.ignoringFailure(calls.find(`${path}/secrets`));
  const isEdge = worker === "edge";
  if (isEdge && service === null) await calls.find("/workers/subdomain");
  await calls.find(`${path}/deployments`);
  await calls.find(`/workers/services/${config.name}`);
  const known = await calls.find(`${path}/settings`);
  if (isEdge && known === null) await calls.find(`/r2/buckets/${config.r2_buckets?.[0]?.bucket_name}`);
  const assetsToken = config.assets ? await sendAssets(calls, path, worker) : null;
  const form = new FormData();
  form.set("metadata", JSON.stringify(metadataOf(config, service !== null, assetsToken)));
  if (service === null) {
    await calls.send("PUT", path, form);
  } else {
    const { id } = (await calls.send("POST", `${path}/versions`, form)) as { id: string };
    await calls.send("POST", `${path}/deployments`, { versions: [{ version_id: id, percentage: 100 }] });
    await calls.ignoringFailure(calls.send("PATCH", `${path}/script-settings`, {}));
  }
  const { subdomain } = (await calls.send("GET", `/workers/workers/${config.name}`)) as {
    subdomain: { url?: string };
  };
  await calls.send("POST", `${path}/subdomain`, { enabled: isEdge });
  if (isEdge) await calls.send("PUT", `${path}/schedules`, [{ cron: "* * * * *" }]);
  return isEdge && subdomain.url !== undefined ? [subdomain.url] : [];
}

async function migrate(calls: Calls, config: WranglerConfig): Promise<string> {
  const path = `/d1/database/${config.d1_databases?.[0]?.database_id}/query`;
  const query = async (sql: string): Promise<{ name: string }[]> => {
    const [first] = (await calls.send("POST", path, { sql })) as { results: { name: string }[] }[];
    return first?.results ?? [];
  };
  await query(MIGRATIONS_TABLE);
  const applied = (await query('SELECT * FROM "d1_migrations" ORDER BY id')).map(({ name }) => name);
  const all = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  const due = all.filter((name) => !applied.includes(name)).sort();
  for (const name of due) {
    await query(
      `${readFileSync(`${MIGRATIONS}/${name}`, "utf8")}\nINSERT INTO "d1_migrations" (name) values ('${name}');`,
    );
  }
  return due.length === 0 ? "No migrations to apply!" : "";
}

export function newStandIn(options: Options): RunWrangler {
  const calls = new Calls(options);
  return async (worker, [command], input) => {
    const config = options.configOf(worker);
    if (command === "deploy") return { output: "", addresses: await deploy(calls, worker, config) };
    if (command === "d1") return { output: await migrate(calls, config), addresses: [] };
    await calls.send("PUT", `/workers/scripts/${config.name}/secrets`, { name: "ROOT_TOKEN", text: input });
    return { output: "", addresses: [] };
  };
}
