/**
 * A model of Workers Caching, which no local runtime has: one lower tier per region, an upper one behind all of them if
 * it is wished for, collapsed requests, `Vary`, ranges and conditions from stored answers, `stale-while-revalidate`,
 * stale answers when the Worker fails, and purges by tag under the platform's limits. After
 * https://developers.cloudflare.com/workers/cache/. Where that leaves a choice, the model takes the one that is worse
 * for the Worker: an answer that was under way during a purge is stored after it.
 */
import { setClock, StoredAnswer, withoutConsumed } from "./stored.ts";

export type Run = (request: Request) => Promise<Response>;

export interface EdgeCacheOptions {
  regions: number;
  upperTier: boolean;
  /** The present time in milliseconds. */
  now: () => number;
  /** The time between an accepted purge and the removal of the last copy. */
  purgeMs: number;
  /** Calls that are allowed at once, and calls that are refilled per minute. */
  purgeBurst: number;
  purgesPerMinute: number;
  /** Called for each replay of a stored answer. */
  onReplay: (region: number, url: URL, state: "fresh" | "updating" | "failed") => void;
}

const OPTIONS: EdgeCacheOptions = {
  regions: 1,
  upperTier: false,
  now: Date.now,
  purgeMs: 150,
  purgeBurst: 25,
  purgesPerMinute: 5,
  onReplay: () => undefined,
};
const TAGS_PER_PURGE = 100;

type Tier = Map<string, StoredAnswer[]>;

export class EdgeCache {
  readonly #options: EdgeCacheOptions;
  readonly #lower: Tier[];
  readonly #upper: Tier | null;
  /** Running requests, by region and key. Further requests for the same answer wait for them. */
  readonly #locks = new Map<string, Promise<unknown>>();
  /** Times at which purges of a tag take effect, earliest first: the last past one, and all future ones. */
  readonly #purgedAt = new Map<string, number[]>();
  #allowance: { calls: number; at: number };
  /** Running refreshes in the background. */
  readonly #background = new Set<Promise<unknown>>();
  readonly purges: { at: number; tags: string[]; accepted: boolean }[] = [];

  constructor(options: Partial<EdgeCacheOptions> = {}) {
    this.#options = { ...OPTIONS, ...options };
    this.#lower = Array.from({ length: this.#options.regions }, (): Tier => new Map());
    this.#upper = this.#options.upperTier ? new Map() : null;
    this.#allowance = { calls: this.#options.purgeBurst, at: this.#options.now() };
    setClock(this.#options.now);
  }

  /** Returns a cached entrypoint in one region, like those of `ctx.exports`. */
  entrypoint(region: number, run: Run) {
    return {
      fetch: (url: string, init: RequestInit): Promise<Response> =>
        this.fetch(region, new Request(url, init), run),
      invalidate: (tags: string[]): Promise<boolean> => Promise.resolve(this.purge(tags)),
    };
  }

  async fetch(region: number, request: Request, run: Run): Promise<Response> {
    if (request.method !== "GET" && request.method !== "HEAD") return withoutConsumed(await run(request));
    const { pathname, search } = new URL(request.url);
    const key = pathname + search;
    const replayed = this.#replay(region, key, request, run);
    if (replayed) return replayed;
    const lock = `${region} ${key} ${request.headers.get("Accept")}`;
    const ahead = this.#locks.get(lock);
    if (!ahead) {
      const filled = this.#fill(region, key, request, run);
      this.#locks.set(
        lock,
        filled.catch(() => undefined).finally(() => this.#locks.delete(lock)),
      );
      return filled;
    }
    await ahead;
    // If the answer could not be stored, it cannot be shared, so the Worker runs again.
    return this.#replay(region, key, request, run) ?? this.#fill(region, key, request, run);
  }

  /** Purges tags, which takes effect in all tiers a moment later. @returns whether the call is allowed */
  purge(tags: string[]): boolean {
    const { now, purgeBurst, purgesPerMinute, purgeMs } = this.#options;
    const at = now();
    const refilled = this.#allowance.calls + ((at - this.#allowance.at) / 60_000) * purgesPerMinute;
    this.#allowance = { calls: Math.min(purgeBurst, refilled), at };
    const accepted = this.#allowance.calls >= 1 && tags.length <= TAGS_PER_PURGE;
    this.purges.push({ at, tags, accepted });
    if (!accepted) return false;
    this.#allowance.calls -= 1;
    for (const tag of tags.map((given) => given.toLowerCase())) {
      const before = this.#purgedAt.get(tag) ?? [];
      const lastOver = before.findLastIndex((time) => time <= at);
      this.#purgedAt.set(tag, [...before.slice(Math.max(0, lastOver)), at + purgeMs]);
    }
    return true;
  }

  /** Resolves when no refresh runs in the background. */
  async settled(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  #replay(region: number, key: string, request: Request, run: Run): Response | null {
    const { onReplay } = this.#options;
    const stored =
      this.#find(this.#lower[region] as Tier, key, request) ?? this.#fromUpper(region, key, request);
    const state = stored?.state();
    if (!stored || state === "stale" || state === undefined) return null;
    if (state === "updating") this.#refresh(region, key, request, run);
    onReplay(region, new URL(request.url), state);
    return stored.answer(request, state === "fresh" ? "HIT" : "UPDATING");
  }

  #refresh(region: number, key: string, request: Request, run: Run): void {
    const lock = `refresh ${region} ${key} ${request.headers.get("Accept")}`;
    if (this.#locks.has(lock)) return;
    const refreshed = this.#fill(region, key, request, run)
      .then((response) => response.body?.cancel())
      .catch(() => undefined)
      .finally(() => {
        this.#locks.delete(lock);
        this.#background.delete(refreshed);
      });
    this.#locks.set(lock, refreshed);
    this.#background.add(refreshed);
  }

  #fromUpper(region: number, key: string, request: Request): StoredAnswer | null {
    const stored = this.#upper && this.#find(this.#upper, key, request);
    if (!stored || stored.state() !== "fresh") return null;
    this.#keep(this.#lower[region] as Tier, key, request, stored);
    return stored;
  }

  #find(tier: Tier, key: string, request: Request): StoredAnswer | null {
    const now = this.#options.now();
    const all = tier.get(key) ?? [];
    const left = all.filter(({ storedAt, tags }) =>
      tags.every((tag) => !this.#purgedAt.get(tag)?.some((at) => at <= now && at >= storedAt)),
    );
    if (left.length === 0) tier.delete(key);
    else if (left.length < all.length) tier.set(key, left);
    return left.find((stored) => stored.fits(request)) ?? null;
  }

  #keep(tier: Tier, key: string, request: Request, stored: StoredAnswer): void {
    tier.set(key, [...(tier.get(key) ?? []).filter((other) => !other.fits(request)), stored]);
  }

  /** Runs the Worker, always for the whole file, and stores the answer if possible. */
  async #fill(region: number, key: string, request: Request, run: Run): Promise<Response> {
    const { now, onReplay } = this.#options;
    const old = this.#find(this.#lower[region] as Tier, key, request);
    const headers = new Headers(request.headers);
    for (const name of ["Range", "If-Range", "If-None-Match"]) headers.delete(name);
    for (const [name, value] of Object.entries(old?.validators() ?? {})) headers.set(name, value);
    const whole = new Request(request.url, { headers, redirect: "manual" });
    const answered = await run(whole).catch((error: unknown) => {
      if (!old) throw error;
      return null;
    });
    if (old && (!answered || answered.status >= 500)) {
      await answered?.body?.cancel();
      onReplay(region, new URL(request.url), "failed");
      return old.answer(request, "STALE");
    }
    if (!answered) throw new Error("unreachable: without an answer there was an old one");
    const stored =
      old && answered.status === 304
        ? old.confirmed(whole, answered, now())
        : await StoredAnswer.of(whole, answered, now());
    if (!stored) return bypass(request, answered);
    for (const tier of [this.#lower[region] as Tier, ...(this.#upper ? [this.#upper] : [])])
      this.#keep(tier, key, whole, stored);
    return stored.answer(request, old ? "EXPIRED" : "MISS");
  }
}

async function bypass(request: Request, answered: Response): Promise<Response> {
  const shown = withoutConsumed(answered);
  shown.headers.set("Cf-Cache-Status", "BYPASS");
  if (request.method !== "HEAD") return shown;
  await shown.body?.cancel();
  return new Response(null, shown);
}
