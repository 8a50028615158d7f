/** Remote pictures that are no longer fresh. */
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, PLACEHOLDER } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { ORIGIN } from "../support/remote/origin.ts";
import { useRemoteSite, visitorsFirst } from "../support/remote/site.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

describe("a file that is no longer fresh (RULES 13.6)", () => {
  const etagsSent = (): (string | null)[] =>
    site.origin.requests.map(({ headers }) => headers.get("If-None-Match"));

  /** Lets the file grow old, has a visitor ask, and the queue come to rest. */
  async function grownOld(ms = 2 * HOUR_MS): Promise<void> {
    await site.pass(ms);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => {
      await site.pass(PLACEHOLDER.quietMs + 1);
      expect(await site.fetches()).toBe(2);
    });
  }

  it("is asked for again by its ETag in idle time, and stays where the origin confirms it", async () => {
    site.origin.file("/a.gif", gifOf(100));
    const before = await site.warm("/a.gif");
    await grownOld();
    expect(etagsSent()).toEqual([null, '"100-0"']);
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ location: before, state: "hit" });
    await site.pass(30 * MINUTE_MS);
    await site.ask("/a.gif", "w=64");
    await site.pass(PLACEHOLDER.quietMs + 1);
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
      await site.pass(6000);
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
    await site.pass(20 * MINUTE_MS);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => {
      await site.pass(PLACEHOLDER.quietMs + 1);
      expect(await site.fetches()).toBe(3);
    });
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ location: before, state: "hit" });
  });

  it("that is gone at its origin goes here too", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    site.origin.on("/a.gif", () => new Response(null, { status: 404 }));
    await grownOld();
    await site.pass(6000);
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({
      location: `${ORIGIN}/a.gif`,
      state: "unavailable",
    });
    expect(await site.usage()).toMatchObject({ pictures: 0 });
  });
});
