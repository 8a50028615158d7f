/**
 * The lane of fetches from origins (RULES 13.4). Up to four run at a time beside the builds; each is a call of the
 * Worker's own fetching entrypoint, so one that hangs holds up nothing but its place. Like builds, fetches are leased in
 * SQLite before they are called, so that a restart neither loses nor doubles them.
 */
import { PLACEHOLDER, QUEUE, REMOTE } from "../../../limits.ts";
import type {
  AdmitRequest,
  FetchActivity,
  FetchAdmission,
  FetchOutcome,
  FetchRequest,
  RecentFetch,
} from "../../messages.ts";
import type { Statements } from "../store/sql.ts";
import { decideFetch, decideIdleFetch } from "./fetch-admission.ts";
import { fetchStatements, type FetchRow, type StoredFetch } from "./fetch-sql.ts";

export interface FetchTools {
  fetchPicture(request: FetchRequest): Promise<FetchOutcome>;
  /** Removes the file that was fetched from the address. */
  removePicture(request: FetchRequest): Promise<void>;
  /** Whether nothing is to be done for visitors. */
  isQuiet(): boolean;
  /** Admits the build that came with a fetch. */
  admitFirst(request: AdmitRequest, now: number): void;
  /** Reports a fetch that is over. */
  report(fetch: RecentFetch): void;
  /** Called when a fetch has ended, for the next thing to begin. */
  ended(): void;
}

const MEMORY_MS = {
  gone: REMOTE.refusedMemoryMs,
  refused: REMOTE.refusedMemoryMs,
  origin: REMOTE.originMemoryMs,
} as const;

export class FetchLane {
  readonly #q: Statements;
  readonly #f;
  readonly #owner: string;
  readonly #tools: FetchTools;
  /** This instance's own calls by the `seq` of their rows; others have been given up. A `seq` may be given again. */
  readonly #running = new Map<number, Call>();
  /** When files that are here may be asked for again. */
  #quietAt = 0;

  constructor(q: Statements, sql: SqlStorage, owner: string, tools: FetchTools) {
    this.#q = q;
    this.#f = fetchStatements(sql);
    this.#owner = owner;
    this.#tools = tools;
  }

  createTables(): void {
    this.#f.createTables();
  }

  /** Puts back what an earlier instance was fetching. */
  recover(now: number): void {
    for (const row of this.#f.leasedByOthers(this.#owner))
      this.#lost(row, "the queue was restarted before or during the fetch", now);
  }

  admit(request: FetchRequest, now: number): FetchAdmission {
    return decideFetch(this.#q, this.#f, request, now);
  }

  whenIdle(request: FetchRequest, now: number): boolean {
    return decideIdleFetch(this.#q, this.#f, request, now);
  }

  /**
   * Forgets an address. A fetch that has not begun is deleted, so that the next visitor causes another. One that has begun
   * may have stored its file already: that file is removed when the fetch ends.
   */
  forget(key: string): void {
    this.#q.forget(key);
    this.#f.deleteWaiting(key);
    const seq = this.#f.leasedOf(key);
    if (seq !== null && this.#running.get(seq)?.hasBegun === false) {
      this.#running.delete(seq);
      this.#f.delete(seq);
      this.#tools.ended();
      return;
    }
    this.#f.forgetRunning(key);
  }

  /** Stops the lane of a removed space: fetches that still run are not wanted any more. */
  stop(): void {
    this.#running.clear();
  }

  activity(): FetchActivity {
    return {
      waiting: this.#f.waiting(),
      running: this.#f.running(),
      recent: this.#f.recent(),
      origins: this.#f.origins(),
    };
  }

  /** Gives way to a visitor's work: fetches that no visitor waits for begin later. */
  giveWay(now: number): void {
    this.#quietAt = now + PLACEHOLDER.quietMs;
  }

  /** Starts as many fetches as there are places for. */
  next(now: number): void {
    for (const row of this.#f.overdue(now)) {
      this.#running.delete(row.seq);
      this.#lost(row, "the fetch did not end in its time", now);
    }
    while (this.#f.running() < REMOTE.atOnceMax) {
      const row = this.#f.head(false, now) ?? this.#idleHead(now);
      if (!row) return;
      this.#start(row, now);
    }
  }

  /** Returns the next idle fetch: one at a time, while nothing else is to be done. */
  #idleHead(now: number): FetchRow | null {
    if (now < this.#quietAt || this.#f.running() > 0 || !this.#tools.isQuiet()) return null;
    return this.#f.head(true, now);
  }

  /** Returns when `next` must be called; null when no work is known. */
  dueAt(now: number): number | null {
    const due = [this.#f.dueAt(now), this.#f.idleWaiting() > 0 ? this.#idleAt(now) : null];
    const times = due.filter((at) => at !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  #idleAt(now: number): number {
    return Math.max(this.#quietAt, now + PLACEHOLDER.quietMs);
  }

  #start(row: FetchRow, now: number): void {
    const request = requestIn(row);
    if (!request) {
      this.#f.delete(row.seq);
      return;
    }
    this.#f.lease(row.seq, this.#owner, now + REMOTE.leaseMs);
    const isForgotten = this.#f.isForgotten(row.seq);
    const waitMs = isForgotten ? 0 : waitOf(row, request, now);
    const call: Call = { row: { ...row, attempts: row.attempts + 1 }, request, hasBegun: waitMs === 0 };
    this.#running.set(row.seq, call);
    const outcome = isForgotten ? this.#remove(request) : this.#fetch(call, waitMs);
    // Not awaited: admissions and builds go on meanwhile.
    void outcome
      .catch((error: unknown) => ({ state: "lost", reason: String(error) }) as const)
      .then((outcome) => this.#end(call, outcome, now + waitMs));
  }

  /** Waits, then fetches. The wait is part of the lease: if the object is lost meanwhile, `recover` puts the fetch back. */
  async #fetch(call: Call, waitMs: number): Promise<FetchOutcome> {
    if (waitMs > 0) await scheduler.wait(waitMs);
    if (!this.#isRunning(call))
      return { state: "unwanted", reason: "the address was removed before the fetch" };
    call.hasBegun = true;
    return this.#tools.fetchPicture(call.request);
  }

  /** Returns false for a call that was given up, or whose address or space was removed. */
  #isRunning(call: Call): boolean {
    return this.#running.get(call.row.seq) === call;
  }

  async #remove(request: FetchRequest): Promise<FetchOutcome> {
    await this.#tools.removePicture(request);
    return { state: "unwanted", reason: "the address was removed during the fetch" };
  }

  #end(call: Call, outcome: FetchOutcome | Lost, startedAt: number): void {
    // Others have had their outcome.
    if (!this.#isRunning(call)) return;
    const { row, request } = call;
    this.#running.delete(row.seq);
    const now = Date.now();
    const took = { startedAt, now };
    const isStored = outcome.state === "stored" || outcome.state === "unchanged";
    if (this.#f.isForgotten(row.seq) && outcome.state !== "lost") {
      // The next call of this place removes the file.
      if (isStored) this.#f.putBack(row.seq, now, false);
      else this.#f.delete(row.seq);
      this.#tools.ended();
      return;
    }
    switch (outcome.state) {
      case "stored":
        this.#f.delete(row.seq);
        this.#remember(row.key, "built", "", QUEUE.builtMemoryMs, now);
        if (outcome.first) this.#tools.admitFirst(outcome.first, now);
        this.#note(row, request, took, { ...outcome, bytes: outcome.sizeBytes, reason: null });
        break;
      case "unchanged":
        this.#f.delete(row.seq);
        this.#remember(row.key, "built", "", QUEUE.builtMemoryMs, now);
        this.#note(row, request, took, { ...outcome, bytes: null, reason: null });
        break;
      case "failed":
        this.#f.delete(row.seq);
        // A file that is here is served on, unless it is gone at its origin.
        if (row.isIdle === 0 || outcome.kind === "gone")
          this.#remember(row.key, "failed", outcome.reason, MEMORY_MS[outcome.kind], now);
        this.#note(row, request, took, { ...outcome, bytes: null });
        break;
      case "unwanted":
        this.#f.delete(row.seq);
        break;
      case "busy":
        this.#f.putBack(row.seq, now + againAfterMs(), false);
        break;
      case "lost":
        this.#lost(row, outcome.reason, now);
        break;
      default:
        outcome satisfies never;
    }
    this.#tools.ended();
  }

  #lost(row: FetchRow, reason: string, now: number): void {
    if (row.attempts < REMOTE.lossesMax) {
      this.#f.putBack(row.seq, now + againAfterMs(), true);
      return;
    }
    this.#f.delete(row.seq);
    if (row.isIdle === 0) this.#remember(row.key, "failed", reason, REMOTE.originMemoryMs, now);
    const request = requestIn(row);
    const failed = { state: "failed", origin: null, bytes: null, reason } as const;
    if (request) this.#note(row, request, { startedAt: now, now }, failed);
  }

  #remember(key: string, state: "built" | "failed", reason: string, forMs: number, now: number): void {
    this.#q.remember(key, state, reason, now + forMs);
    this.#q.planTidying(now + forMs);
  }

  #note(
    row: FetchRow,
    { url }: FetchRequest,
    { startedAt, now }: { startedAt: number; now: number },
    { state, origin, bytes, reason }: Pick<RecentFetch, "state" | "origin" | "bytes" | "reason">,
  ): void {
    const fetch: RecentFetch = {
      ...{ url, origin, state, bytes, reason },
      isRevalidation: row.isIdle === 1,
      milliseconds: Math.max(0, now - startedAt),
      endedAt: now,
    };
    this.#f.note(fetch);
    this.#tools.report(fetch);
  }
}

/** A fetch that holds a place. */
interface Call {
  row: FetchRow;
  request: FetchRequest;
  /** Whether `visitorsFirstMs` are over. */
  hasBegun: boolean;
}

interface Lost {
  state: "lost";
  reason: string;
}

/** Returns how long a fetch still waits. Visitors' fetches wait `visitorsFirstMs`; revalidations do not. */
function waitOf({ isIdle }: FetchRow, { admittedAt = 0 }: StoredFetch, now: number): number {
  if (isIdle === 1) return 0;
  // The clock of another machine may have been ahead at the admission.
  return Math.min(REMOTE.visitorsFirstMs, Math.max(0, admittedAt + REMOTE.visitorsFirstMs - now));
}

const againAfterMs = (): number => Math.ceil(REMOTE.lostWaitMinMs + Math.random() * REMOTE.lostWaitSpreadMs);

/** Reads a row of any version of the code; null when nothing can be fetched from it. */
function requestIn({ request }: FetchRow): StoredFetch | null {
  try {
    const read = JSON.parse(request) as Partial<StoredFetch> | null;
    const { key, spaceId, hash, url } = read ?? {};
    const isWhole = [key, spaceId, hash, url].every((text) => typeof text === "string");
    return isWhole ? (read as StoredFetch) : null;
  } catch {
    return null;
  }
}
