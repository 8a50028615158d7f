/** The bindings and variables of the edge Worker, and their check: a missing one fails loudly (RULES 10.3). */
import type { BuildRoomApi } from "../image/protocol/build.ts";
import type { SpaceQueueApi } from "./messages.ts";

export interface Env {
  DB: D1Database;
  BUCKET: R2Bucket;
  /** The built console (`dist/assets`). */
  ASSETS: Fetcher;
  SPACE_QUEUE: DurableObjectNamespace;
  BUILD_ROOM: DurableObjectNamespace;
  /** The sums of all isolates (RULES 10.10). */
  METRICS: DurableObjectNamespace;
  /** Where it is bound, requests, builds and sweeps are written to Analytics Engine too. */
  ANALYTICS?: AnalyticsEngineDataset;
  /** The flood ceilings of picture redirects, immutable files and direct delivery: one counter each (RULES 7.5). */
  IMAGE_FLOOD: RateLimit;
  FILE_FLOOD: RateLimit;
  DIRECT_FLOOD: RateLimit;
  /** Secret. Creates spaces and keys. */
  ROOT_TOKEN: string;
  /** What absolute addresses in JSON begin with: empty for the origin of the request (RULES 1.7). */
  PUBLIC_BASE_URL?: string;
  /** "on" where the platform's cache stands in front of the entrypoint `Cached` (RULES 7.8). */
  EDGE_CACHE?: string;
  /** The share of requests that has a line in the log, from 0 to 1 (RULES 10.8). */
  LOG_SAMPLE?: string;
  /** Where immutable files are served from: empty for this Worker's own `/cdn`, or an R2 custom domain. */
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
] as const;

/** @throws Error naming every missing binding */
export function checkEnv(env: Env): void {
  const missing = REQUIRED.filter((name) => !env[name]);
  if (missing.length > 0)
    throw new Error(`Missing bindings or secrets: ${missing.join(", ")}. See README, Deploy.`);
}

/** A stub of one space's queue, typed by what it answers. */
export const spaceQueue = (env: Pick<Env, "SPACE_QUEUE">, spaceId: string): SpaceQueueApi =>
  env.SPACE_QUEUE.get(env.SPACE_QUEUE.idFromName(spaceId)) as unknown as SpaceQueueApi;

/** A stub of a builder's room. `room` spreads a space's builds over isolates when one is busy. */
export const buildRoom = (env: Pick<Env, "BUILD_ROOM">, spaceId: string, room: number): BuildRoomApi =>
  env.BUILD_ROOM.get(env.BUILD_ROOM.idFromName(`${spaceId}#${room}`)) as unknown as BuildRoomApi;
