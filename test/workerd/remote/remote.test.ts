import { describe, expect, it } from "vitest";
import { HOUR_MS, REMOTE } from "../../../src/limits.ts";
import { builder } from "../support/builder/fake-builder.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { request } from "../support/http.ts";
import { ORIGIN } from "../support/remote/origin.ts";
import { holdWaits, pauseForFetch, useRemoteSite, visitorsFirst } from "../support/remote/site.ts";
import { crash, queueOf } from "../support/queue.ts";
import { bindings } from "../support/rows.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

describe("a picture of another server (RULES 13.2)", () => {
  it("is its address where no variant is asked for, and nothing is fetched", async () => {
    site.origin.file("/a.gif", gifOf(100));
    expect(await site.ask("/a.gif")).toEqual({
      status: 302,
      location: `${ORIGIN}/a.gif`,
      state: null,
      cacheControl: "public, max-age=300",
    });
    expect(site.origin.requests).toHaveLength(0);
  });

  it("is its address, queued, until it was fetched, and then a variant", async () => {
    site.origin.file("/a.gif", gifOf(100));
    expect(await site.ask("/a.gif", "w=64")).toEqual({
      status: 302,
      location: `${ORIGIN}/a.gif`,
      state: "queued",
      cacheControl: "public, max-age=30",
    });
    const variant = await site.warm("/a.gif");
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ location: variant, state: "hit" });
    expect(site.origin.countOf("/a.gif")).toBe(1);
    const file = await request(variant);
    expect(file.status).toBe(200);
    await file.body?.cancel();
  });

  it("has the variant of the request that caused the fetch built with it, for one charge", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.ask("/a.gif", "w=64&fm=webp");
    await builder.called(1);
    expect(builder.orders()[0]?.spec).toMatchObject({ format: "webp" });
    expect((await queueOf(site.client.space).usage()).coldBudgetUsed).toBe(1);
  });

  it("is no media item: lists, search, trash and totals do not know it", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    expect((await site.client.call("GET", "/media?count=true")).meta.total).toBe(0);
    expect((await site.client.call<unknown[]>("GET", "/trash")).data).toHaveLength(0);
    const reply = await site.client.call("GET", "/usage");
    expect(reply.data).toMatchObject({ media: { active: 0, trashed: 0 }, storage: { masterBytes: 0 } });
    expect(await site.usage()).toEqual({ pictures: 1, bytes: 100, maxBytes: REMOTE.bytesDefault });
    const [, , , , id = ""] = (await site.warm("/a.gif")).split("/");
    expect((await site.client.call("GET", `/media/${id}`)).status).toBe(404);
    expect((await request(`/api/v1/${site.client.space.name}/pictures/${id}?w=64`)).status).toBe(404);
  });

  it("that is a drawing leads to the drawing as it was rewritten, once it is here", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>1</script><rect width="9" height="9"/></svg>`;
    site.origin.file("/a.svg", Uint8Array.from(new TextEncoder().encode(svg)));
    expect(await site.ask("/a.svg", "w=64")).toMatchObject({ location: `${ORIGIN}/a.svg`, state: "queued" });
    await site.fetchesOver(1);
    const { location } = await eventually(async () => {
      const seen = await site.ask("/a.svg", "w=64");
      expect(seen).toMatchObject({ state: null, cacheControl: "public, max-age=300" });
      return seen;
    });
    const file = await request(location ?? "");
    expect(file.headers.get("Content-Security-Policy")).toContain("sandbox");
    expect(await file.text()).not.toContain("script");
  });

  it("does not show its master's bytes under /cdn", async () => {
    site.origin.file("/a.gif", gifOf(100));
    const [, , , spaceId, id] = (await site.warm("/a.gif")).split("/");
    expect((await request(`/cdn/m/${spaceId}/${id}/1/master.gif`)).status).toBe(404);
  });

  it("is asked for again at its own address when its variant has expired", async () => {
    site.origin.file("/a.gif", gifOf(100));
    const variant = await site.warm("/a.gif");
    await bindings.DB.prepare("UPDATE variants SET expires_at = 1").run();
    moveClock(60_000);
    const answer = await request(variant);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Location")).toBe(
      `/api/v1/${site.client.space.name}/remote?w=1&url=${encodeURIComponent(`${ORIGIN}/a.gif`)}`,
    );
  });
});

describe("what is refused (RULES 13.2)", () => {
  it.each([
    ["https://evil.example/a.gif", 403, "ORIGIN_NOT_ALLOWED"],
    ["http://img.example.com/a.gif", 403, "ORIGIN_NOT_ALLOWED"],
    ["https://img.example.com:8443/a.gif", 403, "ORIGIN_NOT_ALLOWED"],
    ["https://user@img.example.com/a.gif", 403, "ORIGIN_NOT_ALLOWED"],
    ["http://169.254.169.254/", 403, "ORIGIN_NOT_ALLOWED"],
    ["http://0x7f.1/", 403, "ORIGIN_NOT_ALLOWED"],
    ["https://[::1]/", 403, "ORIGIN_NOT_ALLOWED"],
    ["file:///etc/passwd", 403, "ORIGIN_NOT_ALLOWED"],
    ["https://images.test/healthz", 403, "ORIGIN_NOT_ALLOWED"],
    ["no address", 400, "INVALID_PARAMETER"],
    ["", 400, "INVALID_PARAMETER"],
  ])("%s is %i", async (url, status, code) => {
    const path = `/api/v1/${site.client.space.name}/remote?w=1&url=${encodeURIComponent(url)}`;
    const answer = await request(path);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { code } });
    expect(site.origin.requests).toHaveLength(0);
  });

  it("an address without a url or with two, an unknown space, a faulty parameter, and a ratio that is not listed", async () => {
    const { name } = site.client.space;
    const url = encodeURIComponent(`${ORIGIN}/a.gif`);
    const statusOf = async (path: string): Promise<number> => (await request(`/api/v1/${path}`)).status;
    expect(await statusOf(`${name}/remote?w=64`)).toBe(400);
    expect(await statusOf(`${name}/remote?url=${url}&url=${url}`)).toBe(400);
    expect(await statusOf(`nowhere/remote?url=${url}`)).toBe(404);
    expect(await statusOf(`${name}/remote?url=${url}&w=0`)).toBe(400);
    expect(await statusOf(`${name}/remote?url=${url}&w=64&ar=7:5`)).toBe(400);
  });

  it("an origin that is removed from the setting, although its pictures are here", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await site.client.call("PATCH", "/settings", { origins: ["https://other.example"] });
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ status: 403 });
    await site.client.call("PATCH", "/settings", { origins: [ORIGIN] });
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ status: 302 });
  });

  it("entries of origins that are not of the form, more than 24, and the same one twice", async () => {
    const patch = async (origins: string[]) => site.client.call("PATCH", "/settings", { origins });
    const many = (count: number) => Array.from({ length: count }, (_, n) => `https://h${n}.example.com`);
    expect((await patch(["https://a.example.com", "https://10.0.0.1"])).error).toMatchObject({
      code: "VALIDATION_FAILED",
      details: [{ path: "origins.1" }],
    });
    expect((await patch(many(24))).status).toBe(200);
    expect((await patch(many(25))).status).toBe(400);
    expect((await patch([ORIGIN, `${ORIGIN}/`])).status).toBe(400);
    expect((await patch([])).data).toMatchObject({ origins: [] });
    expect((await patch(["http://127.0.0.1:9000"])).status).toBe(400);
  });
});

describe("DELETE of an address", () => {
  it("forgets the file, and the next request fetches it again", async () => {
    site.origin.file("/a.gif", gifOf(100));
    const before = await site.warm("/a.gif");
    const path = `/remote?url=${encodeURIComponent(`${ORIGIN}/a.gif`)}`;
    const reply = await site.client.call("DELETE", path);
    expect(reply).toMatchObject({ status: 200, data: { state: "removed" } });
    const purges = await bindings.DB.prepare("SELECT tag FROM purges").all<{ tag: string }>();
    expect(purges.results.map(({ tag }) => tag)).toContain(`media:${before.split("/")[4]}`);
    expect((await site.client.call("DELETE", path)).status).toBe(404);
    expect(await site.usage()).toMatchObject({ pictures: 0, bytes: 0 });
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ state: "queued" });
    expect(await site.warm("/a.gif")).not.toBe(before);
    expect(site.origin.countOf("/a.gif")).toBe(2);
  });

  it("during its fetch leaves no file behind, and the next request fetches it again", async () => {
    const gate = { isBegun: false, isOpen: false };
    site.origin.on("/a.gif", async () => {
      gate.isBegun = true;
      while (!gate.isOpen) await scheduler.wait(5);
      return new Response(gifOf(100));
    });
    await site.ask("/a.gif", "w=64");
    await eventually(() => expect(gate.isBegun).toBe(true));
    const path = `/remote?url=${encodeURIComponent(`${ORIGIN}/a.gif`)}`;
    expect((await site.client.call("DELETE", path)).status).toBe(404);
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ state: "queued" });
    gate.isOpen = true;
    const queue = queueOf(site.client.space);
    await eventually(async () => expect(await queue.fetches()).toMatchObject({ running: 0, waiting: 0 }));
    expect(await site.usage()).toMatchObject({ pictures: 0, bytes: 0 });
    expect(builder.orders()).toHaveLength(0);
    const { results } = await bindings.DB.prepare("SELECT key FROM doomed_objects").all<{ key: string }>();
    expect(results.map(({ key }) => key)).toEqual(
      (await bindings.BUCKET.list()).objects.map(({ key }) => key),
    );
    await site.warm("/a.gif");
    expect(site.origin.countOf("/a.gif")).toBe(2);
    expect(await site.usage()).toMatchObject({ pictures: 1 });
  });

  it("before its fetch has begun ends it, and the next request begins another", async () => {
    visitorsFirst(HOUR_MS);
    const waits = holdWaits();
    site.origin.file("/a.gif", gifOf(100));
    const queue = queueOf(site.client.space);
    await site.ask("/a.gif", "w=64");
    await eventually(() => expect(waits.begun).toBe(1));
    const path = `/remote?url=${encodeURIComponent(`${ORIGIN}/a.gif`)}`;
    expect((await site.client.call("DELETE", path)).status).toBe(404);
    expect(await queue.fetches()).toMatchObject({ running: 0, waiting: 0 });
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ state: "queued" });
    await eventually(() => expect(waits.begun).toBe(2));
    waits.ended = 1;
    await pauseForFetch();
    expect(site.origin.requests).toHaveLength(0);
    expect(await queue.fetches()).toMatchObject({ running: 1, waiting: 0, recent: [] });
    waits.ended = 2;
    await site.fetchesOver(1);
    expect(site.origin.countOf("/a.gif")).toBe(1);
    expect(await site.usage()).toMatchObject({ pictures: 1 });
    expect(await queue.fetches()).toMatchObject({ running: 0, waiting: 0 });
  });

  it("during its fetch is kept in mind when the queue's object is lost", async () => {
    const gate = { isOpen: false };
    site.origin.on("/a.gif", async () => {
      while (!gate.isOpen) await scheduler.wait(5);
      return new Response(gifOf(100));
    });
    await site.ask("/a.gif", "w=64");
    await eventually(() => expect(site.origin.requests).toHaveLength(1));
    await site.client.call("DELETE", `/remote?url=${encodeURIComponent(`${ORIGIN}/a.gif`)}`);
    await crash(site.client.space);
    gate.isOpen = true;
    const queue = queueOf(site.client.space);
    await eventually(async () => {
      await queue.wake();
      expect(await queue.fetches()).toMatchObject({ running: 0, waiting: 0 });
    });
    expect(await site.usage()).toMatchObject({ pictures: 0 });
    expect(site.origin.requests).toHaveLength(1);
  });

  it("needs a key with the role write", async () => {
    const path = `/remote?url=${encodeURIComponent(`${ORIGIN}/a.gif`)}`;
    expect((await site.client.call("DELETE", path, undefined, { key: null })).status).toBe(401);
    expect(
      (await site.client.call("DELETE", path, undefined, { key: await site.client.key("read") })).status,
    ).toBe(403);
    expect((await site.client.call("POST", path, {})).status).toBe(405);
  });
});

describe("GET of a space's origins", () => {
  it("counts pictures, fetches and failures, and lists the last fetches", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await site.ask("/gone.gif", "w=64");
    await site.fetchesOver(2);
    const reply = await site.client.call("GET", "/origins");
    expect(reply.data).toMatchObject({
      origins: [{ origin: ORIGIN, isListed: true, pictures: 1, bytes: 100, fetched: 1, failed: 1 }],
      fetches: [
        { url: `${ORIGIN}/gone.gif`, state: "failed", reason: "the origin answers 404", bytes: null },
        { url: `${ORIGIN}/a.gif`, state: "stored", reason: null, bytes: 100 },
      ],
      waiting: 0,
      running: 0,
    });
  });
});
