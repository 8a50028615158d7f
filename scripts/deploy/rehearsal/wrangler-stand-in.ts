/**
 * Makes the calls that wrangler makes for a deploy, in a fraction of its time, so that a failure of each can be tried.
 * `three-deploys.test.ts` holds the calls to those of wrangler itself.
 */
import { createHash } from "node:crypto";
import type { WranglerConfig } from "../deployment.ts";
import type { RunWrangler } from "../wrangler.ts";

interface Options {
  baseUrl: string;
  accountId: string;
  configOf: (worker: "edge" | "builder") => WranglerConfig;
}

interface Migration {
  tag: string;
  new_sqlite_classes: string[];
}

/** The migrations of Durable Objects that a Worker lacks, as an upload names them. */
interface Due {
  old_tag?: string;
  new_tag: string;
  steps: Pick<Migration, "new_sqlite_classes">[];
}

/** Returns the migrations after the Worker's tag, in one step each; null if it has them all. */
function dueMigrations(config: WranglerConfig, tag: string | null): Due | null {
  const migrations = config["migrations"] as Migration[];
  const due = migrations.slice(migrations.findIndex((migration) => migration.tag === tag) + 1);
  const last = due[due.length - 1];
  if (!last) return null;
  const steps = due.map(({ new_sqlite_classes }) => ({ new_sqlite_classes }));
  return { ...(tag !== null && { old_tag: tag }), new_tag: last.tag, steps };
}

interface Service {
  default_environment: { script: { migration_tag?: string } };
}

/** Returns the metadata of an upload, as far as the account checks it. */
function metadataOf(
  config: WranglerConfig,
  due: Due | null,
  assetsToken: string | null,
  secrets: Record<string, string>,
): unknown {
  const objects = config.durable_objects?.bindings ?? [];
  const databases = config.d1_databases ?? [];
  return {
    bindings: [
      ...objects.map(({ name, ...rest }) => ({ type: "durable_object_namespace", name, ...rest })),
      ...databases.map(({ binding, database_id }) => ({ type: "d1", name: binding, id: database_id })),
      ...(config.r2_buckets ?? []).map(({ binding, bucket_name }) => ({
        type: "r2_bucket",
        name: binding,
        bucket_name,
      })),
      ...(config.queues?.producers ?? []).map(({ binding, queue }) => ({
        type: "queue",
        name: binding,
        queue_name: queue,
      })),
      ...Object.entries(secrets).map(([name, text]) => ({ type: "secret_text", name, text })),
      ...(assetsToken === null ? [] : [{ type: "assets", name: config.assets?.binding }]),
    ],
    ...(assetsToken !== null && { assets: { jwt: assetsToken } }),
    limits: config["limits"],
    keep_bindings: ["secret_text", "secret_key"],
    ...(due && { migrations: due }),
  };
}

interface Answer {
  result: unknown;
  errors: { code: number; message: string }[];
}

/** Returns the codes of errors as wrangler prints them. */
const codesOf = (errors: Answer["errors"]): string =>
  errors.map(({ code, message }) => `\n  ${message} [code: ${code}]`).join("");

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
    const { result, errors } = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}${codesOf(errors)}`);
    return result;
  }

  /** Returns the resource, or null when Cloudflare says that there is none. */
  async find(path: string): Promise<unknown> {
    const response = await fetch(`${this.#base}${path}`);
    const { result, errors } = (await response.json()) as Answer;
    if (response.ok) return result;
    if (response.status === 404 && [10007, 10090, 10006].includes(errors[0]?.code ?? 0)) return null;
    throw new Error(`GET ${path} answered ${response.status}${codesOf(errors)}`);
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

interface Queue {
  queue_id: string;
  consumers: { consumer_id: string; script: string }[];
}

const queueNamed = async (calls: Calls, name: string): Promise<Queue> => {
  const [queue] = (await calls.send("GET", `/queues?name=${name}`)) as Queue[];
  if (!queue) throw new Error(`Queue "${name}" does not exist.`);
  return queue;
};

/** Has the Worker consume its queues. */
async function setConsumers(calls: Calls, config: WranglerConfig): Promise<void> {
  for (const { queue: name, dead_letter_queue, ...settings } of config.queues?.consumers ?? []) {
    const { consumers } = await queueNamed(calls, name);
    const { queue_id: id } = await queueNamed(calls, name);
    const body = { type: "worker", dead_letter_queue, script_name: config.name, settings };
    const own = consumers.find(({ script }) => script === config.name);
    if (own) await calls.send("PUT", `/queues/${id}/consumers/${own.consumer_id}`, body);
    else await calls.send("POST", `/queues/${id}/consumers`, body);
  }
}

async function deploy(
  calls: Calls,
  worker: "edge" | "builder",
  config: WranglerConfig,
  secrets: Record<string, string>,
): Promise<string[]> {
  const path = `/workers/scripts/${config.name}`;
  const service = (await calls.find(`/workers/services/${config.name}`)) as Service | null;
  const due = dueMigrations(config, service?.default_environment.script.migration_tag ?? null);
  await calls.ignoringFailure(calls.find(`${path}/secrets`));
  const isEdge = worker === "edge";
  if (isEdge && service === null) await calls.find("/workers/subdomain");
  await calls.find(`${path}/deployments`);
  await calls.find(`/workers/services/${config.name}`);
  const known = await calls.find(`${path}/settings`);
  if (isEdge && known === null) {
    await queueNamed(calls, config.queues?.producers?.[0]?.queue ?? "");
    await calls.find(`/r2/buckets/${config.r2_buckets?.[0]?.bucket_name}`);
  }
  const assetsToken = config.assets ? await sendAssets(calls, path, worker) : null;
  const form = new FormData();
  form.set("metadata", JSON.stringify(metadataOf(config, due, assetsToken, secrets)));
  // The calls that make a version first take no migrations.
  if (service === null || due !== null) {
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
  if (isEdge) await setConsumers(calls, config);
  return isEdge && subdomain.url !== undefined ? [subdomain.url] : [];
}

interface Import {
  upload_url?: string;
  filename: string;
  success?: boolean;
  status?: string;
  at_bookmark: string;
  error?: string;
  errors?: string[];
}

async function importFile(calls: Calls, config: WranglerConfig, name: string, sql: string): Promise<void> {
  const database = config.d1_databases?.find(({ binding }) => binding === name);
  if (!database) throw new Error(`Couldn't find a D1 DB with the name or binding '${name}'`);
  const path = `/d1/database/${database.database_id}/import`;
  const send = async (body: object): Promise<Import> => (await calls.send("POST", path, body)) as Import;
  const etag = createHash("md5").update(sql).digest("hex");
  let state = await send({ action: "init", etag });
  if (state.upload_url !== undefined) {
    const { ok } = await fetch(state.upload_url, { method: "PUT", body: sql });
    if (!ok) throw new Error("File could not be uploaded. Please retry.");
    state = await send({ action: "ingest", filename: state.filename, etag });
  }
  while (state.status !== "complete") {
    if (!state.success) throw new Error(state.error);
    if (state.status === "error") throw new Error(state.errors?.join("\n"));
    state = await send({ action: "poll", current_bookmark: state.at_bookmark });
  }
}

export function newStandIn(options: Options): RunWrangler {
  const calls = new Calls(options);
  return async (worker, [command, , binding = ""], files = {}) => {
    const config = options.configOf(worker);
    if (command === "deploy") {
      const secrets = JSON.parse(files["--secrets-file"] ?? "{}") as Record<string, string>;
      return { output: "", addresses: await deploy(calls, worker, config, secrets) };
    }
    await importFile(calls, config, binding, files["--file"] ?? "");
    return { output: "", addresses: [] };
  };
}
