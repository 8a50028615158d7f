/** The bindings and variables of the edge Worker, and the check that none is missing or too short (RULES 10.3). */
import type { BuildRoomApi } from "../image/protocol/build.ts";
import { SECRET } from "../limits.ts";
import type { RemoteFetcherApi, SpaceQueueApi, WakeMessage } from "./messages.ts";
import { checkDatabases, type DatabaseBindings } from "./shards/bindings.ts";

export interface Env extends DatabaseBindings {
  BUCKET: R2Bucket;
  /** The built console (`dist/assets`). */
  ASSETS: Fetcher;
  SPACE_QUEUE: DurableObjectNamespace;
  BUILD_ROOM: DurableObjectNamespace;
  /** The sums of all isolates (RULES 10.10). */
  METRICS: DurableObjectNamespace;
  /** One object per database, in which the sweep of that database runs where there are several. */
  SWEEPER?: DurableObjectNamespace;
  /** If it is bound, requests, builds and sweeps are written to Analytics Engine too. */
  ANALYTICS?: AnalyticsEngineDataset;
  /** The queue that wakes deliveries of webhooks (RULES 15.3). Without it, the sweep alone starts them. */
  WEBHOOKS?: Queue<WakeMessage>;
  /** The flood ceilings: one counter each for picture redirects, immutable files and direct delivery (RULES 7.5). */
  IMAGE_FLOOD: RateLimit;
  FILE_FLOOD: RateLimit;
  DIRECT_FLOOD: RateLimit;
  /** The secret that creates spaces and keys. */
  ROOT_TOKEN: string;
  /** The secret that cursors are encrypted with. It is not derived from the root token, nor the other way round. */
  CURSOR_SECRET: string;
  /** The beginning of absolute addresses in JSON; empty for the origin of the request (RULES 1.7). */
  PUBLIC_BASE_URL?: string;
  /** "on" if the platform's cache is in front of the entrypoint `Cached` (RULES 7.8); with anything else there is none. */
  EDGE_CACHE?: string;
  /** The share of requests that are logged, from 0 to 1 (RULES 10.8). */
  LOG_SAMPLE?: string;
  /** How often a backup of each space is made, and how many are kept: `daily:14`. Without it, none are (RULES 18.7). */
  BACKUPS?: string;
  /** The reads that a key may make in a minute (RULES 1.10). */
  API_RATE?: string;
  /** "1" if `origins` takes addresses of this machine too: for tests of a service that `npm start` runs. */
  REMOTE_TEST_ORIGINS?: string;
  /** "1" in a service that `npm start` runs, where addresses of this machine are taken. */
  LOCAL?: string;
  /** The OpenID provider (RULES 2.7): its issuer, the client, its name on the button. Without them nobody signs in. */
  OIDC_ISSUER?: string;
  OIDC_CLIENT_ID?: string;
  OIDC_CLIENT_SECRET?: string;
  OIDC_NAME?: string;
  /** "1" if an address counts as verified where the provider does not say. */
  OIDC_TRUST_EMAIL?: string;
  /** The addresses, separated by commas, whose sessions may do what the root token may (RULES 2.6). */
  ROOT_MEMBERS?: string;
  /** The custom domain of the R2 bucket that serves immutable files; empty for this Worker's own `/cdn`. */
  CDN_BASE_URL?: string;
}

const REQUIRED = [
  "DB",
  "BUCKET",
  "ASSETS",
  "SPACE_QUEUE",
  "BUILD_ROOM",
  "METRICS",
  "IMAGE_FLOOD",
  "FILE_FLOOD",
  "DIRECT_FLOOD",
  "ROOT_TOKEN",
  "CURSOR_SECRET",
] as const;

const SECRETS = ["ROOT_TOKEN", "CURSOR_SECRET"] as const;

/** @throws Error naming every missing binding, or every secret that is too short */
export function checkEnv(env: Env): void {
  const missing = REQUIRED.filter((name) => !env[name]);
  if (missing.length > 0)
    throw new Error(`Missing bindings or secrets: ${missing.join(", ")}. See README, Deploy.`);
  checkDatabases(env);
  const short = SECRETS.filter((name) => env[name].length < SECRET.minCharacters);
  if (short.length > 0)
    throw new Error(
      `Too short, at least ${SECRET.minCharacters} characters are needed: ${short.join(", ")}. ` +
        `Set it again with "npx wrangler secret put".`,
    );
}

/** Returns a typed stub of one space's queue. */
export const spaceQueue = (env: Pick<Env, "SPACE_QUEUE">, spaceId: string): SpaceQueueApi =>
  env.SPACE_QUEUE.get(env.SPACE_QUEUE.idFromName(spaceId)) as unknown as SpaceQueueApi;

/**
 * Returns a typed stub of one of the builder's objects. A space has several, numbered by `room`, for when one is busy.
 */
export const buildRoom = (env: Pick<Env, "BUILD_ROOM">, spaceId: string, room: number): BuildRoomApi =>
  env.BUILD_ROOM.get(env.BUILD_ROOM.idFromName(`${spaceId}#${room}`)) as unknown as BuildRoomApi;

/** Returns the Worker's own entrypoint that fetches from origins. Each call is an invocation of its own. */
export const remoteFetcher = (context: { readonly exports: unknown }): RemoteFetcherApi =>
  (context.exports as { RemoteFetcher: RemoteFetcherApi }).RemoteFetcher;
