/** The Worker as visitors of several regions reach it: the real entrypoints, with the model of the cache in between. */
import { createExecutionContext } from "cloudflare:test";
import { vi } from "vitest";
import { EdgeCache } from "../../../scripts/harness/edge-cache/edge-cache.ts";
import { Cached } from "../../../src/edge/cached.ts";
import type { Env } from "../../../src/edge/config.ts";
import { drainOutbox, type DrainReport } from "../../../src/edge/invalidation/drain.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import handlers from "../../../src/edge/worker.ts";
import { bindings } from "./rows.ts";

const HOST = "https://images.test";

export interface Seen {
  /** Seconds since the test began. */
  at: number;
  region: number;
  status: number;
  /** Path of a redirect, ETag of a file. */
  leadsTo: string | null;
  state: string | null;
  /** The outcome of the cache. */
  cache: string | null;
}

export class Edge {
  readonly cache: EdgeCache;
  readonly regions: number;
  env: Partial<Env> = {};
  /** Requests that the entrypoint `Cached` ran for, by path. */
  readonly runs: string[] = [];
  readonly #start: number;
  #pending: Promise<unknown>[] = [];

  /** Holds the clock: from here on only `pass` moves it. */
  constructor(regions = 2) {
    this.#start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: this.#start });
    this.regions = regions;
    this.cache = new EdgeCache({ regions, now: Date.now, purgeMs: 150 });
  }

  /** Seconds since the test began. */
  get seconds(): number {
    return (Date.now() - this.#start) / 1000;
  }

  pass(ms: number): void {
    vi.setSystemTime(Date.now() + ms);
  }

  #context(region: number): ExecutionContext {
    const waitUntil = (work: Promise<unknown>): void => void this.#pending.push(work);
    const Cached = this.cache.entrypoint(region, (request) => this.#run(request));
    return { waitUntil, exports: { Cached } } as unknown as ExecutionContext;
  }

  async #run(request: Request): Promise<Response> {
    this.runs.push(new URL(request.url).pathname);
    const env = { ...bindings, EDGE_CACHE: "on", ...this.env };
    const context = createExecutionContext();
    const waitUntil = (work: Promise<unknown>): void => void this.#pending.push(work);
    const entrypoint = new Cached(Object.assign(context, { waitUntil }), env);
    return entrypoint.fetch(request);
  }

  /** Returns an answer after all work in its `waitUntil`. */
  async ask(path: string, init: RequestInit = {}, region = 0): Promise<Response> {
    const response = await this.begin(path, init, region);
    await this.settled();
    return response;
  }

  begin(path: string, init: RequestInit = {}, region = 0): Promise<Response> {
    const request = new Request(HOST + path, { redirect: "manual", ...init });
    const env = { ...bindings, EDGE_CACHE: "on", ...this.env };
    return Promise.resolve(handlers.fetch(request, env, this.#context(region)));
  }

  async settled(): Promise<void> {
    while (this.#pending.length > 0) await Promise.allSettled(this.#pending.splice(0));
    await this.cache.settled();
  }

  async visit(path: string, init: RequestInit = {}, region = 0): Promise<Seen> {
    const { status, headers, body } = await this.ask(path, init, region);
    await body?.cancel();
    return {
      at: this.seconds,
      region,
      status,
      leadsTo: headers.get("Location") ?? headers.get("ETag"),
      state: headers.get("X-Service-Transform"),
      cache: headers.get("Cf-Cache-Status"),
    };
  }

  /** Requests every path in every region, once per second. */
  async watch(paths: string[], seconds: number, init: RequestInit = {}): Promise<Seen[]> {
    const seen: Seen[] = [];
    for (let second = 0; second < seconds; second++) {
      for (let region = 0; region < this.regions; region++)
        for (const path of paths) seen.push(await this.visit(path, init, region));
      this.pass(1000);
    }
    return seen;
  }

  /**
   * Invalidates as a request does beside its answer. Time passes in `wait`, which may look at what is seen meanwhile.
   */
  drain(patienceMs: number, wait: (ms: number) => Promise<void>): Promise<DrainReport> {
    return drainOutbox(
      {
        db: database(bindings.DB),
        invalidate: (tags) => Promise.resolve(this.cache.purge(tags)),
        now: Date.now,
        wait,
        log: () => undefined,
      },
      patienceMs,
    );
  }
}
