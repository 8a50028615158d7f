import { describe, expect, it } from "vitest";
import { EdgeCache, type EdgeCacheOptions } from "../../../scripts/harness/edge-cache/edge-cache.ts";

/** A Worker behind the cache, on a clock that only the test moves. */
class Setup {
  now = 1_000_000;
  runs: Request[] = [];
  answer: (request: Request) => Response | Promise<Response>;
  readonly cache: EdgeCache;

  constructor(answer: Setup["answer"], options: Partial<EdgeCacheOptions> = {}) {
    this.answer = answer;
    this.cache = new EdgeCache({ now: () => this.now, purgeMs: 0, ...options });
  }

  get(path: string, init: RequestInit = {}, region = 0): Promise<Response> {
    return this.cache.fetch(region, new Request(`https://cached${path}`, init), (request) => {
      this.runs.push(request);
      return Promise.resolve(this.answer(request));
    });
  }
}

const with300 =
  (headers: Record<string, string> = {}) =>
  () =>
    new Response("0123456789", {
      headers: { "Cache-Control": "public, max-age=300", ETag: '"a"', ...headers },
    });

describe("the model of the edge's cache", () => {
  it("replays what is fresh, for the edge's own time when that is stated", async () => {
    const setup = new Setup(with300({ "Cloudflare-CDN-Cache-Control": "max-age=1000", "Cache-Tag": "x" }));
    const first = await setup.get("/a");
    expect(first.headers.get("Cloudflare-CDN-Cache-Control")).toBeNull();
    expect(first.headers.get("Cache-Tag")).toBeNull();
    setup.now += 999_000;
    const second = await setup.get("/a");
    expect([second.headers.get("Cf-Cache-Status"), second.headers.get("Age")]).toEqual(["HIT", "999"]);
    expect(setup.runs).toHaveLength(1);
    setup.now += 1000;
    await setup.get("/a");
    expect(setup.runs).toHaveLength(2);
  });

  it("keeps by path and query, not by host, and by the headers that vary", async () => {
    const headers = { "Cache-Control": "max-age=9", Vary: "Accept" };
    const setup = new Setup((request) => new Response(request.headers.get("Accept"), { headers }));
    const accept = (value: string) => ({ headers: { Accept: value } });
    await setup.get("/a?x=1", accept("image/avif"));
    expect(await (await setup.get("/a?x=1", accept("image/avif"))).text()).toBe("image/avif");
    expect(await (await setup.get("/a?x=1", accept("image/webp"))).text()).toBe("image/webp");
    await setup.get("/a?x=2", accept("image/avif"));
    expect(setup.runs).toHaveLength(3);
    expect(await (await setup.get("/a?x=1", accept("image/avif"))).text()).toBe("image/avif");
    expect(setup.runs).toHaveLength(3);
  });

  it("requests the whole file, and answers ranges, conditions and HEAD from it", async () => {
    const setup = new Setup(with300());
    const part = await setup.get("/a", { headers: { Range: "bytes=2-4" } });
    expect([part.status, await part.text(), part.headers.get("Content-Range")]).toEqual([
      206,
      "234",
      "bytes 2-4/10",
    ]);
    expect(setup.runs[0]?.headers.get("Range")).toBeNull();
    expect((await setup.get("/a", { headers: { Range: "bytes=-2" } })).status).toBe(206);
    expect((await setup.get("/a", { headers: { Range: "bytes=10-" } })).status).toBe(416);
    expect((await setup.get("/a", { headers: { "If-None-Match": '"a"' } })).status).toBe(304);
    const head = await setup.get("/a", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(setup.runs).toHaveLength(1);
  });

  it("stores neither no-store nor 206 nor cookies, but 404 without a word for three minutes", async () => {
    for (const response of [
      () => new Response("x", { headers: { "Cache-Control": "no-store" } }),
      () => new Response("x", { status: 206, headers: { "Cache-Control": "max-age=9" } }),
      () => new Response("x", { headers: { "Cache-Control": "max-age=9", "Set-Cookie": "a=b" } }),
    ]) {
      const setup = new Setup(response);
      for (let n = 0; n < 2; n++)
        expect((await setup.get("/a")).headers.get("Cf-Cache-Status")).toBe("BYPASS");
      expect(setup.runs).toHaveLength(2);
    }
    const silent = new Setup(() => new Response("x", { status: 404 }));
    await silent.get("/a");
    silent.now += 179_000;
    await silent.get("/a");
    expect(silent.runs).toHaveLength(1);
  });

  it("runs the Worker once for requests at once, and for each where nothing can be stored", async () => {
    for (const [control, runs] of [
      ["max-age=9", 1],
      ["no-store", 20],
    ] as const) {
      const setup = new Setup(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return new Response("x", { headers: { "Cache-Control": control } });
      });
      const answers = await Promise.all(Array.from({ length: 20 }, () => setup.get("/a")));
      for (const answer of answers) expect(await answer.text()).toBe("x");
      expect(setup.runs).toHaveLength(runs);
    }
  });

  it("serves stale answers while it revalidates, and when the Worker fails; a 304 confirms them", async () => {
    const setup = new Setup(with300({ "Cache-Control": "max-age=10, stale-while-revalidate=10" }));
    await setup.get("/a");
    setup.now += 10_000;
    setup.answer = (request) =>
      request.headers.get("If-None-Match") === '"a"'
        ? new Response(null, { status: 304, headers: { "Cache-Control": "max-age=10", ETag: '"a"' } })
        : new Response("other");
    const updating = await setup.get("/a");
    expect([updating.headers.get("Cf-Cache-Status"), await updating.text()]).toEqual([
      "UPDATING",
      "0123456789",
    ]);
    await setup.cache.settled();
    expect((await setup.get("/a")).headers.get("Cf-Cache-Status")).toBe("HIT");
    expect(setup.runs).toHaveLength(2);
    setup.now += 60_000;
    setup.answer = () => new Response("x", { status: 503 });
    const stale = await setup.get("/a");
    expect([stale.status, stale.headers.get("Cf-Cache-Status"), await stale.text()]).toEqual([
      200,
      "STALE",
      "0123456789",
    ]);
  });

  it("has a cache per region, and optionally an upper tier behind all of them", async () => {
    for (const [upperTier, runs] of [
      [false, 3],
      [true, 1],
    ] as const) {
      const setup = new Setup(with300(), { regions: 3, upperTier });
      for (const region of [0, 1, 2, 0, 1, 2]) await setup.get("/a", {}, region);
      expect(setup.runs).toHaveLength(runs);
    }
  });

  it("purges by tag in all regions, a moment after the call", async () => {
    const setup = new Setup(with300({ "Cache-Tag": "media:A,space:b" }), { regions: 2, purgeMs: 150 });
    const status = async (region: number) =>
      (await setup.get("/a", {}, region)).headers.get("Cf-Cache-Status");
    for (const region of [0, 1]) await status(region);
    expect(setup.cache.purge(["other"])).toBe(true);
    expect(setup.cache.purge(["MEDIA:a"])).toBe(true);
    expect(await status(0)).toBe("HIT");
    setup.now += 151;
    expect([await status(0), await status(1)]).toEqual(["MISS", "MISS"]);
    expect([await status(0), await status(1)]).toEqual(["HIT", "HIT"]);
  });

  it("restores nothing while the same tag is purged again", async () => {
    const setup = new Setup(with300({ "Cache-Tag": "a" }), { purgeMs: 150 });
    const status = async () => (await setup.get("/a")).headers.get("Cf-Cache-Status");
    await status();
    setup.cache.purge(["a"]);
    setup.now += 10_000;
    setup.cache.purge(["a"]);
    expect(await status()).toBe("MISS");
    setup.now += 151;
    expect(await status()).toBe("MISS");
    expect(await status()).toBe("HIT");
  });

  it("refuses purges over 25 at once, over five a minute after that, and over 100 tags", () => {
    const setup = new Setup(with300());
    for (let n = 0; n < 25; n++) expect(setup.cache.purge(["x"])).toBe(true);
    expect(setup.cache.purge(["x"])).toBe(false);
    setup.now += 11_999;
    expect(setup.cache.purge(["x"])).toBe(false);
    setup.now += 1;
    expect(setup.cache.purge(["x"])).toBe(true);
    setup.now += 12_000;
    const tags = Array.from({ length: 101 }, (_, n) => String(n));
    expect(setup.cache.purge(tags)).toBe(false);
    expect(setup.cache.purge(tags.slice(1))).toBe(true);
  });
});
