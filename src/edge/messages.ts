/** The messages between the image routes and a space's queue. Fields are added but never renamed or removed. */
import type { BuildOrder } from "../image/protocol/build.ts";
import type { Lane } from "../image/plan/build-plan.ts";

/** The lane of a job; "idle" if no visitor waits for it. */
export type JobLane = Lane | "idle";

/** The request to build a cold variant. */
export interface AdmitRequest {
  /** The R2 key of the variant, which identifies it. */
  key: string;
  spaceId: string;
  mediaId: string;
  version: number;
  /** The last segment of `key`. */
  file: string;
  /** The R2 key of the master. */
  masterKey: string;
  lane: Lane;
  order: BuildOrder;
  /** The client that is charged: an IPv4 address or an IPv6 /64. */
  client: string;
  /** Whether the variant is a crop whose focal point the request named. Such variants are evicted first (RULES 9.2). */
  hasRequestedFocalPoint?: boolean;
}

/** The queue's answer. Everything that it says is in the queue's storage before. */
export type Admission =
  /** The variant was built a moment ago, and the caller's view of D1 is older. */
  | { state: "hit" }
  /** The build is charged and waits or runs; `settled` resolves when it is over. */
  | { state: "accepted"; lane: Lane }
  /** A build of the same key waits or runs already. Nothing is charged. */
  | { state: "coalesced"; lane: Lane }
  | { state: "limited"; budget: "client" | "space" }
  /** `isShareOfClient`: the lane has places, but the client holds as many of them as it may. */
  | { state: "overloaded"; lane: Lane; isShareOfClient?: boolean }
  /** The build failed a short time ago (RULES 8.4). */
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
  /** When the oldest waiting job was admitted, in milliseconds; null when none waits. */
  oldestAt: number | null;
}

/** A finished build. */
export interface RecentBuild {
  /** The variant's R2 key. */
  key: string;
  lane: JobLane;
  /** "gone": the variant is not needed any more, because its master was replaced or removed. */
  state: "built" | "failed" | "gone";
  /** From the last call of the builder to the end. */
  milliseconds: number;
  /** The length of the variant; null when there is none. */
  bytes: number | null;
  reason: string | null;
  /** Number of calls of the builder. */
  tries: number;
  /** The time of the end, in milliseconds. */
  endedAt: number;
}

/** How many requests a queue has had, by their outcome. */
export interface ActivityCounts {
  admitted: number;
  coalesced: number;
  /** Refused because the budget was used up or the lane was full. */
  refused: number;
  built: number;
  failed: number;
}

/** The counts of the second that begins `at`, in milliseconds. */
export interface SecondCounts extends ActivityCounts {
  at: number;
}

export interface QueueActivity {
  /** The last 100 builds, newest first. */
  builds: RecentBuild[];
  /** The seconds of the last hour in which something happened, oldest first. */
  perSecond: SecondCounts[];
  lanes: Record<JobLane, LaneState>;
  running: number;
  /** `resetsAt` in milliseconds; null while nothing is charged. */
  budget: { used: number; max: number; resetsAt: number | null };
}

/** Variants of one master version that do not exist yet. */
export interface MissingVariants {
  queued: { file: string; lane: JobLane; isRunning: boolean; tries: number }[];
  /** Failed builds. `until` is the time from which another try is possible, in milliseconds. */
  failed: { file: string; reason: string; until: number }[];
}

export interface SpaceQueueApi {
  admit(request: AdmitRequest): Promise<Admission>;
  /** Resolves once the build of the key is over; at once with "unknown" when none waits or runs. */
  settled(key: string): Promise<Settlement>;
  /** Asks for a build that runs while the queue is idle and is charged to nobody. False when the lane is full. */
  buildWhenIdle(request: AdmitRequest): Promise<boolean>;
  usage(): Promise<QueueUsage>;
  activity(): Promise<QueueActivity>;
  /** The missing variants of the master version whose variants have keys that begin with `prefix`. */
  missingVariants(prefix: string): Promise<MissingVariants>;
  /** Says that there may be masters without a placeholder. The queue makes placeholders while it is idle. */
  makePlaceholders(spaceId: string): Promise<void>;
  /** Restarts builds that a crash left waiting. The sweep calls it. */
  wake(): Promise<void>;
  /** Removes all data of a removed space. */
  clear(): Promise<void>;
}
