/**
 * Runs one day of views through the real entrypoints. Each region has isolates with their own memory. A model of the
 * edge's cache stands between the entrypoints. Simulated D1, R2 and Durable Objects count their calls.
 */
import { EdgeCache } from "../../harness/edge-cache/edge-cache.ts";
import { randomOf } from "../../samples/random.ts";
import { Clock } from "./clock.ts";
import { IsolatePool } from "./isolate-pool.ts";
import { isolatesOf, type Context } from "./isolates.ts";
import { namespaceOf, SimulatedMetrics, SimulatedQueue, type ObjectCalls } from "./objects.ts";
import { keyOfVariant, ROOT_TOKEN, Site, WIDTH, type SitePicture } from "./site.ts";
import type { Result, Way } from "./result.ts";
import { newCalls, newStorage, SimulatedD1, sumOf, type D1Calls, type D1Storage } from "./simulated-d1.ts";
import { SimulatedR2, type R2Calls } from "./simulated-r2.ts";
import { ALL_ACCEPTS, eventsOf, type Day, type View } from "./traffic.ts";

const START = Date.UTC(2026, 10, 1);
/** The lag of a replica. The primary is in region 0. */
const REPLICA_LAG_MS = 1000;
/** A trashed picture must answer 404 within this time (RULES 4.4). */
const BOUND_MS = 10_000;
const HOST = "https://images.example";

export class Simulation {
  readonly #clock = new Clock(START);
  /** The calls of each database, by views and by sweeps. */
  readonly #d1: D1Calls[];
  readonly #sweepD1: D1Calls[];
  readonly #r2: R2Calls = { reads: 0, writes: 0 };
  readonly #objects: ObjectCalls = { queue: 0, metrics: 0, writes: 0, metricsActiveMs: 0, builds: 0 };
  readonly #storages: D1Storage[];
  readonly #bucket = new SimulatedR2(this.#r2);
  readonly #cache: EdgeCache;
  readonly #site: Site;
  /** By region, for views and for sweeps. */
  readonly #environments: unknown[];
  readonly #sweepEnvironment: unknown;
  readonly #troubles = new Map<string, number>();
  readonly #counts = {
    requests: 0,
    loopbacks: 0,
    runs: 0,
    views: 0,
    viewsWithoutD1: 0,
    sweeps: 0,
    stale: 0,
    wrong: 0,
  };
  #isolates!: IsolatePool;
  #pending: Promise<unknown>[] = [];

  readonly #day: Day;
  readonly #way: Way;

  private constructor(day: Day, way: Way) {
    this.#day = day;
    this.#way = way;
    const { regions, pictures, spaces = 1, databases = 1, isEvened = false } = day;
    const calls = (): D1Calls[] => Array.from({ length: databases }, newCalls);
    [this.#d1, this.#sweepD1] = [calls(), calls()];
    this.#storages = Array.from({ length: databases }, newStorage);
    this.#cache = new EdgeCache({ regions, now: this.#clock.now });
    this.#site = new Site(this.#storages, this.#bucket, { pictures, spaces, isEvened, now: START });
    const queue = new SimulatedQueue(this.#clock, this.#objects, async ({ key, ...at }) => {
      this.#bucket.hold(key);
      const { commitVariant } = this.#isolates.of(0);
      const d1 = this.#d1Of(0, this.#site.shardOf(at.spaceId), this.#d1);
      await commitVariant(d1, at, SimulatedR2.sizeBytes, this.#clock.now());
    });
    const metrics = new SimulatedMetrics(this.#clock, this.#objects);
    const environment = (region: number, counts: readonly D1Calls[]) => ({
      ...Object.fromEntries(
        counts.map((_, shard) => [shard === 0 ? "DB" : `DB_${shard}`, this.#d1Of(region, shard, counts)]),
      ),
      BUCKET: this.#bucket,
      ASSETS: {},
      SPACE_QUEUE: namespaceOf(queue),
      BUILD_ROOM: namespaceOf({}),
      METRICS: namespaceOf(metrics),
      IMAGE_FLOOD: OPEN,
      FILE_FLOOD: OPEN,
      DIRECT_FLOOD: OPEN,
      ROOT_TOKEN,
      CURSOR_SECRET: ROOT_TOKEN,
      EDGE_CACHE: way.edgeCache,
      LOG_SAMPLE: "0",
    });
    this.#environments = Array.from({ length: regions }, (_, region) => environment(region, this.#d1));
    this.#sweepEnvironment = environment(0, this.#sweepD1);
  }

  static async run(
    day: Day,
    way: Way,
    onProgress: (views: number) => void = () => undefined,
  ): Promise<Result> {
    const simulation = new Simulation(day, way);
    const make = await isolatesOf(simulation.#clock, (line) => simulation.#note(line));
    simulation.#isolates = new IsolatePool(make, simulation.#clock, randomOf(5), day.regions);
    for (const event of eventsOf(day)) {
      await simulation.#clock.passTo(START + event.at);
      if (event.kind === "view") await simulation.#view(event);
      else if (event.kind === "sweep") await simulation.#sweep();
      else if (event.kind === "trash") await simulation.#trash(event.rank);
      else simulation.#site.upload(event.rank, simulation.#clock.now());
      if (event.kind === "view" && simulation.#counts.views % 50_000 === 0)
        onProgress(simulation.#counts.views);
    }
    await simulation.#clock.passTo(simulation.#clock.now() + 120_000);
    return simulation.#result();
  }

  #note(line: string): void {
    const event = /"event":"([^"]+)"/.exec(line)?.[1];
    const reason = /"reason":"([^"]+)"/.exec(line)?.[1];
    const trouble = event
      ? [event, reason?.replace(/\d+(\.\d+)?/g, "N")].filter(Boolean).join(": ")
      : line.slice(0, 60);
    this.#troubles.set(trouble, (this.#troubles.get(trouble) ?? 0) + 1);
  }

  #d1Of(region: number, shard: number, counts: readonly D1Calls[]): SimulatedD1 {
    const [storage, calls] = [this.#storages[shard], counts[shard]] as [D1Storage, D1Calls];
    return new SimulatedD1(storage, this.#clock.now, calls, region === 0 ? null : REPLICA_LAG_MS);
  }

  /** Returns how many queries views have made. */
  #queries(): number {
    return sumOf(this.#d1, "queries");
  }

  #context(region: number): Context {
    const waitUntil = (work: Promise<unknown>): void => void this.#pending.push(work);
    const entrypoint = this.#cache.entrypoint(region, (request) => this.#runCached(region, request));
    const fetch = (url: string, init: RequestInit): Promise<Response> => {
      this.#counts.loopbacks += 1;
      return entrypoint.fetch(url, init);
    };
    const invalidate = (tags: string[]): Promise<boolean> => {
      this.#counts.loopbacks += 1;
      return this.#way.invalidate ? this.#way.invalidate(tags) : entrypoint.invalidate(tags);
    };
    return { waitUntil, exports: { Cached: { fetch, invalidate } } };
  }

  #runCached(region: number, request: Request): Promise<Response> {
    this.#counts.runs += 1;
    const waitUntil = (work: Promise<unknown>): void => void this.#pending.push(work);
    const { Cached } = this.#isolates.of(region);
    return new Cached({ waitUntil }, this.#environments[region]).fetch(request);
  }

  /**
   * Sends a request to the default entrypoint. Its background work stays pending. Returns the status and the location.
   */
  async #ask(
    region: number,
    path: string,
    init: RequestInit = {},
  ): Promise<{ status: number; location: string }> {
    this.#counts.requests += 1;
    this.#counts.runs += 1;
    const request = new Request(HOST + path, { redirect: "manual", ...init });
    const { handlers } = this.#isolates.of(region);
    const response = await handlers.fetch(request, this.#environments[region], this.#context(region));
    await response.body?.cancel();
    return { status: response.status, location: response.headers.get("Location") ?? "" };
  }

  async #settle(): Promise<void> {
    while (this.#pending.length > 0) await Promise.allSettled(this.#pending.splice(0));
    await this.#cache.settled();
  }

  async #view({ region, rank, accept }: View): Promise<void> {
    const queriesBefore = this.#queries();
    this.#counts.views += 1;
    const picture = this.#site.at(rank);
    const { trashedAt } = picture;
    const shown = await this.#look(region, picture, accept);
    await this.#settle();
    if (this.#queries() === queriesBefore) this.#counts.viewsWithoutD1 += 1;
    if (trashedAt === null) this.#counts.wrong += shown === "shown" ? 0 : 1;
    else if (this.#clock.now() > trashedAt + BOUND_MS) this.#counts.stale += shown === "gone" ? 0 : 1;
  }

  /** Makes one view by a browser with an empty cache: the redirect, and the file that it leads to. */
  async #look(
    region: number,
    { id, space }: SitePicture,
    accept: string,
  ): Promise<"shown" | "gone" | "wrong"> {
    const headers = { Accept: accept };
    const path = `/api/v1/${space.name}/pictures/${id}?w=${WIDTH}&auto=format`;
    const { status, location } = await this.#ask(region, path, { headers });
    if (status === 404) return "gone";
    if (status !== 302) return "wrong";
    const file = await this.#ask(region, location, { headers });
    if (file.status === 404) return "gone";
    return file.status === 200 ? "shown" : "wrong";
  }

  async #trash(rank: number): Promise<void> {
    const picture = this.#site.at(rank);
    if (picture.trashedAt !== null) return;
    const path = `/api/v1/${picture.space.name}/media/${picture.id}`;
    const headers = { Authorization: `Bearer ${ROOT_TOKEN}` };
    const { status } = await this.#ask(0, path, { method: "DELETE", headers });
    if (status !== 200) this.#counts.wrong += 1;
    picture.trashedAt = this.#clock.now();
    // Invalidations wait for the clock, so they run beside the next events.
    await this.#clock.turns();
    this.#pending = [];
    this.#clock.setTimeout(() => void this.#probe(picture), BOUND_MS + 1);
  }

  /** Checks in every region, right after the bound, that neither redirects nor files are served. Counts no call. */
  async #probe(picture: SitePicture): Promise<void> {
    const before = this.#allCounts().map((counts) => ({ ...counts }));
    let stale = 0;
    for (let region = 0; region < this.#day.regions; region++) {
      for (const accept of ALL_ACCEPTS)
        if ((await this.#look(region, picture, accept)) !== "gone") stale += 1;
      const { status } = await this.#ask(region, `/cdn/${keyOfVariant(picture)}`);
      if (status !== 404) stale += 1;
    }
    this.#allCounts().forEach((counts, i) => Object.assign(counts, before[i]));
    this.#counts.stale += stale;
  }

  #allCounts(): object[] {
    return [...this.#d1, this.#r2, this.#objects, this.#counts];
  }

  async #sweep(): Promise<void> {
    this.#counts.runs += 1;
    this.#counts.sweeps += 1;
    const { handlers } = this.#isolates.of(0);
    const swept = handlers.scheduled({}, this.#sweepEnvironment, this.#context(0));
    swept.catch((error: unknown) => this.#note(String(error)));
    // Its invalidation waits for the clock, so it runs beside the next events.
    await this.#clock.turns();
    this.#pending = [];
  }

  #result(): Result {
    const { requests, loopbacks, runs, views, viewsWithoutD1, stale, wrong } = this.#counts;
    const all = [...this.#d1, ...this.#sweepD1];
    return {
      ...{ requests, loopbacks, runs, views, viewsWithoutD1 },
      d1Queries: sumOf(all, "queries"),
      d1Statements: sumOf(all, "statements"),
      d1Changes: sumOf(all, "changes"),
      queriesOf: this.#d1.map(({ queries, places }, shard) => ({
        views: queries,
        places,
        sweeps: this.#sweepD1[shard]?.queries ?? 0,
      })),
      moves: this.#site.moves,
      placeQueries: sumOf(this.#d1, "places"),
      r2Reads: this.#r2.reads,
      r2Writes: this.#r2.writes,
      queueCalls: this.#objects.queue,
      metricsCalls: this.#objects.metrics,
      objectCalls: this.#objects.queue + this.#objects.metrics,
      objectActiveMs: this.#objects.metricsActiveMs,
      objectWrites: this.#objects.writes,
      // One per sweep, and one per request of the sample.
      logLines: Math.round(requests * this.#way.logSample) + this.#counts.sweeps,
      invalidations: this.#cache.purges.length,
      staleAnswers: stale,
      wrongAnswers: wrong,
      builds: this.#objects.builds,
      troubles: this.#troubles,
    };
  }
}

const OPEN = { limit: () => Promise.resolve({ success: true }) };
