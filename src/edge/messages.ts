/** What the image route and a space's queue say to each other. Fields are added, never renamed or removed. */
import type { BuildOrder } from "../image/protocol/build.ts";
import type { Lane } from "../image/plan/build-plan.ts";

/** "idle" for what no visitor waits for. */
export type JobLane = Lane | "idle";

/** A cold variant that wants to be built. */
export interface AdmitRequest {
  /** The variant's identity: its R2 key. */
  key: string;
  spaceId: string;
  mediaId: string;
  version: number;
  /** Last segment of `key`. */
  file: string;
  /** R2 key of the master. */
  masterKey: string;
  lane: Lane;
  order: BuildOrder;
  /** Who is charged: an IPv4 address or an IPv6 /64. */
  client: string;
  /** The request named `fp`, and the variant is a crop: it makes room before others (RULES 9.2). */
  hasRequestedFocalPoint?: boolean;
}

/** The queue's answer, all of it in its storage before it is given. */
export type Admission =
  /** Built a moment ago: the caller's view of D1 is older. */
  | { state: "hit" }
  /** Charged and waiting or running; `settled` tells when it is done. */
  | { state: "accepted"; lane: Lane }
  /** The same key is already waiting or running. Nothing charged. */
  | { state: "coalesced"; lane: Lane }
  | { state: "limited"; budget: "client" | "space" }
  | { state: "overloaded"; lane: Lane }
  /** Failed less than 10 minutes ago. */
  | { state: "unavailable"; reason: string };

export type Settlement = { state: "built" } | { state: "failed"; reason: string } | { state: "unknown" };

/** Figures for the usage route. */
export interface QueueUsage {
  lightWaiting: number;
  heavyWaiting: number;
  running: number;
  failuresRemembered: number;
  coldBudgetUsed: number;
  coldBudgetMax: number;
}

export interface LaneState {
  waiting: number;
  /** When the oldest of those was admitted, in milliseconds; null when none waits. */
  oldestAt: number | null;
}

/** A build that is over. */
export interface RecentBuild {
  /** The variant's R2 key. */
  key: string;
  lane: JobLane;
  /** "gone" when nobody wanted it any more: its master was replaced or removed meanwhile. */
  state: "built" | "failed" | "gone";
  /** From the last call of the builder to the end. */
  milliseconds: number;
  /** Of the variant; null when there is none. */
  bytes: number | null;
  reason: string | null;
  /** Calls of the builder. */
  tries: number;
  /** In milliseconds. */
  endedAt: number;
}

/** What a queue was asked for, and what came of it. */
export interface ActivityCounts {
  admitted: number;
  coalesced: number;
  /** For want of budget or of a place in the lane. */
  refused: number;
  built: number;
  failed: number;
}

/** Of the second that begins `at`, in milliseconds. */
export interface SecondCounts extends ActivityCounts {
  at: number;
}

export interface QueueActivity {
  /** The last 100, the newest first. */
  builds: RecentBuild[];
  /** Of the last hour, the oldest first, without those in which nothing happened. */
  perSecond: SecondCounts[];
  lanes: Record<JobLane, LaneState>;
  running: number;
  /** `resetsAt` in milliseconds; null while nothing is charged. */
  budget: { used: number; max: number; resetsAt: number | null };
}

/** Variants of one master version that are not there. */
export interface MissingVariants {
  queued: { file: string; lane: JobLane; isRunning: boolean; tries: number }[];
  /** `until` is when another try is possible, in milliseconds. */
  failed: { file: string; reason: string; until: number }[];
}

export interface SpaceQueueApi {
  admit(request: AdmitRequest): Promise<Admission>;
  /** Resolves once the key is built or has failed; "unknown" at once when it is neither waiting nor running. */
  settled(key: string): Promise<Settlement>;
  /** Has a variant built while nothing else is to do, charged to nobody. False when there is no place for it. */
  buildWhenIdle(request: AdmitRequest): Promise<boolean>;
  usage(): Promise<QueueUsage>;
  activity(): Promise<QueueActivity>;
  /** Of the master version whose variants' keys begin with `prefix`. */
  missingVariants(prefix: string): Promise<MissingVariants>;
  /** Says that masters may be without a placeholder: they get one once nobody wants anything else. */
  makePlaceholders(spaceId: string): Promise<void>;
  /** Called by the sweep: restarts what a crash left waiting. */
  wake(): Promise<void>;
  /** Forgets everything, for a removed space. */
  clear(): Promise<void>;
}
