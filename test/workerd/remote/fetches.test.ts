/** Fetches of remote pictures: their lane, their memory, and those that fail. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS, MINUTE_MS, REMOTE, UPLOAD } from "../../../src/limits.ts";
import type { UploadReservation } from "../../../src/edge/media/upload-memory.ts";
import { fetchMemory } from "../../../src/edge/remote/fetch-and-keep.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { hangs, ORIGIN } from "../support/remote/origin.ts";
import { pauseForFetch, useRemoteSite, visitorsFirst } from "../support/remote/site.ts";
import { crash, queueOf } from "../support/queue.ts";
import { bindings } from "../support/rows.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

describe("a fetch that fails (RULES 13.5)", () => {
  it.each([
    ["404", () => new Response(null, { status: 404 }), 10],
    ["410", () => new Response(null, { status: 410 }), 10],
    ["no picture", () => new Response("<!doctype html>"), 10],
    [
      "no picture that calls itself one",
      () => new Response("text", { headers: { "Content-Type": "image/png" } }),
      10,
    ],
    ["a picture that is cut off", () => new Response(gifOf(100).slice(0, 20)), 10],
    [
      "a file that states over 40 MB",
      () => new Response("x", { headers: { "Content-Length": "41943041" } }),
      10,
    ],
    ["503", () => new Response(null, { status: 503 }), 1],
    ["no connection", () => Promise.reject(new Error("refused")), 1],
    ["a redirect elsewhere", () => Response.redirect("https://evil.example/x"), 1],
  ])("%s is unavailable, and not tried again for $2 minutes", async (_, answering, minutes) => {
    site.origin.on("/a", answering);
    expect(await site.ask("/a", "w=64")).toMatchObject({ state: "queued" });
    await site.fetchesOver(1);
    await site.pass(2000);
    expect(await site.ask("/a", "w=64")).toEqual({
      status: 302,
      location: `${ORIGIN}/a`,
      state: "unavailable",
      cacheControl: "no-store",
    });
    await site.pass(minutes * MINUTE_MS - 10_000);
    expect(await site.ask("/a", "w=64")).toMatchObject({ state: "unavailable" });
    expect(site.origin.countOf("/a")).toBe(1);
    await site.pass(20_000);
    expect(await site.ask("/a", "w=64")).toMatchObject({ state: "queued" });
    await site.fetchesOver(2);
    expect(await bindings.DB.prepare("SELECT * FROM doomed_objects").all()).toMatchObject({ results: [] });
  });

  it("is no failed variant in the usage of the space", async () => {
    site.origin.on("/a", () => new Response(null, { status: 404 }));
    await site.ask("/a", "w=64");
    await site.fetchesOver(1);
    const { data } = await site.client.call("GET", "/usage");
    expect(data).toMatchObject({ variants: { failed: 0 }, remote: { pictures: 0 } });
  });
});

describe("the memory of fetches (RULES 13.4)", () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const { placeWaitMaxMs } = UPLOAD;
  const held: UploadReservation[] = [];
  const uploadsWait = (ms: number): void => void ((UPLOAD as { placeWaitMaxMs: number }).placeWaitMaxMs = ms);
  afterEach(() => {
    for (const one of held.splice(0)) one.end();
    uploadsWait(placeWaitMaxMs);
  });

  it("is needed to inflate gzip, however short that is", async () => {
    const zipped = new Response(drawing).body!.pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(zipped).arrayBuffer());
    site.origin.file("/short", Uint8Array.from(new TextEncoder().encode(drawing))).file("/zipped", bytes);
    held.push(fetchMemory.begin("another space", REMOTE.memoryMaxBytes));
    uploadsWait(0);
    await site.ask("/short", "w=64");
    await site.fetchesOver(1);
    expect(await site.usage()).toMatchObject({ pictures: 1 });
    await site.ask("/zipped", "w=64");
    await eventually(async () => {
      expect(site.origin.countOf("/zipped")).toBeGreaterThan(0);
      expect(await queueOf(site.client.space).fetches()).toMatchObject({ running: 0, waiting: 1 });
    });
    expect(await site.usage()).toMatchObject({ pictures: 1 });
    held.pop()?.end();
    await site.pass(MINUTE_MS);
    await site.fetchesOver(2);
    expect(await site.usage()).toMatchObject({ pictures: 2 });
  });
});

describe("the lane of fetches (RULES 13.4)", () => {
  it("fetches an address once, however many ask, and four addresses at a time", async () => {
    const held = Array.from({ length: 6 }, () => ({ begun: false, isLet: false }));
    held.forEach((one, n) =>
      site.origin.on(`/${n}`, async () => {
        one.begun = true;
        while (!one.isLet) await scheduler.wait(5);
        return new Response(gifOf(100 + n));
      }),
    );
    const begun = (): number => held.filter((one) => one.begun).length;
    for (let n = 0; n < 6; n++)
      await Promise.all([1, 2, 3].map((visitor) => site.ask(`/${n}`, "w=64", `198.51.100.${visitor}`)));
    await eventually(() => expect(begun()).toBe(4));
    expect(await queueOf(site.client.space).fetches()).toMatchObject({ running: 4, waiting: 2 });
    const first = held.find((one) => one.begun);
    if (first) first.isLet = true;
    await eventually(() => expect(begun()).toBe(5));
    for (const one of held) one.isLet = true;
    await site.fetchesOver(6);
    expect(site.origin.requests).toHaveLength(6);
    expect(site.origin.runningMax).toBe(4);
    expect(await site.usage()).toMatchObject({ pictures: 6 });
  });

  it("goes on with other addresses, builds and uploads while one origin hangs", async () => {
    for (let n = 0; n < 3; n++) site.origin.on(`/hangs/${n}`, hangs);
    for (let n = 0; n < 3; n++) await site.ask(`/hangs/${n}`, "w=64");
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    const { running } = await queueOf(site.client.space).fetches();
    expect(running).toBe(3);
  });

  it("charges a client for 200 fetches in ten minutes, and then says limited (RULES 13.3)", async () => {
    for (let n = 0; n < REMOTE.perClientMax; n++) {
      const { state } = await site.ask(`/none/${n}`, "w=64");
      expect(state).toBe("queued");
    }
    expect(await site.ask("/none/more", "w=64")).toMatchObject({
      state: "limited",
      cacheControl: "no-store",
    });
    expect(await site.ask("/none/more", "w=64", "198.51.100.7")).toMatchObject({ state: "queued" });
    await site.fetchesOver(100);
    await site.pass(11 * MINUTE_MS);
    expect(await site.ask("/none/more2", "w=64")).toMatchObject({ state: "queued" });
  });

  it("lets the visitors have the origin first, and loses no fetch meanwhile", async () => {
    visitorsFirst(HOUR_MS);
    for (const name of ["a", "b"]) {
      site.origin.file(`/${name}.gif`, gifOf(100));
      await site.ask(`/${name}.gif`, "w=64");
    }
    await eventually(async () =>
      expect(await queueOf(site.client.space).fetches()).toMatchObject({ running: 2, waiting: 0 }),
    );
    // Other work of the queue does not begin them sooner.
    await queueOf(site.client.space).wake();
    await pauseForFetch();
    expect(site.origin.requests).toHaveLength(0);
    visitorsFirst(0);
    await crash(site.client.space);
    await eventually(async () => {
      await queueOf(site.client.space).wake();
      expect(await site.usage()).toMatchObject({ pictures: 2 });
    });
    expect(site.origin.requests).toHaveLength(2);
  });

  it("asks the origin when the visitors have had it for a quarter of a second, and keeps the picture", async () => {
    visitorsFirst(250);
    let askedAt = 0;
    site.origin.on("/a.gif", () => {
      askedAt = Date.now();
      return new Response(gifOf(100));
    });
    const earliest = Date.now() + 250;
    await site.ask("/a.gif", "w=64");
    await site.fetchesOver(1);
    expect(askedAt).toBeGreaterThanOrEqual(earliest);
    expect(await site.usage()).toMatchObject({ pictures: 1 });
    expect(site.origin.requests).toHaveLength(1);
  });

  it("waits no longer than the rules say where the clock of the admission was ahead", async () => {
    visitorsFirst(HOUR_MS);
    site.origin.file("/a.gif", gifOf(100));
    moveClock(HOUR_MS);
    await site.ask("/a.gif", "w=64");
    vi.useRealTimers();
    visitorsFirst(250);
    await crash(site.client.space);
    await eventually(async () => {
      await queueOf(site.client.space).wake();
      expect(await site.usage()).toMatchObject({ pictures: 1 });
    });
  });

  it("goes on after the queue's object was lost in the middle of a fetch", async () => {
    let tries = 0;
    site.origin.on("/a.gif", () => (++tries === 1 ? hangs(new Request(ORIGIN)) : new Response(gifOf(100))));
    await site.ask("/a.gif", "w=64");
    await eventually(() => expect(tries).toBe(1));
    await crash(site.client.space);
    await eventually(async () => {
      await queueOf(site.client.space).wake();
      expect(await site.usage()).toMatchObject({ pictures: 1 });
    });
    expect(tries).toBe(2);
  });
});
