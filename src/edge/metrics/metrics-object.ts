/**
 * The totals of all isolates (RULES 10.10): one Durable Object per deployment, to which every isolate reports its
 * counts every 10 seconds. It stores all totals as one value, at most once per second.
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
  #isWritePlanned = false;

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

  read(): Promise<MetricsTotals> {
    return this.#load();
  }

  async #load(): Promise<MetricsTotals> {
    if (this.#totals) return this.#totals;
    const stored = await this.ctx.storage.get<MetricsTotals>(KEY);
    // Another call may have loaded the totals and added to them meanwhile.
    this.#totals ??= stored ?? { batch: emptyBatch(), queues: new Map(), sweptAt: null };
    return this.#totals;
  }

  async #writeSoon(totals: MetricsTotals): Promise<void> {
    const waitMs = this.#writtenAt + METRICS.writeEveryMs - Date.now();
    if (waitMs <= 0) return this.#write(totals);
    if (this.#isWritePlanned) return;
    this.#isWritePlanned = true;
    setTimeout(() => {
      this.#isWritePlanned = false;
      void this.#write(totals);
    }, waitMs);
  }

  async #write(totals: MetricsTotals): Promise<void> {
    this.#writtenAt = Date.now();
    await this.ctx.storage.put(KEY, totals);
  }
}
