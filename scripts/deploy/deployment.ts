/** The names of everything that one deployment consists of, and the configurations that wrangler gets for it. */
import type { Flags, Location } from "./flags.ts";
import { signInFaults } from "./sign-in.ts";

/** The parts of a wrangler configuration that a deployment changes; the rest is passed on as it is. */
export interface WranglerConfig {
  name?: string;
  workers_dev?: boolean;
  vars?: Record<string, unknown>;
  d1_databases?: {
    binding: string;
    database_name?: string;
    database_id?: string;
    preview_database_id?: string;
  }[];
  r2_buckets?: { binding: string; bucket_name?: string }[];
  durable_objects?: { bindings: { name: string; class_name: string; script_name?: string }[] };
  queues?: {
    producers?: { binding: string; queue: string }[];
    consumers?: { queue: string; dead_letter_queue?: string; [key: string]: unknown }[];
  };
  assets?: { directory: string; binding?: string };
  ratelimits?: { name: string; namespace_id: string; simple: { limit: number; period: number } }[];
  [key: string]: unknown;
}

export interface Configs {
  edge: WranglerConfig;
  builder: WranglerConfig;
}

export interface Deployment {
  /** The edge Worker's name. */
  edge: string;
  builder: string;
  database: string;
  /** How many databases there are at least, that one included. */
  databases: number;
  bucket: string;
  /** The queue that wakes webhooks, and the one of its messages that fail over and over. */
  queues: string[];
  /** The id that the repository's configuration names, if it names one. */
  pinnedDatabaseId: string | null;
  location: Location | null;
  domains: string[];
  /** The host of CDN_BASE_URL, which files are served from; null where the Worker serves them itself. */
  filesHost: string | null;
  /** Whether the edge Worker answers under workers.dev. */
  onWorkersDev: boolean;
  /** Whether it stands beside the main deployment. */
  isNamed: boolean;
  /** The faults of the variables by which people sign in. */
  signInFaults: string[];
}

/** Local data is kept under this id; it stands for no database of any account. */
const NO_DATABASE_ID = "00000000-0000-0000-0000-000000000000";
/** Addresses that belong to the main deployment alone. */
const ADDRESS_VARS = ["CDN_BASE_URL", "PUBLIC_BASE_URL"];

function required(value: string | undefined, what: string): string {
  if (!value) throw new Error(`${what} is missing in wrangler.toml.`);
  return value;
}

/** @throws Error when it is no address */
function hostOf(baseUrl: unknown): string | null {
  if (typeof baseUrl !== "string" || baseUrl === "") return null;
  if (!URL.canParse(baseUrl)) throw new Error(`CDN_BASE_URL is no address: "${baseUrl}".`);
  return new URL(baseUrl).hostname;
}

/** Returns the names of all queues of a configuration, each once. */
function queueNames({ queues }: WranglerConfig): string[] {
  const consumers = queues?.consumers ?? [];
  const named = [
    ...(queues?.producers ?? []).map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue: dead }) =>
      dead === undefined ? [queue] : [queue, dead],
    ),
  ];
  return [...new Set(named)];
}

/** Returns the queues of a configuration under the names of a deployment. */
function queuesOf(edge: WranglerConfig, deployment: Deployment): NonNullable<WranglerConfig["queues"]> {
  const names = new Map(queueNames(edge).map((name, at) => [name, deployment.queues[at] ?? name]));
  const named = (name: string): string => names.get(name) ?? name;
  return {
    producers: (edge.queues?.producers ?? []).map((one) => ({ ...one, queue: named(one.queue) })),
    consumers: (edge.queues?.consumers ?? []).map((one) => ({
      ...one,
      queue: named(one.queue),
      ...(one.dead_letter_queue !== undefined && { dead_letter_queue: named(one.dead_letter_queue) }),
    })),
  };
}

/** @throws Error when the repository's configurations lack a name, or CDN_BASE_URL is no address */
export function deploymentOf({ edge, builder }: Configs, flags: Flags): Deployment {
  const named = (base: string): string => (flags.name === null ? base : `${base}-${flags.name}`);
  const [database] = edge.d1_databases ?? [];
  const id = database?.database_id;
  const isPinned = flags.name === null && id !== undefined && id !== NO_DATABASE_ID;
  return {
    edge: named(required(edge.name, "The edge Worker's name")),
    builder: named(required(builder.name, "The builder's name")),
    database: named(required(database?.database_name, "The database's name")),
    databases: flags.databases,
    bucket: named(required(edge.r2_buckets?.[0]?.bucket_name, "The bucket's name")),
    queues: queueNames(edge).map(named),
    pinnedDatabaseId: isPinned ? id : null,
    location: flags.location,
    domains: flags.domains,
    filesHost: flags.name === null ? hostOf(edge.vars?.["CDN_BASE_URL"]) : null,
    onWorkersDev: edge.workers_dev !== false,
    isNamed: flags.name !== null,
    signInFaults: signInFaults(edge.vars ?? {}),
  };
}

/** Ids of the main deployment are below this. */
const BASE_IDS = 10_000;
/** As many as stay below 2^31, where a signed number of 32 bits ends. */
const NAMED_DEPLOYMENTS = Math.floor(2 ** 31 / BASE_IDS) - 1;

/**
 * Returns a number for the counters of a deployment, another for each: two that share one would use up each other's
 * ceiling.
 */
export function namespaceId(base: string, name: string): string {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + char.charCodeAt(0)) % NAMED_DEPLOYMENTS;
  return String((hash + 1) * BASE_IDS + Number(base));
}

export const builderConfig = (builder: WranglerConfig, deployment: Deployment): WranglerConfig => ({
  ...builder,
  name: deployment.builder,
});

const withoutLocalId = <Database extends object>(database: Database): Database =>
  Object.fromEntries(Object.entries(database).filter(([key]) => key !== "preview_database_id")) as Database;

/**
 * Returns the name of a further database. No name of a deployment has an underscore, so none is another deployment's.
 */
export const furtherDatabase = ({ database }: Pick<Deployment, "database">, shard: number): string =>
  `${database}_${shard}`;

/** The ids of a deployment's databases in the account, by their numbers; null for one that is not there. */
export type DatabaseIds = readonly (string | null)[];

/** @param databaseIds null for each in a dry run */
export function edgeConfig(
  { edge, builder }: Configs,
  deployment: Deployment,
  databaseIds: DatabaseIds,
): WranglerConfig {
  const { isNamed } = deployment;
  const vars = Object.entries(edge.vars ?? {}).filter(([name]) => !isNamed || !ADDRESS_VARS.includes(name));
  const bindings = (edge.durable_objects?.bindings ?? []).map((binding) =>
    binding.script_name === builder.name ? { ...binding, script_name: deployment.builder } : binding,
  );
  const [first, ...further] = databaseIds;
  const databases = (edge.d1_databases ?? []).map((database) => ({
    ...withoutLocalId(database),
    database_name: deployment.database,
    database_id: first ?? NO_DATABASE_ID,
  }));
  const furtherDatabases = further.map((id, index) => ({
    binding: `DB_${index + 1}`,
    database_name: furtherDatabase(deployment, index + 1),
    database_id: id ?? NO_DATABASE_ID,
  }));
  return {
    ...edge,
    name: deployment.edge,
    vars: { ...Object.fromEntries(vars), ...(isNamed && { CDN_BASE_URL: "" }) },
    d1_databases: [...databases, ...furtherDatabases],
    r2_buckets: (edge.r2_buckets ?? []).map((bucket) => ({ ...bucket, bucket_name: deployment.bucket })),
    queues: queuesOf(edge, deployment),
    durable_objects: { ...edge.durable_objects, bindings },
    ratelimits: (edge.ratelimits ?? []).map((limit) => ({
      ...limit,
      ...(isNamed && { namespace_id: namespaceId(limit.namespace_id, deployment.edge) }),
    })),
  };
}
