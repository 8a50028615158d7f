/**
 * The totals of all isolates (RULES 10.10): one Durable Object per deployment, to which every isolate reports its
 * counts every 10 seconds. It stores all totals as one value, at most every 5 seconds. An alarm does the storing that
 * has to wait: an object with a timer would stay awake, and be billed for it, between all reports.
 */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../config.ts";
import { METRICS } from "../../limits.ts";
import type { MetricsApi, MetricsReport, MetricsTotals, QueueReport } from "./messages.ts";
import { addBatch, emptyBatch } from "./tally.ts";

const KEY = "totals";

const isIdle = ({ lanes }: QueueReport): boolean =>
  Object.values(lanes).every(({ waiting }) => waiting === 0);

export class Metrics extends DurableObject<Env> implements MetricsApi {
  #totals: MetricsTotals | null = null;
  #writtenAt = 0;
  #isAlarmSet = false;

  async add({ batch, queues, sweptAt }: MetricsReport): Promise<void> {
    const totals = await this.#load();
    addBatch(totals.batch, batch);
    for (const queue of queues) {
      if (isIdle(queue)) totals.queues.delete(queue.spaceId);
      else totals.queues.set(queue.spaceId, queue.lanes);
    }
    if (sweptAt !== undefined) totals.sweptAt = Math.max(totals.sweptAt ?? 0, sweptAt);
    await this.#writeSoon(totals);
  }

  override async alarm(): Promise<void> {
    this.#isAlarmSet = false;
    await this.#write(await this.#load());
  }

  read(): Promise<MetricsTotals> {
    return this.#load();
  }

  async noteRuns(database: number, runs: number): Promise<number> {
    const key = `runs/${database}`;
    const known = (await this.ctx.storage.get<number>(key)) ?? 0;
    if (runs > known) await this.ctx.storage.put(key, runs);
    return known;
  }

  async #load(): Promise<MetricsTotals> {
    if (this.#totals) return this.#totals;
    const stored = await this.ctx.storage.get<MetricsTotals>(KEY);
    // Another call may have loaded the totals and added to them meanwhile.
    this.#totals ??= stored ?? { batch: emptyBatch(), queues: new Map(), sweptAt: null };
    return this.#totals;
  }

  async #writeSoon(totals: MetricsTotals): Promise<void> {
    const nextAt = this.#writtenAt + METRICS.writeEveryMs;
    if (nextAt <= Date.now()) return this.#write(totals);
    if (this.#isAlarmSet) return;
    this.#isAlarmSet = true;
    await this.ctx.storage.setAlarm(nextAt);
  }

  async #write(totals: MetricsTotals): Promise<void> {
    this.#writtenAt = Date.now();
    await this.ctx.storage.put(KEY, totals);
  }
}
