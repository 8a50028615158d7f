/**
 * The queue of one space (RULES 8.5): it admits, and runs one build at a time by calling the builder. It never decodes,
 * nor waits for a build before it answers. What it decides is in its SQLite before that; what it only holds in memory
 * (who waits, the try under way) a restart may lose.
 */
/* eslint-disable @typescript-eslint/require-await -- what is called over RPC is async, whether it waits or not */
import { DurableObject } from "cloudflare:workers";
import { remoteFetcher, type Env } from "../config.ts";
import { MOVE, QUEUE } from "../../limits.ts";
import { advance } from "../shards/moves/advance.ts";
import { driving, type Worked } from "../shards/moves/move.ts";
import { d1OfSpace } from "../shards/where.ts";
import { Alarm } from "./schedule/alarm.ts";
import { decide, decideFirst, decideIdle } from "./schedule/admission.ts";
import { FetchLane } from "./fetches/fetch-lane.ts";
import { buildVariant } from "./work/build-variant.ts";
import { missingOf, stateOf, usageOf } from "./figures.ts";
import { IdleWork } from "./work/idle-work.ts";
import { recover, settle, settlementOf, take, takeIdle, type Lease } from "./schedule/leases.ts";
import { Journal } from "./journal.ts";
import { logDropped, logFetch } from "./log.ts";
import { GAVE_WAY, makePlaceholder } from "./work/make-placeholder.ts";
import type {
  Admission,
  AdmitRequest,
  FetchActivity,
  FetchAdmission,
  FetchRequest,
  MissingVariants,
  QueueActivity,
  QueueUsage,
  Settlement,
  SpaceQueueApi,
} from "../messages.ts";
import { orderPresets } from "./work/order-presets.ts";
import type { Outcome } from "./work/outcome.ts";
import { reportFetch, reportGone, reportLanes, reportRefusal } from "./report.ts";
import { statements } from "./store/sql.ts";
import { Waiters } from "./schedule/waiters.ts";

interface Run {
  lease: Lease;
  abort: AbortController;
  /** In milliseconds. */
  startedAt: number;
}

export class SpaceQueue extends DurableObject<Env> implements SpaceQueueApi {
  /** Tells this instance's leases from those of one that ended. */
  readonly #instance = crypto.randomUUID();
  readonly #q = statements(this.ctx.storage.sql);
  readonly #journal = new Journal(this.env, this.ctx.storage.sql);
  readonly #waiters = new Waiters();
  readonly #alarm = new Alarm(this.ctx.storage);
  readonly #idle = new IdleWork(this.#q, {
    makePlaceholder: (attempt) => makePlaceholder(this.env, attempt),
    orderPresets: async (spaceId) => orderPresets(await d1OfSpace(this.env, spaceId), this.#q, spaceId),
    startBuild: (now) => this.#startIdle(now),
    ended: () => this.#next(),
  });
  readonly #fetches = new FetchLane(this.#q, this.ctx.storage.sql, this.#instance, {
    fetchPicture: (request) => remoteFetcher(this.ctx).fetchPicture(request),
    removePicture: (request) => remoteFetcher(this.ctx).removePicture(request),
    isQuiet: () => this.#isIdle(),
    admitFirst: (request, now) => decideFirst(this.#q, request, now),
    report: (fetch) => {
      logFetch(this.ctx.id.name, fetch);
      reportFetch(this.env, fetch);
    },
    ended: () => this.#next(),
  });
  #opened = false;
  #run: Run | null = null;

  async admit(request: AdmitRequest): Promise<Admission> {
    this.#open();
    const admission = this.ctx.storage.transactionSync(() => decide(this.#q, request, Date.now()));
    this.#journal.admitted(admission, Date.now());
    if (admission.state === "accepted") this.#adopt(request);
    this.#next();
    if (admission.state === "accepted") reportLanes(this.env, request.spaceId, this.#q, Date.now());
    return admission;
  }

  async buildWhenIdle(request: AdmitRequest): Promise<boolean> {
    this.#open();
    const isPlanned = decideIdle(this.#q, request, Date.now());
    if (this.#q.hasIdleJobs()) this.#idle.plan(request.spaceId, Date.now());
    this.#next();
    return isPlanned;
  }

  async admitFetch(request: FetchRequest): Promise<FetchAdmission> {
    this.#open();
    const admission = this.ctx.storage.transactionSync(() => this.#fetches.admit(request, Date.now()));
    reportRefusal(this.env, admission);
    if (admission.state === "accepted") this.#giveWayToFetch();
    // Nothing was admitted, so nothing can start.
    if (admission.state !== "limited") this.#next();
    return admission;
  }

  async fetchWhenIdle(request: FetchRequest): Promise<boolean> {
    this.#open();
    const isPlanned = this.#fetches.whenIdle(request, Date.now());
    this.#fetches.giveWay(Date.now());
    this.#next();
    return isPlanned;
  }

  async forgetFetch(key: string): Promise<void> {
    this.#open();
    this.#fetches.forget(key);
  }

  async fetches(): Promise<FetchActivity> {
    this.#open();
    return this.#fetches.activity();
  }

  async settled(key: string): Promise<Settlement> {
    this.#open();
    if (this.#q.laneOf(key)) return this.#waiters.wait(key);
    return settlementOf(this.#q, key, Date.now());
  }

  async usage(): Promise<QueueUsage> {
    this.#open();
    return usageOf(this.#q, Date.now());
  }

  async activity(): Promise<QueueActivity> {
    this.#open();
    const now = Date.now();
    return { ...this.#journal.read(now), ...stateOf(this.#q, now) };
  }

  async missingVariants(prefix: string): Promise<MissingVariants> {
    this.#open();
    return missingOf(this.#q, prefix, Date.now());
  }

  async makePlaceholders(spaceId: string): Promise<void> {
    this.#open();
    this.#idle.announce(spaceId, Date.now());
    this.#next();
  }

  async workOnMove(spaceId: string, shard: number): Promise<Worked> {
    const log = (event: Record<string, unknown>): void => console.error(JSON.stringify(event));
    return advance(this.env, shard, spaceId, driving(MOVE.callMs, log));
  }

  async wake(): Promise<void> {
    this.#open();
    this.#alarm.forget();
    this.#next();
  }

  async clear(): Promise<void> {
    // Runs alone: a job admitted between the two deletions would be left without its tables.
    await this.ctx.blockConcurrencyWhile(async () => {
      this.#run?.abort.abort();
      this.#run = null;
      this.#idle.stop("the space was removed");
      this.#fetches.stop();
      await this.ctx.storage.deleteAlarm();
      await this.ctx.storage.deleteAll();
      this.#opened = false;
      this.#alarm.forget();
      this.#waiters.settleAll({ state: "failed", reason: "the space was removed" });
    });
    const spaceId = this.ctx.id.name;
    if (spaceId !== undefined) reportGone(this.env, spaceId);
  }

  /** Ends a build that is past its time, starts what waits, removes what is past. May come late, early or twice. */
  override async alarm(): Promise<void> {
    this.#alarm.forget();
    this.#open();
    try {
      this.#endOverdue(Date.now());
      this.#tidy(Date.now());
    } finally {
      this.#next();
    }
  }

  /** Prepares the tables, and the work that an earlier instance left running or waiting, before anything else. */
  #open(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#q.createTables();
    this.#journal.createTables();
    this.#fetches.createTables();
    const now = Date.now();
    this.#fetches.recover(now);
    const outcome: Outcome = { state: "lost", reason: "the queue was restarted during the build" };
    for (const { row, settled } of recover(this.#q, this.#instance, now)) {
      this.#journal.tried({ row, outcome, settled, startedAt: now }, now);
    }
    this.#next();
  }

  /** Starts the next build unless one runs, idle work when there is none, and sees to it that the alarm comes back for whatever is left. */
  #next(): void {
    const now = Date.now();
    this.#giveWay();
    if (!this.#run && !this.#idle.takesTurn(now)) {
      const { lease, unreadable } = this.ctx.storage.transactionSync(() =>
        take(this.#q, this.#instance, now),
      );
      for (const row of unreadable) {
        logDropped(row);
        this.#waiters.settle(row.key, { state: "unknown" });
      }
      if (lease) this.#start(lease);
    }
    if (this.#isIdle()) this.#idle.next(now);
    else this.#fetches.giveWay(now);
    this.#fetches.next(now);
    const running = this.#q.running();
    this.#alarm.arm([
      running ? Math.min(running.leaseUntil, now + QUEUE.heartbeatMs) : this.#q.nextRetryAt(now),
      this.#q.tidyAt(),
      this.#isIdle() || this.#idle.hasTurn ? this.#idle.dueAt() : null,
      this.#fetches.dueAt(now),
    ]);
  }

  /** Returns whether the queue is idle. A build that waits for its next attempt counts as work. */
  #isIdle(): boolean {
    return !this.#run && !this.#q.hasVisitorsJobs();
  }

  /** Gives a build to a visitor who wants a variant that is being built ahead: from here on it is theirs. */
  #adopt({ key, lane }: AdmitRequest): void {
    if (this.#run?.lease.key === key) this.#run.lease.lane = lane;
  }

  /** Stops the idle build, because a visitor's build waits. It goes on later. */
  #giveWay(): void {
    if (this.#q.hasVisitorsJobs()) this.#stopIdleBuild();
  }

  /**
   * Stops the idle work, because a visitor waits for a page, and the fetch's build will be next. It goes on once the
   * queue has been quiet, even if the fetch still runs: an origin that hangs holds it up no longer. A placeholder that
   * has its turn stays.
   */
  #giveWayToFetch(): void {
    if (this.#idle.hasTurn) return;
    this.#stopIdleBuild();
    this.#idle.giveWay(Date.now());
  }

  #stopIdleBuild(): void {
    const run = this.#run;
    if (run?.lease.lane !== "idle") return;
    this.#run = null;
    this.#q.putBackUncounted(run.lease.seq);
    run.abort.abort(GAVE_WAY);
  }

  #startIdle(now: number): boolean {
    const lease = takeIdle(this.#q, this.#instance, now);
    if (lease) this.#start(lease);
    return lease !== null;
  }

  #start(lease: Lease): void {
    if (lease.lane !== "idle") this.#idle.giveWay(Date.now());
    const run: Run = { lease, abort: new AbortController(), startedAt: Date.now() };
    this.#run = run;
    const attempt = {
      lease,
      signal: run.abort.signal,
      enterRoom: (room: number) => {
        lease.room = room;
        this.#q.enterRoom(lease.seq, room);
      },
    };
    // Not awaited: admissions go on meanwhile. The pending call keeps the object, the lease what it owes.
    void buildVariant(this.env, attempt)
      .catch((error: unknown): Outcome => ({ state: "lost", reason: String(error) }))
      .then((outcome) => this.#finish(run, outcome));
  }

  /** Writes an outcome down once: a run that was given up has had its own. */
  #finish(run: Run, outcome: Outcome): void {
    if (this.#run !== run) return;
    this.#run = null;
    const { lease, startedAt } = run;
    const now = Date.now();
    if (lease.lane !== "idle") this.#idle.giveWay(now);
    const settled = this.ctx.storage.transactionSync(() => {
      const settlement = settle(this.#q, lease, outcome, now);
      this.#journal.tried({ row: lease, outcome, settled: settlement, startedAt }, now);
      return settlement;
    });
    if (lease.lane === "idle") this.#idle.buildEnded(settled !== null, now);
    if (settled) this.#waiters.settle(lease.key, settled);
    this.#next();
    reportLanes(this.env, lease.job.spaceId, this.#q, now);
  }

  #endOverdue(now: number): void {
    const running = this.#q.running();
    const run = this.#run;
    if (!running || !run || now < running.leaseUntil) return;
    this.#finish(run, { state: "lost", reason: "the build did not end in its time", silent: true });
    run.abort.abort();
  }

  #tidy(now: number): void {
    const due = this.#q.tidyAt();
    if (due === null || now < due) return;
    const left = this.ctx.storage.transactionSync(() => this.#q.tidy(now, QUEUE.coldWindowMs));
    if (left) this.#q.planTidying(now + QUEUE.coldWindowMs);
  }
}
