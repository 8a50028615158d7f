/** A Cloudflare account, as far as a deploy sees it. */
import { DatabaseSync } from "node:sqlite";

export interface Database {
  uuid: string;
  name: string;
  created_at: string;
  read_replication: { mode: "auto" | "disabled" };
  locationHint: string | null;
  /** The rows themselves: migrations run for real. */
  sqlite: DatabaseSync;
  /** How each file was imported, by its hash. */
  imports: Map<string, ImportResult>;
}

/** How an import ended: with the words of the failure, or null. */
export interface ImportResult {
  error: string | null;
}

/** A kind of things for which a token has a right of its own. */
export type Area = "workers" | "d1" | "r2" | "queues" | "zones";

export type Right = "edit" | "read" | "none";

export interface LifecycleRule {
  id: string;
  [key: string]: unknown;
}

export interface Bucket {
  name: string;
  locationHint: string | null;
  rules: LifecycleRule[];
  /** Null: no policy was ever set. */
  cors: { id?: string; [key: string]: unknown }[] | null;
}

export interface Consumer {
  consumer_id: string;
  type: "worker";
  script: string;
  dead_letter_queue?: string;
  settings: Record<string, unknown>;
}

export interface QueueOfAccount {
  queue_id: string;
  queue_name: string;
  consumers: Consumer[];
}

export interface ZoneRule {
  id: string;
  /** Its id, where whoever made it gave it no name. */
  ref: string;
  [key: string]: unknown;
}

export interface Ruleset {
  id: string;
  phase: string;
  rules: ZoneRule[];
}

/** A domain name with what is done to requests for it. */
export interface Zone {
  id: string;
  name: string;
  /** One per phase at most. */
  rulesets: Ruleset[];
}

/** A binding as the upload of a Worker names it. */
export interface Binding {
  type: string;
  name: string;
  [key: string]: unknown;
}

export interface Version {
  id: string;
  bindings: Binding[];
}

export interface Worker {
  name: string;
  tag: string;
  /** Newest last. */
  versions: Version[];
  /** The version that answers; the newest, unless a deploy broke off between the two calls that it takes. */
  deployed: string | null;
  migrationTag: string | null;
  classes: Set<string>;
  onWorkersDev: boolean;
  crons: string[];
  settings: Record<string, unknown>;
}

export interface Account {
  id: string;
  plan: "free" | "paid";
  /** Whether R2 was subscribed to. */
  hasR2: boolean;
  /** Whether it may have queues. */
  hasQueues: boolean;
  /** The rights of the deploy's token. */
  rights: Record<Area, Right>;
  /** `NAME` of `*.NAME.workers.dev`; null before somebody has opened Workers in the dashboard. */
  subdomain: string | null;
  databases: Map<string, Database>;
  buckets: Map<string, Bucket>;
  /** By their names. */
  queues: Map<string, QueueOfAccount>;
  workers: Map<string, Worker>;
  /** Hashes of the static assets that were sent. */
  assets: Set<string>;
  /** Custom domains: host name to Worker. */
  domains: Map<string, string>;
  /** Files that were sent to be imported, by name. */
  uploads: Map<string, string>;
  /** Host names with a DNS record of their own. */
  dnsRecords: Set<string>;
  zones: Map<string, Zone>;
  /** Custom domains of buckets: host name to bucket and zone. They may be there before their bucket is. */
  bucketDomains: Map<string, { bucket: string; zoneId: string }>;
}

/** Returns an account on Workers Paid with R2, and nothing in it. */
export function emptyAccount(): Account {
  return {
    id: "ac".repeat(16),
    plan: "paid",
    hasR2: true,
    hasQueues: true,
    rights: { workers: "edit", d1: "edit", r2: "edit", queues: "edit", zones: "edit" },
    subdomain: "rehearsal",
    databases: new Map(),
    buckets: new Map(),
    queues: new Map(),
    workers: new Map(),
    assets: new Set(),
    domains: new Map(),
    uploads: new Map(),
    dnsRecords: new Set(),
    zones: new Map(),
    bucketDomains: new Map(),
  };
}

/** Returns whether an account is still empty. */
export const isEmpty = ({ databases, buckets, queues, workers, domains }: Account): boolean =>
  databases.size + buckets.size + queues.size + workers.size + domains.size === 0;

export const newDatabase = (name: string, locationHint: string | null): Database => ({
  uuid: crypto.randomUUID(),
  name,
  created_at: new Date().toISOString(),
  read_replication: { mode: "disabled" },
  locationHint,
  sqlite: new DatabaseSync(":memory:"),
  imports: new Map(),
});

/** Returns a new bucket with the rule that R2 gives to each. */
export const newBucket = (name: string, locationHint: string | null): Bucket => ({
  name,
  locationHint,
  rules: [
    {
      id: "Default Multipart Abort Rule",
      enabled: true,
      conditions: { prefix: "" },
      abortMultipartUploadsTransition: { condition: { type: "Age", maxAge: 604800 } },
    },
  ],
  cors: null,
});

/** Returns a zone with a rule of another owner in each phase that is named. */
export function newZone(name: string, phases: readonly string[] = []): Zone {
  const rulesets = phases.map((phase) => {
    const id = crypto.randomUUID().replaceAll("-", "");
    return { id: crypto.randomUUID(), phase, rules: [{ id, ref: id, description: "somebody else's" }] };
  });
  return { id: crypto.randomUUID().replaceAll("-", ""), name, rulesets };
}

export const newWorker = (name: string): Worker => ({
  name,
  tag: crypto.randomUUID().replaceAll("-", ""),
  versions: [],
  deployed: null,
  migrationTag: null,
  classes: new Set(),
  onWorkersDev: false,
  crons: [],
  settings: {},
});

/** Returns whether the newest version is the one that answers. */
export const isNewestDeployed = ({ versions, deployed }: Worker): boolean =>
  versions.findIndex(({ id }) => id === deployed) === versions.length - 1;

/** Returns the bindings of the version that answers. */
export const bindingsOf = (worker: Worker | undefined): Binding[] =>
  worker?.versions.find(({ id }) => id === worker.deployed)?.bindings ?? [];

/** Returns the value of a Worker's secret, which the API itself never tells. */
export const secretOf = (account: Account, worker: string, name: string): unknown =>
  bindingsOf(account.workers.get(worker)).find((one) => one.type === "secret_text" && one.name === name)?.[
    "text"
  ];
