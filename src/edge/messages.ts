/** The messages between the image routes and a space's queue. Fields are added but never renamed or removed. */
import type { BuildOrder } from "../image/protocol/build.ts";
import type { Lane } from "../image/plan/build-plan.ts";
import type { PictureParameters } from "../image/parameters/parameter.ts";

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

/** The variant that a request asked for when its picture had not been fetched yet. */
export interface Wish {
  parameters: PictureParameters;
  accept: string | null;
  isLenient: boolean;
}

/** The request to fetch a picture of another server (RULES 13.4). */
export interface FetchRequest {
  /** `r/{spaceId}/{hash}`, which identifies the fetch. */
  key: string;
  spaceId: string;
  /** SHA-256 of the address, hex. */
  hash: string;
  url: string;
  /** The client that is charged: an IPv4 address or an IPv6 /64. */
  client: string;
  /** Built after the fetch, without another charge; null for a file that is only asked for again. */
  wish: Wish | null;
  /** The hosts of this deployment, of which nothing but pictures is fetched. */
  ownHosts: readonly string[];
  /** Whether the caller knows that the picture is not here, although the queue fetched it a moment ago. */
  isMissing?: boolean;
}

/** The queue's answer. Everything that it says is in the queue's storage before. */
export type FetchAdmission =
  /** It was fetched a moment ago, and the caller's view of D1 is older. */
  | { state: "here" }
  | { state: "accepted" }
  /** A fetch of the same address waits or runs already. Nothing is charged. */
  | { state: "coalesced" }
  | { state: "limited"; budget: "client" | "space" | "fetches" }
  | { state: "overloaded"; isShareOfClient?: boolean }
  /** The fetch failed a short time ago. */
  | { state: "unavailable"; reason: string };

/** The kind of a failed fetch: it decides how long the failure is remembered (RULES 13.5). */
export type FetchFailureKind = "gone" | "refused" | "origin";

/** The outcome of one try at a fetch. `origin` is the entry of the space's `origins` that allowed it. */
export type FetchOutcome =
  /** A file is here that was not here before. `first` is the build that the request asked for, if it can be built. */
  | { state: "stored"; origin: string; sizeBytes: number; first: AdmitRequest | null }
  /** The file at the origin is the one that is here. */
  | { state: "unchanged"; origin: string }
  | { state: "failed"; origin: string; kind: FetchFailureKind; reason: string }
  /** The space, or the entry of its `origins`, is gone. */
  | { state: "unwanted"; reason: string }
  /** There was no memory for it. The try does not count. */
  | { state: "busy"; reason: string };

/** A fetch that is over. */
export interface RecentFetch {
  url: string;
  origin: string | null;
  state: "stored" | "unchanged" | "failed";
  isRevalidation: boolean;
  milliseconds: number;
  bytes: number | null;
  reason: string | null;
  /** In milliseconds. */
  endedAt: number;
}

/** Counts of an entry of `origins` since the queue first saw it. */
export interface OriginFetches {
  origin: string;
  fetched: number;
  failed: number;
  /** In milliseconds. */
  lastAt: number;
}

export interface FetchActivity {
  waiting: number;
  /** Fetches that hold a place, also those that have not begun. */
  running: number;
  /** Newest first. */
  recent: RecentFetch[];
  origins: OriginFetches[];
}

/** Fetches one file and stores it. It runs in an invocation of its own, so that its connections are its own too. */
export interface RemoteFetcherApi {
  fetchPicture(request: FetchRequest): Promise<FetchOutcome>;
  /** Removes the file that was fetched from an address, if there is one. */
  removePicture(address: Pick<FetchRequest, "spaceId" | "hash">): Promise<void>;
}

export interface SpaceQueueApi {
  admit(request: AdmitRequest): Promise<Admission>;
  /** Asks for a picture of another server. Nothing waits for the fetch. */
  admitFetch(request: FetchRequest): Promise<FetchAdmission>;
  /** Asks the queue to compare a file with the one at its origin while it is idle. No client is charged for it. */
  fetchWhenIdle(request: FetchRequest): Promise<boolean>;
  /** Forgets what is remembered about a fetch, and leaves out one that waits. The file of one that runs is removed. */
  forgetFetch(key: string): Promise<void>;
  fetches(): Promise<FetchActivity>;
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
  /**
   * Works for some seconds on the move of the space that the database `shard` has to do with (RULES 12.6). `more`: another
   * call goes on at once. `wait`: it cannot go on now.
   */
  workOnMove(spaceId: string, shard: number): Promise<"more" | "wait" | "over">;
  /** Removes all data of a removed space. */
  clear(): Promise<void>;
}

/** A message of the queue of webhooks: there may be something to deliver in a space (RULES 15.3). */
export interface WakeMessage {
  spaceId: string;
}
