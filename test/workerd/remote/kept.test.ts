/** The remote pictures that a space keeps, and those that it gives up. */
import { describe, expect, it } from "vitest";
import { CACHE, DAY_MS, MINUTE_MS, REMOTE } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { ORIGIN } from "../support/remote/origin.ts";
import { useRemoteSite } from "../support/remote/site.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

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
    await site.pass(10_000);
    await site.warm("/b");
    await site.pass(10_000);
    await site.ask("/a", "w=64");
    await eventually(async () => {
      const at = await bindings.DB.prepare("SELECT asked_at FROM remotes WHERE url LIKE '%/a'").first(
        "asked_at",
      );
      expect(at).toBeGreaterThan(Date.now() - 5000);
    });
    await site.pass(10_000);
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
    await site.pass(copies + 1000);
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
    await site.pass(CACHE.factsMs);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => expect(await askedAt()).toBeGreaterThan(first ?? 0));
    const second = await askedAt();
    await site.pass(pictures * REMOTE.askingNotedPerPictureMs - 100);
    await site.ask("/a.gif", "w=64");
    await site.ask("/a.gif", "w=64");
    expect(await askedAt()).toBe(second);
    await site.pass(200);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => expect(await askedAt()).toBeGreaterThan(second ?? 0));
  });

  it("does not include a file that is larger than all of it", async () => {
    await plan(99);
    site.origin.file("/a", gifOf(100));
    await site.ask("/a", "w=64");
    await site.fetchesOver(1);
    await site.pass(2000);
    expect(await site.ask("/a", "w=64")).toMatchObject({ state: "unavailable" });
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
    await plan(100);
    await site.pass(11 * MINUTE_MS);
    await site.warm("/a");
  });

  it("is what visitors have asked for in the last 30 days", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await site.pass(29 * DAY_MS);
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
