/** Public content kept at the edge (RULES 3.17): which answers, under which form, for how long, and which never. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { Edge } from "../support/edge.ts";
import { requestWith } from "../support/http.ts";
import { makePublicSpace, POST_FIELDS, type PublicSpace } from "../support/content/public-space.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

const ROOT = { Authorization: `Bearer ${bindings.ROOT_TOKEN}` };

let client: Client;
let post: string;
let path: PublicSpace["path"];
beforeEach(async () => {
  ({ client, post, path } = await makePublicSpace());
});

async function cacheOf(edge: Edge, rest: string, init: RequestInit = {}, region = 0): Promise<string | null> {
  return (await edge.visit(path(rest), init, region)).cache;
}

describe("a read without a key", () => {
  it("runs once per region, and is replayed with a request id of its own", async () => {
    const edge = new Edge(2);
    for (const rest of ["posts", `posts/${post}`, "posts?populate=author,cover&count=true"]) {
      const [first, second, other] = [
        await edge.ask(path(rest)),
        await edge.ask(path(rest)),
        await edge.ask(path(rest), {}, 1),
      ];
      const bodies = [await first.text(), await second.text(), await other.text()];
      expect(bodies, rest).toEqual([bodies[0], bodies[0], bodies[0]]);
      const caches = [first, second, other].map(({ headers }) => headers.get("Cf-Cache-Status"));
      expect(caches).toEqual(["MISS", "HIT", "MISS"]);
      expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
      for (const name of ["Cache-Tag", "Cloudflare-CDN-Cache-Control", "X-Silverprint-Request"])
        expect(first.headers.get(name)).toBeNull();
      expect(second.headers.get("Cache-Control")).toBe("public, max-age=60, stale-while-revalidate=600");
      expect(second.headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
  });

  it("is kept once for all ways to ask the same", async () => {
    const edge = new Edge(1);
    const filter = encodeURIComponent("filter[title][eq]");
    const same = [
      "posts?sort=title&filter[title][eq]=One&populate=author,cover&selectFields=title,author,cover",
      "posts?selectFields=cover,author,title&populate=cover,author&filter[title][eq]=One&sort=title",
      `posts?${filter}=One&limit=25&status=published&sort=title&populate=author,cover&selectFields=title,author,cover`,
    ];
    const states = [];
    for (const rest of same) states.push(await cacheOf(edge, rest));
    expect(states).toEqual(["MISS", "HIT", "HIT"]);
    expect(await cacheOf(edge, same[0]?.replace("=One", "=Two") ?? "")).toBe("MISS");
    expect(edge.runs.length).toBe(2);
  });

  it("answers HEAD and conditions from the copy", async () => {
    const edge = new Edge(1);
    const etag = (await edge.ask(path(`posts/${post}`))).headers.get("ETag") ?? "";
    const known = await edge.ask(path(`posts/${post}`), { headers: { "If-None-Match": etag } });
    expect([known.status, known.headers.get("ETag"), await known.text()]).toEqual([304, etag, ""]);
    const head = await edge.ask(path(`posts/${post}`), { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(edge.runs.length).toBe(1);
  });

  it("says what it says without a cache", async () => {
    const said = async (response: Response) => {
      const headers = [...response.headers].filter(([name]) => name !== "x-request-id" && name !== "date");
      const text = (await response.text()).replace(/"requestId":"[^"]*"/, "");
      return { status: response.status, headers: headers.sort(), text };
    };
    const failed = vi.spyOn(console, "error");
    for (const [rest, init] of [
      ["posts"],
      [`posts/${post}`],
      [`posts/${post}`, { method: "HEAD" }],
      ["posts?count=true&limit=1&populate=author"],
      ["posts/nobody"],
      ["posts?sort=nothing"],
      ["posts?nothing=1"],
      ["posts?limit=25&limit=25"],
      ["secrets"],
      ["nothing"],
      ["posts?status=draft"],
      ["posts", { headers: { Authorization: "Bearer wrong" } }],
      ["posts", { headers: ROOT }],
    ] as [string, RequestInit?][]) {
      const answers = [];
      for (const way of ["off", "on"])
        answers.push(await said(await requestWith({ EDGE_CACHE: way }, path(rest), init)));
      expect(answers[1], `${init?.method ?? "GET"} ${rest}`).toEqual(answers[0]);
    }
    expect(failed.mock.calls.filter(([line]) => String(line).includes("edge-cache-failed"))).toEqual([]);
  });

  it("has absolute addresses of the caller's own host, of which nothing is kept", async () => {
    const edge = new Edge(1);
    const fields = [...POST_FIELDS, { name: "any", type: "json" }];
    await client.call("PUT", "/models/collections/posts", { fields });
    // Text that looks like the mark is left as it is.
    const any = { a: '"\\u0000', "\\u0000": ['"', "\\u0000x"] };
    await client.call("PUT", `/data/collections/posts/${post}`, { any });
    const kept: string[] = [];
    const real = edge.cache.entrypoint.bind(edge.cache);
    vi.spyOn(edge.cache, "entrypoint").mockImplementation((region, run) =>
      real(region, async (request) => {
        const response = await run(request);
        kept.push(request.url, JSON.stringify([...request.headers]), await response.clone().text());
        return response;
      }),
    );
    interface Expanded {
      any: unknown;
      cover: { url: string; directUrl: string; formats: Record<string, { url: string }> };
    }
    const answer = await edge.ask(path(`posts/${post}?populate=cover`));
    const { data } = await answer.json<{ data: Expanded }>();
    for (const address of [data.cover.url, data.cover.directUrl, data.cover.formats["large"]?.url])
      expect(address).toMatch(/^https:\/\/images\.test\//);
    expect(data.any).toEqual(any);
    expect(kept.join("\n")).not.toContain("images.test");
    edge.env = { PUBLIC_BASE_URL: "https://public.example/" };
    const again = await edge.ask(path(`posts/${post}?populate=cover`));
    expect(again.headers.get("Cf-Cache-Status")).toBe("HIT");
    expect(await again.text()).toContain('"https://public.example/api/v1/');
  });

  it("is answered in place when the cache fails", async () => {
    const edge = new Edge(1);
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.spyOn(edge.cache, "entrypoint").mockImplementation(() => ({
      fetch: () => Promise.reject(new Error("no cache")),
      invalidate: () => Promise.resolve(false),
    }));
    const answer = await edge.ask(path("posts"));
    expect([answer.status, edge.runs]).toEqual([200, []]);
    expect(logged.mock.calls.flat().join()).toContain("edge-cache-failed");
  });
});

describe("what is never kept", () => {
  it("drafts, reads with a key, changes, and errors", async () => {
    const edge = new Edge(1);
    const key = { Authorization: `Bearer ${await client.key("read")}` };
    for (const [rest, init] of [
      ["posts", { headers: key }],
      [`posts/${post}`, { headers: ROOT }],
      ["drafted?status=draft", { headers: ROOT }],
      ["drafted?status=draft"],
      ["posts", { method: "POST", body: "{}" }],
      [`posts/${post}/versions`],
    ] as [string, RequestInit?][]) {
      await edge.visit(path(rest), init);
      expect(edge.runs, rest).toEqual([]);
    }
    for (const rest of ["posts/nobody", "secrets", "posts?sort=nothing", "posts?filter[title][eq]=%00"]) {
      expect([await cacheOf(edge, rest), await cacheOf(edge, rest)], rest).toEqual(["BYPASS", "BYPASS"]);
    }
    // A key gets its own answer where a copy is kept, and leaves none.
    expect([await cacheOf(edge, "posts"), await cacheOf(edge, "posts")]).toEqual(["MISS", "HIT"]);
    const { headers } = await edge.ask(path("posts"), { headers: key });
    expect([headers.get("Cf-Cache-Status"), headers.get("Cache-Control")]).toEqual([null, "no-store"]);
  });
});
