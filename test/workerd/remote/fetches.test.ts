import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CACHE, DAY_MS, PLACEHOLDER, REMOTE, UPLOAD } from "../../../src/limits.ts";
import type { UploadReservation } from "../../../src/edge/media/upload-memory.ts";
import { fetchMemory } from "../../../src/edge/remote/fetch-and-keep.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { hangs, ORIGIN } from "../support/remote/origin.ts";
import { pauseForFetch, useRemoteSite, visitorsFirst } from "../support/remote/site.ts";
import { breakBinding, crash, objectOf, queueOf } from "../support/queue.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Lets time pass for the isolate's memory and for the queue. */
async function pass(ms: number): Promise<void> {
  moveClock(ms);
  await runDurableObjectAlarm(objectOf(site.client.space));
}

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
    await pass(2000);
    expect(await site.ask("/a", "w=64")).toEqual({
      status: 302,
      location: `${ORIGIN}/a`,
      state: "unavailable",
      cacheControl: "no-store",
    });
    await pass(minutes * MINUTE_MS - 10_000);
    expect(await site.ask("/a", "w=64")).toMatchObject({ state: "unavailable" });
    expect(site.origin.countOf("/a")).toBe(1);
    await pass(20_000);
    expect(await site.ask("/a", "w=64")).toMatchObject({ state: "queued" });
    await site.fetchesOver(2);
    expect(await bindings.DB.prepare("SELECT * FROM doomed_objects").all()).toMatchObject({ results: [] });
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
    await pass(MINUTE_MS);
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
    await pass(11 * MINUTE_MS);
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

describe("what a crash leaves (RULES 10.1)", () => {
  it("between the bytes and the row is removed by the sweep", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await bindings.DB.prepare(
      "CREATE TRIGGER no_row BEFORE INSERT ON remotes BEGIN SELECT RAISE(ABORT, 'down'); END",
    ).run();
    try {
      await site.ask("/a.gif", "w=64");
      await eventually(async () => {
        await queueOf(site.client.space).wake();
        expect(await site.fetches()).toBe(1);
      });
    } finally {
      await bindings.DB.prepare("DROP TRIGGER no_row").run();
    }
    const stored = await bindings.BUCKET.list();
    expect(stored.objects).toHaveLength(REMOTE.lossesMax);
    await runSweep(Date.now() + 2 * DAY_MS);
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
    expect(await bindings.DB.prepare("SELECT * FROM doomed_objects").all()).toMatchObject({ results: [] });
  });

  it("a row has its bytes for as long as it stands", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await bindings.DB.prepare("UPDATE remotes SET asked_at = ?")
      .bind(Date.now() + 3 * DAY_MS)
      .run();
    const { results } = await bindings.DB.prepare("SELECT space_id, id FROM remotes").all<{
      space_id: string;
      id: string;
    }>();
    const key = `m/${results[0]?.space_id}/${results[0]?.id}/1/master.gif`;
    await bindings.DB.prepare("INSERT INTO doomed_objects (key, due_at) VALUES (?, 1)").bind(key).run();
    await runSweep(Date.now() + 2 * DAY_MS);
    expect(await bindings.BUCKET.head(key)).not.toBeNull();
  });

  it("a variant of a removed picture gets no row", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await runSweep(Date.now() + 31 * DAY_MS);
    const rows = await bindings.DB.prepare("SELECT 1 FROM variants UNION ALL SELECT 1 FROM remotes").all();
    expect(rows.results).toHaveLength(0);
    await runSweep(Date.now() + 32 * DAY_MS);
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
    expect(await site.usage()).toMatchObject({ pictures: 0, bytes: 0 });
  });

  it("the storage of a removed space is emptied", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    const { name } = site.client.space;
    await site.client.call("DELETE", "", { confirm: name });
    for (let run = 1; run <= 3; run++) await runSweep(Date.now() + run * DAY_MS);
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
    expect(
      (await bindings.DB.prepare("SELECT 1 FROM remotes UNION ALL SELECT 1 FROM spaces").all()).results,
    ).toEqual([]);
  });

  it("a D1 that is down for a moment costs no fetch its picture", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.ask("/none.gif", "w=64");
    await breakBinding(site.client.space, "DB", "batch");
    await site.warm("/a.gif");
  });
});

describe("a file that is no longer fresh (RULES 13.6)", () => {
  const etagsSent = (): (string | null)[] =>
    site.origin.requests.map(({ headers }) => headers.get("If-None-Match"));

  /** Lets the file grow old, has a visitor ask, and the queue come to rest. */
  async function grownOld(ms = 2 * HOUR_MS): Promise<void> {
    await pass(ms);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => {
      await pass(PLACEHOLDER.quietMs + 1);
      expect(await site.fetches()).toBe(2);
    });
  }

  it("is asked for again by its ETag in idle time, and stays where the origin confirms it", async () => {
    site.origin.file("/a.gif", gifOf(100));
    const before = await site.warm("/a.gif");
    await grownOld();
    expect(etagsSent()).toEqual([null, '"100-0"']);
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ location: before, state: "hit" });
    await pass(30 * MINUTE_MS);
    await site.ask("/a.gif", "w=64");
    await pass(PLACEHOLDER.quietMs + 1);
    expect(site.origin.requests).toHaveLength(2);
  });

  it("is asked for again without the wait for visitors, who do not need it", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    visitorsFirst(HOUR_MS);
    await grownOld();
    expect(etagsSent()).toEqual([null, '"100-0"']);
  });

  it("is fresh for the max-age of its origin, at most 30 days", async () => {
    site.origin.file("/a.gif", gifOf(100), { "Cache-Control": "max-age=86400" });
    await site.warm("/a.gif");
    const freshMs = await bindings.DB.prepare("SELECT fresh_until - fetched_at AS ms FROM remotes").first(
      "ms",
    );
    expect(freshMs).toBe(DAY_MS);
  });

  it("that has changed is a new version, and the old one and its variants go", async () => {
    site.origin.file("/a.gif", gifOf(100));
    const before = await site.warm("/a.gif");
    site.origin.file("/a.gif", gifOf(200, 9));
    await grownOld();
    const after = await eventually(async () => {
      await pass(6000);
      const path = await site.warm("/a.gif");
      expect(path).not.toBe(before);
      return path;
    });
    expect(after.split("/")[5]).toBe("2");
    expect(await site.usage()).toMatchObject({ pictures: 1, bytes: 200 });
    const purges = await bindings.DB.prepare("SELECT tag FROM purges").all<{ tag: string }>();
    expect(purges.results.map(({ tag }) => tag)).toContain(`media:${before.split("/")[4]}`);
    await runSweep(Date.now() + DAY_MS);
    const keys = (await bindings.BUCKET.list()).objects.map(({ key }) => key);
    expect(keys.filter((key) => key.includes("/1/"))).toEqual([]);
    expect(keys.filter((key) => key.includes("/2/"))).toHaveLength(2);
  });

  it("that the origin sends again although it is the same stays the same version", async () => {
    site.origin.on("/a.gif", () => new Response(gifOf(100)));
    const before = await site.warm("/a.gif");
    await grownOld();
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ location: before });
    expect((await bindings.BUCKET.list({ prefix: "m/" })).objects).toHaveLength(1);
  });

  it("is served on while its origin is down, slow or has something else", async () => {
    site.origin.file("/a.gif", gifOf(100));
    const before = await site.warm("/a.gif");
    site.origin.on("/a.gif", () => new Response(null, { status: 503 }));
    await grownOld();
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ location: before, state: "hit" });
    site.origin.on("/a.gif", () => new Response("<html>maintenance</html>"));
    await pass(20 * MINUTE_MS);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => {
      await pass(PLACEHOLDER.quietMs + 1);
      expect(await site.fetches()).toBe(3);
    });
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ location: before, state: "hit" });
  });

  it("that is gone at its origin goes here too", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    site.origin.on("/a.gif", () => new Response(null, { status: 404 }));
    await grownOld();
    await pass(6000);
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({
      location: `${ORIGIN}/a.gif`,
      state: "unavailable",
    });
    expect(await site.usage()).toMatchObject({ pictures: 0 });
  });
});

describe("what a space keeps (RULES 13.6)", () => {
  const plan = (remoteBytes: number) => site.client.call("PATCH", "", { plan: { remoteBytes } });
  const kept = async (): Promise<string[]> => {
    const { results } = await bindings.DB.prepare("SELECT url FROM remotes ORDER BY url").all<{
      url: string;
    }>();
    return results.map(({ url }) => url.slice(ORIGIN.length));
  };

  it("is at most what its plan says: the least recently asked for go first", async () => {
    expect((await plan(250)).data).toMatchObject({ plan: { remoteBytes: 250 } });
    for (const name of ["a", "b", "c"]) site.origin.file(`/${name}`, gifOf(100, name.charCodeAt(0)));
    await site.warm("/a");
    await pass(10_000);
    await site.warm("/b");
    await pass(10_000);
    await site.ask("/a", "w=64");
    await eventually(async () => {
      const at = await bindings.DB.prepare("SELECT asked_at FROM remotes WHERE url LIKE '%/a'").first(
        "asked_at",
      );
      expect(at).toBeGreaterThan(Date.now() - 5000);
    });
    await pass(10_000);
    await site.warm("/c");
    expect(await kept()).toEqual(["/a", "/c"]);
    expect(await site.usage()).toEqual({ pictures: 2, bytes: 200, maxBytes: 250 });
  });

  it("is trimmed by the sweep after the plan was lowered", async () => {
    for (const name of ["a", "b", "c"]) {
      site.origin.file(`/${name}`, gifOf(100, name.charCodeAt(0)));
      await site.warm(`/${name}`);
    }
    await plan(100);
    await runSweep(Date.now());
    expect(await kept()).toEqual(["/c"]);
  });

  it("is one picture for each 16 KB of its plan, and a thousand in any plan, however small they are", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await plan(REMOTE.bytesPerPicture);
    const copies = REMOTE.picturesMin + 50;
    // Rows as fetches of small files write them, each asked for later than the one before, in slices that D1 takes.
    for (let first = 1; first <= copies; first += copies / 2)
      await bindings.DB.prepare(
        `WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         INSERT INTO remotes SELECT space_id, 'copy ' || i, 'copy ' || i, url || '?' || i, origin, version, last_version,
           file, 1, sha256, facts, etag, last_modified, fetched_at, fresh_until, asked_at + i
         FROM remotes, n WHERE hash NOT LIKE 'copy %'`,
      )
        .bind(first, first + copies / 2 - 1)
        .run();
    expect(await site.usage()).toMatchObject({ pictures: copies + 1 });
    await runSweep(Date.now());
    expect(await site.usage()).toMatchObject({ pictures: REMOTE.picturesMin });
    const oldest = await bindings.DB.prepare("SELECT url FROM remotes ORDER BY asked_at").first("url");
    expect(oldest).toBe(`${ORIGIN}/a.gif?51`);
    await plan(REMOTE.bytesPerPicture * (REMOTE.picturesMin - 1));
    await runSweep(Date.now());
    expect(await site.usage()).toMatchObject({ pictures: REMOTE.picturesMin });
    // A fetch makes room for its own file.
    site.origin.file("/b.gif", gifOf(101));
    await pass(copies + 1000);
    await site.warm("/b.gif");
    expect(await site.usage()).toMatchObject({ pictures: REMOTE.picturesMin });
    expect(await kept()).not.toContain("/a.gif?51");
    expect(await kept()).toContain("/b.gif");
  });

  it("notes the asking the more seldom, the more pictures a nearly full space has", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await plan(100);
    const askedAt = () =>
      bindings.DB.prepare("SELECT asked_at FROM remotes WHERE url LIKE '%/a.gif'").first<number>("asked_at");
    const first = await askedAt();
    const pictures = 100;
    await bindings.DB.prepare("UPDATE space_totals SET remote_pictures = ?").bind(pictures).run();
    // The isolate remembers what it read for five seconds.
    await pass(CACHE.factsMs);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => expect(await askedAt()).toBeGreaterThan(first ?? 0));
    const second = await askedAt();
    await pass(pictures * REMOTE.askingNotedPerPictureMs - 100);
    await site.ask("/a.gif", "w=64");
    await site.ask("/a.gif", "w=64");
    expect(await askedAt()).toBe(second);
    await pass(200);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => expect(await askedAt()).toBeGreaterThan(second ?? 0));
  });

  it("does not include a file that is larger than all of it", async () => {
    await plan(99);
    site.origin.file("/a", gifOf(100));
    await site.ask("/a", "w=64");
    await site.fetchesOver(1);
    await pass(2000);
    expect(await site.ask("/a", "w=64")).toMatchObject({ state: "unavailable" });
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
    await plan(100);
    await pass(11 * MINUTE_MS);
    await site.warm("/a");
  });

  it("is what visitors have asked for in the last 30 days", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await pass(29 * DAY_MS);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => {
      const at = await bindings.DB.prepare("SELECT asked_at FROM remotes").first<number>("asked_at");
      expect(at).toBeGreaterThan(Date.now() - DAY_MS);
    });
    await runSweep(Date.now() + 2 * DAY_MS);
    expect(await kept()).toEqual(["/a.gif"]);
    await runSweep(Date.now() + 31 * DAY_MS);
    expect(await kept()).toEqual([]);
  });
});
