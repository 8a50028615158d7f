/**
 * The memory of a space's queue about its work (RULES 8.6): the last 100 builds, and counts of events per second of the
 * last hour. Counts stay in memory until the next build ends or a caller asks, so that an answer that writes nothing
 * else does not wait for them. An eviction may lose counts, nothing else.
 */
import { ACTIVITY } from "../../../limits.ts";
import type { Admission, ActivityCounts, RecentBuild, SecondCounts } from "../../messages.ts";
import type { ActivityStatements } from "./activity-sql.ts";
import type { Outcome } from "../work/outcome.ts";
import type { JobRow } from "./sql.ts";

const SECOND_MS = 1000;

const NOTHING: ActivityCounts = { admitted: 0, coalesced: 0, refused: 0, built: 0, failed: 0 };

const COUNTED_AS: Record<Admission["state"], keyof ActivityCounts | null> = {
  accepted: "admitted",
  coalesced: "coalesced",
  limited: "refused",
  overloaded: "refused",
  hit: null,
  unavailable: null,
};

/** The try that ended a build. */
export interface EndedBuild {
  row: Pick<JobRow, "key" | "attempts"> & Pick<RecentBuild, "lane">;
  outcome: Outcome;
  milliseconds: number;
}

export class Activity {
  readonly #q: ActivityStatements;
  readonly #unwritten = new Map<number, ActivityCounts>();

  constructor(q: ActivityStatements) {
    this.#q = q;
  }

  admitted({ state }: Admission, now: number): void {
    const name = COUNTED_AS[state];
    if (name) this.#count(name, now);
  }

  /** Stores the build, and all counts. */
  ended({ row, outcome, milliseconds }: EndedBuild, now: number): void {
    // A build that was lost or busy for the last time has failed.
    const state = outcome.state === "built" || outcome.state === "gone" ? outcome.state : "failed";
    if (state !== "gone") this.#count(state, now);
    this.#q.insertBuild({
      ...{ key: row.key, lane: row.lane, state, tries: row.attempts, endedAt: now },
      milliseconds,
      bytes: outcome.state === "built" ? outcome.sizeBytes : null,
      reason: outcome.state === "built" ? null : outcome.reason,
    });
    this.#write(now);
  }

  read(now: number): { builds: RecentBuild[]; perSecond: SecondCounts[] } {
    this.#write(now);
    return { builds: this.#q.recentBuilds(), perSecond: this.#q.countsSince(now - ACTIVITY.countsMs) };
  }

  #count(name: keyof ActivityCounts, now: number): void {
    const at = now - (now % SECOND_MS);
    const counts = this.#unwritten.get(at) ?? { ...NOTHING };
    counts[name] += 1;
    this.#unwritten.set(at, counts);
    // In order of time: the first is the oldest.
    for (const second of this.#unwritten.keys()) {
      if (second >= now - ACTIVITY.countsMs) break;
      this.#unwritten.delete(second);
    }
  }

  #write(now: number): void {
    for (const [at, counts] of this.#unwritten) this.#q.addCounts(at, counts);
    this.#unwritten.clear();
    this.#q.deleteCountsBefore(now - ACTIVITY.countsMs);
  }
}
